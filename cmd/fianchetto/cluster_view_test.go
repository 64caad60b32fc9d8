package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
)

func exampleStatus() *coordinator.Status {
	now := time.Unix(1000, 0)
	return &coordinator.Status{
		Job: job.Description{Tasks: 400}, Time: now, TasksDone: 100, Nodes: job.Count{Lo: 2e12}, Rate: 2e9, Left: 90 * time.Second, Redeliveries: 2,
		Workers: []coordinator.WorkerStatus{
			{Name: "here-12", Threads: 2, Tasks: 70, Rate: 1e9, Seen: now},
			{Name: "there-7", Threads: 4, Tasks: 30, Rate: 5e8, Seen: now.Add(-time.Minute)},
		},
	}
}

// TestClusterViewOnTerminal draws twice, with a notice in between: what was drawn is taken off before.
func TestClusterViewOnTerminal(t *testing.T) {
	var terminal bytes.Buffer
	v := &clusterView{diagnostics: &terminal, terminal: true, begun: time.Now(), due: time.Now()}
	v.show(exampleStatus())
	v.notice("something happened")
	v.show(exampleStatus())
	v.clear()
	drawn := `|█████               | 100 of 400 tasks (25.0%), 2000000000000 nodes, 2000.0 million nodes/s, 1m30s left, 2 redelivered, 6 threads
  here-12                    2 threads       70 tasks     2000.0 million nodes/s
  there-7                    4 threads       30 tasks     2000.0 million nodes/s, silent for 1m0s
`
	const erased = "\x1b[3A\r\x1b[J"
	if want := drawn + erased + "something happened\n" + drawn + erased; terminal.String() != want {
		t.Errorf("drew\n%q\nwant\n%q", terminal.String(), want)
	}
}

func TestClusterViewOfShortRun(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var shown bytes.Buffer
		v := newClusterView(&shown)
		v.terminal = terminal
		v.expanded(3, 5362)
		v.show(exampleStatus())
		v.clear()
		if shown.Len() > 0 {
			t.Errorf("a short run showed %q", shown.String())
		}
	}
}

func TestClusterViewInLines(t *testing.T) {
	var shown bytes.Buffer
	v := &clusterView{diagnostics: &shown, begun: time.Now().Add(-time.Minute), due: time.Now()}
	v.expanded(6, 9417681)
	v.show(exampleStatus())
	v.show(exampleStatus()) // too soon
	want := "9417681 positions after 6 plies\n" + overview(exampleStatus()) + "\n"
	if shown.String() != want {
		t.Errorf("showed\n%s\nwant\n%s", shown.String(), want)
	}
}

func TestManyWorkersAreNotAllShown(t *testing.T) {
	s := exampleStatus()
	for range 10 {
		s.Workers = append(s.Workers, s.Workers...)
	}
	text := perWorker(s)
	if n := strings.Count(text, "\n"); n != 13 || !strings.HasSuffix(text, "  and 2036 more\n") {
		t.Errorf("%d lines\n%s", n, text)
	}
}
