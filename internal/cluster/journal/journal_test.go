package journal

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/cluster/job"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestRoundTrip keeps the results of a job and reads them again.
func TestRoundTrip(t *testing.T) {
	j, err := job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: 4, Split: 2, Batch: 20}, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log, err := Open(dir, j.Description(), nil)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := job.NewMemory(1)
	if err != nil {
		t.Fatal(err)
	}
	c := memory.NewCounter("w", perft.Auto)
	for i := range j.Tasks() {
		r, err := c.Count(t.Context(), j.Task(i, 0))
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	l := job.NewLedger(j, false)
	d, damage, err := Read(dir, func(r *job.Result) error { _, err := l.Add(r); return err })
	if err != nil || d != j.Description() || len(damage) > 0 {
		t.Fatal(d, damage, err)
	}
	if s := l.Summary(); !s.Done || s.Nodes.String() != "197281" {
		t.Errorf("%+v", s)
	}
}
