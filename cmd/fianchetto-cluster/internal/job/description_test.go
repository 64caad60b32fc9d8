package job

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestCheckDescription checks descriptions of no job, which a journal or a broker of others may have.
func TestCheckDescription(t *testing.T) {
	j, err := New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 4, Split: 2, Batch: 7}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := j.Description()
	if err := d.Check(); err != nil {
		t.Errorf("%+v: %v", d, err)
	}
	mate := Description{Spec: Spec{FEN: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Depth: 3, Split: 1}}
	if err := mate.Check(); err != nil {
		t.Errorf("a job without a task: %v", err)
	}
	for name, change := range map[string]func(d *Description){
		"negative tasks":     func(d *Description) { d.Tasks = -5 },
		"too many tasks":     func(d *Description) { d.Tasks, d.Positions = math.MaxInt, math.MaxInt },
		"empty tasks":        func(d *Description) { d.Tasks = d.Positions + 1 },
		"negative positions": func(d *Description) { d.Positions, d.Tasks = -1, 0 },
		"large tasks":        func(d *Description) { d.Positions = d.Tasks*MaxBatch + 1 },
		"depth 0":            func(d *Description) { d.Spec.Depth = 0 },
		"depth":              func(d *Description) { d.Spec.Depth = perft.MaxDepth + 1 },
		"split":              func(d *Description) { d.Spec.Split = 0 },
		"deep split":         func(d *Description) { d.Spec.Split = 5 },
		"batch":              func(d *Description) { d.Spec.Batch = -1 },
		"FEN":                func(d *Description) { d.Spec.FEN = "8/8/8/8/8/8/8/8 w - - 0 1" },
		"FEN with an escape": func(d *Description) { d.Spec.FEN = "\x1b[2J" + fianchetto.StartFEN },
		"long FEN":           func(d *Description) { d.Spec.FEN += strings.Repeat(" ", 1000) },
		"build":              func(d *Description) { d.Build = "\x1b[2J" },
		"long build":         func(d *Description) { d.Build = strings.Repeat("b", 1000) },
	} {
		changed := d
		change(&changed)
		err := changed.Check()
		if err == nil || len(err.Error()) > 400 || !printable(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
		if name != "FEN" && !strings.Contains(name, "FEN") && !errors.Is(err, ErrSpec) {
			t.Errorf("%s: %v, want ErrSpec", name, err)
		}
	}
}
