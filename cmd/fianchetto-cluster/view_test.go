package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

func exampleStatus() *coordinator.Status {
	now := time.Unix(1000, 0)
	return &coordinator.Status{
		Summary: job.Summary{Job: job.Description{Tasks: 400}, TasksDone: 100, Nodes: job.Count{Lo: 2e12},
			ThreadSecondsLeft: 180},
		Time: now, Running: true, Rate: 2e9, Threads: 2, Left: 90, Redeliveries: 2,
		Workers: []coordinator.WorkerStatus{
			{Name: "here-12", Threads: 2, Tasks: 70, Rate: 1e9, Seen: now},
			{Name: "there-7", Threads: 4, Tasks: 30, Rate: 5e8, Seen: now.Add(-time.Minute)},
		},
	}
}

// TestViewInLines shows nothing of a short run, and of a long one a line now and then.
func TestViewInLines(t *testing.T) {
	var shown bytes.Buffer
	v := newView(&shown)
	v.expanded(3, 5362)
	v.show(exampleStatus())
	v.begun, v.due = time.Now().Add(-time.Minute), time.Now()
	v.expanded(6, 9417681)
	v.show(exampleStatus())
	v.Notice("something happened")
	v.show(exampleStatus()) // too soon
	want := "9,417,681 positions after 6 plies\n" + overview(exampleStatus()) + "\nsomething happened\n"
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
	if n := strings.Count(text, "\n"); n != 13 || !strings.HasSuffix(text, "  and 2,036 more\n") {
		t.Errorf("%d lines\n%s", n, text)
	}
}

// TestOverviewWithoutWorkers has no worker yet, a run that is interrupted, and one that is done.
func TestOverviewWithoutWorkers(t *testing.T) {
	for want, s := range map[string]coordinator.Status{
		"0 of 400 tasks are done (0.0%), 0 nodes, 0 nodes/s, waiting for workers": {Running: true,
			Summary: job.Summary{Job: job.Description{Tasks: 400}}},
		"100 of 400 tasks are done (25.0%), 3.0 days left on one thread": {
			Summary: job.Summary{Job: job.Description{Tasks: 400}, TasksDone: 100, ThreadSecondsLeft: 3 * 86400}},
		"1 of 1 task is done": {Summary: job.Summary{Job: job.Description{Tasks: 1}, TasksDone: 1}},
	} {
		if got := overview(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
