package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// total is what a job has come to, in the form of its JSON.
type total struct {
	FEN        string         `json:"fen"`
	Depth      int            `json:"depth"`
	Split      int            `json:"split"`
	Nodes      job.Count      `json:"nodes"`
	Divide     []job.Nodes    `json:"divide"`
	Positions  int            `json:"positions"`
	Tasks      int            `json:"tasks"`
	Mismatches []job.Mismatch `json:"mismatches,omitzero"`
}

// newTotal returns the total of a job that is done.
func newTotal(s *job.Summary) *total {
	slices.SortFunc(s.Divide, func(a, b job.Nodes) int { return strings.Compare(a.Move, b.Move) })
	return &total{
		FEN: s.Spec.FEN, Depth: s.Spec.Depth, Split: s.Spec.Split, Nodes: *s.Nodes, Divide: s.Divide,
		Positions: s.Positions, Tasks: s.Tasks, Mismatches: s.Mismatches,
	}
}

// write writes the divide, and the total last.
func (t *total) write(results io.Writer) error {
	var text strings.Builder
	for _, d := range t.Divide {
		fmt.Fprintf(&text, "%s: %s\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %s\n", t.Nodes)
	_, err := io.WriteString(results, text.String())
	return err
}

// report is what a run has come to, and how it went.
type report struct {
	*total
	TasksBefore  int     `json:"tasks_before"`
	Seconds      float64 `json:"seconds"`
	Speed        float64 `json:"nps"` // of what was counted in this run
	Redeliveries int     `json:"redeliveries"`
}

// newReport reports a run that is done.
func newReport(r *run, before int) *report {
	summary, status := r.ledger.Summary(), r.coordinator.Status()
	report := &report{
		total: newTotal(&summary), TasksBefore: before, Seconds: time.Since(r.begun).Seconds(), Redeliveries: status.Redeliveries,
	}
	if before < summary.Tasks {
		report.Speed = status.Counted() / report.Seconds
	}
	return report
}

// write writes the counts to results; what differs from run to run to diagnostics.
func (r *report) write(results, diagnostics io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(results).Encode(r)
	}
	err := r.total.write(results)
	fmt.Fprintf(diagnostics, "%.3f s, %s, %s after %s in %s, %s of them done before, %s redelivered\n",
		r.Seconds, figures.Rate(r.Speed, "nodes/s"), figures.Things(r.Positions, "position"), figures.Plural(r.Split, "ply", "plies"),
		figures.Things(r.Tasks, "task"), figures.Count(r.TasksBefore), figures.Count(r.Redeliveries))
	return err
}
