package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// clockedProgress returns a progress, and how to let time pass for it.
func clockedProgress(diagnostics *bytes.Buffer, terminal bool) (p *progress, pass func(time.Duration)) {
	now := time.Date(1997, 5, 11, 15, 0, 0, 0, time.UTC)
	p = newProgress(diagnostics)
	p.terminal, p.now = terminal, func() time.Time { return now }
	return p, func(d time.Duration) { now = now.Add(d) }
}

func TestProgressLines(t *testing.T) {
	var told bytes.Buffer
	p, pass := clockedProgress(&told, false)
	p.update(perft.Progress{Tasks: 400})
	for done := 1; done <= 30; done++ {
		pass(time.Second)
		p.update(perft.Progress{Done: done, Tasks: 400, Nodes: uint64(done) * 5e8})
	}
	p.clear()
	const want = `10 of 400 tasks (2.5%), 5000000000 nodes, 500.0 million nodes/s, 6m30s left
20 of 400 tasks (5.0%), 10000000000 nodes, 500.0 million nodes/s, 6m20s left
30 of 400 tasks (7.5%), 15000000000 nodes, 500.0 million nodes/s, 6m10s left
`
	if told.String() != want {
		t.Errorf("told\n%s\nwant\n%s", told.String(), want)
	}
}

// TestProgressAfterJournal leaves out of speed and time left what an earlier run has counted.
func TestProgressAfterJournal(t *testing.T) {
	var told bytes.Buffer
	p, pass := clockedProgress(&told, false)
	p.update(perft.Progress{Done: 300, Tasks: 400, Nodes: 3e12})
	pass(24 * time.Hour)
	p.update(perft.Progress{Done: 300, Tasks: 400, Nodes: 3e12})
	pass(24 * time.Hour)
	p.update(perft.Progress{Done: 320, Tasks: 400, Nodes: 3e12 + 172800e6})
	const want = `going on from the journal: 300 of 400 tasks are done, 3000000000000 nodes
300 of 400 tasks (75.0%)
320 of 400 tasks (80.0%), 3172800000000 nodes, 1.0 million nodes/s, 8.0 days left
`
	if told.String() != want {
		t.Errorf("told\n%s\nwant\n%s", told.String(), want)
	}
}

func TestProgressBar(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration
		want  string
	}{
		{"short count", 900 * time.Millisecond, ""},
		{"long count", 20 * time.Second, "20000000 nodes, 1.0 million nodes/s, 1m0s left"},
	} {
		var terminal bytes.Buffer
		p, pass := clockedProgress(&terminal, true)
		p.update(perft.Progress{Tasks: 20})
		pass(test.after)
		p.update(perft.Progress{Done: 5, Tasks: 20, Nodes: 20e6})
		drawn := terminal.Len()
		pass(barInterval / 2)
		p.update(perft.Progress{Done: 6, Tasks: 20, Nodes: 21e6})
		if terminal.Len() != drawn {
			t.Errorf("%s: drawn again too soon: %q", test.name, terminal.String())
		}
		p.clear()
		if !strings.Contains(terminal.String(), test.want) || (test.want == "") != (terminal.Len() == 0) {
			t.Errorf("%s: %q, want %q", test.name, terminal.String(), test.want)
		}
	}
}
