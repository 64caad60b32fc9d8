package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
)

// clusterReport is what a run has come to, in the form of its JSON.
type clusterReport struct {
	FEN          string         `json:"fen"`
	Depth        int            `json:"depth"`
	Split        int            `json:"split"`
	Nodes        job.Count      `json:"nodes"`
	Divide       []job.Nodes    `json:"divide"`
	Positions    int            `json:"positions"`
	Tasks        int            `json:"tasks"`
	TasksBefore  int            `json:"tasks_before"`
	Seconds      float64        `json:"seconds"`
	Speed        float64        `json:"nps"` // of what was counted in this run
	Redeliveries int            `json:"redeliveries"`
	Mismatches   []job.Mismatch `json:"mismatches,omitzero"`
}

// newClusterReport reports a run that is done.
func newClusterReport(r *clusterRun, before int, elapsed time.Duration) *clusterReport {
	s, status := r.ledger.Summary(), r.coordinator.Status()
	report := &clusterReport{
		FEN: s.Spec.FEN, Depth: s.Spec.Depth, Split: s.Spec.Split,
		Nodes: *s.Nodes, Divide: s.Divide,
		Positions: s.Positions, Tasks: s.Tasks, TasksBefore: before,
		Seconds: elapsed.Seconds(), Redeliveries: status.Redeliveries, Mismatches: s.Mismatches,
	}
	if before < s.Tasks {
		report.Speed = status.Counted() / elapsed.Seconds()
	}
	slices.SortFunc(report.Divide, func(a, b job.Nodes) int { return strings.Compare(a.Move, b.Move) })
	return report
}

// write writes the counts to results; what differs from run to run to diagnostics.
func (r *clusterReport) write(results, diagnostics io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(results).Encode(r)
	}
	var text strings.Builder
	for _, d := range r.Divide {
		fmt.Fprintf(&text, "%s: %s\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %s\n", r.Nodes)
	_, err := io.WriteString(results, text.String())
	fmt.Fprintf(diagnostics, "%.3f s, %.0f nodes/s, %d positions after %d plies in %d tasks, %d of them done before, %d redelivered\n",
		r.Seconds, r.Speed, r.Positions, r.Split, r.Tasks, r.TasksBefore, r.Redeliveries)
	return err
}
