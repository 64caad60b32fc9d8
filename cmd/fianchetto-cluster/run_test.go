package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// newState makes a directory of a verified job with results, as total leaves it.
func newState(t *testing.T, results func(add func(worker string, index int, method perft.Method, off uint64))) (
	dir string, tasks int) {
	t.Helper()
	j := must.Get(job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 100, Verify: true},
		nil))(t)
	counter := must.Get(job.NewCounter(perft.Plain, 0))(t)
	dir = t.TempDir()
	if code, _, text := execute(t, "tasks --depth 3 --split 2 --batch 100 --verify --state "+dir, ""); code != exit.OK {
		t.Fatal(text)
	}
	var lines strings.Builder
	results(func(worker string, index int, method perft.Method, off uint64) {
		r := must.Get(counter.Count(t.Context(), worker, j.Task(job.Want{Index: index, Method: method})))(t)
		r.Counts[0] += off
		lines.Write(job.Line(r))
	})
	execute(t, "total --state "+dir, lines.String())
	return dir, j.Tasks
}

// TestCommandsAgreeOnWhatIsDone asks all commands how many tasks of a directory are done.
func TestCommandsAgreeOnWhatIsDone(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	complete, rounds := 0, 6
	for range rounds {
		dir, tasks := newState(t, func(add func(string, int, perft.Method, uint64)) {
			for range random.IntN(24) {
				add([]string{"ann", "bob", "cyd"}[random.IntN(3)], random.IntN(4),
					[]perft.Method{perft.Plain, perft.TwoPly}[random.IntN(2)], 0)
			}
		})
		code, text, _ := execute(t, "export --state "+dir, "")
		var export job.Summary
		if err := json.Unmarshal([]byte(text), &export); err != nil || code != 0 || export.Job.Tasks != tasks {
			t.Fatalf("export ended with %d, %v: %q", code, err, text)
		}
		done := export.TasksDone
		if export.Done != (done == tasks) || (export.Nodes.Lo == 8902) != export.Done {
			t.Errorf("export has %d of %d tasks, done %v, %v", done, tasks, export.Done, export.Nodes)
		}
		if _, status, _ := execute(t, "status --state "+dir, ""); !strings.Contains(status,
			fmt.Sprintf("\n%d of %d tasks are done", done, tasks)) {
			t.Errorf("status of %d of %d tasks: %q", done, tasks, status)
		}
		_, left, _ := execute(t, "tasks --state "+dir, "")
		if n := strings.Count(left, "\n"); n != tasks-done {
			t.Errorf("tasks prints %d lines, export has %d of %d", n, done, tasks)
		}
		code, text, _ = execute(t, "total --state "+dir, "")
		if total := strings.HasSuffix(text, "Nodes searched: 8902\n"); total != export.Done || (code == 0) != total {
			t.Errorf("total ended with %d, %q; export has %d of %d", code, text, done, tasks)
		}
		if done == tasks {
			complete++
		}
		for _, workers := range []string{"1", "3"} { // the second has nothing left to do
			code, text, diagnostics := execute(t, "resume --hash 0 --state "+dir+" --workers "+workers, "")
			before := fmt.Sprintf(" in 4 tasks, %d of them done before", done)
			if code != 0 || !strings.HasSuffix(text, "Nodes searched: 8902\n") ||
				!strings.Contains(diagnostics, before) {
				t.Errorf("resume ended with %d, %q, %q; export has %d of %d", code, text, diagnostics, done, tasks)
			}
			done = tasks
		}
	}
	if complete == 0 || complete == rounds {
		t.Errorf("%d of %d directories were complete", complete, rounds)
	}
}

// TestStatusOfAnotherTime has a status in the directory that a run has just written, that is old,
// or of the future: only the first is that of a run that goes on.
func TestStatusOfAnotherTime(t *testing.T) {
	dir := t.TempDir()
	if code, _, text := execute(t, "run --depth 3 --split 2 --batch 100 --hash 0 --state "+dir, ""); code != exit.OK {
		t.Fatal(text)
	}
	status := must.Get(readState(dir))(t)
	if status.Running || !status.Done {
		t.Errorf("after the run %+v", status)
	}
	now := time.Now()
	for when, running := range map[time.Time]bool{now: true, now.Add(-time.Minute): false, now.Add(time.Hour): false} {
		status.Running, status.Time = true, when
		p := program{kept: must.Get(openState(dir))(t)}
		must.Do(t, p.kept.save(&status.Status), p.Close())
		if code, text, _ := execute(t, "status --json --state "+dir, ""); code != exit.OK ||
			strings.Contains(text, `"running":true`) != running {
			t.Errorf("%v: exit code %d, %q, want it running: %v", when, code, text, running)
		}
	}
}

// TestDisagreement has ann and bob differ on one task: status and export say so, and a run decides
// by its own count.
func TestDisagreement(t *testing.T) {
	t.Parallel()
	dir, _ := newState(t, func(add func(string, int, perft.Method, uint64)) {
		add("ann", 0, perft.Plain, 0)
		add("bob", 0, perft.TwoPly, 1)
	})
	for command, want := range map[string]string{"status": "\nresults of 1 task differ between ann and bob\n",
		"export": `"disagreements":[{"between":["ann","bob"],"tasks":1}]`} {
		if _, text, _ := execute(t, command+" --state "+dir, ""); !strings.Contains(text, want) {
			t.Errorf("%s %q, want %q", command, text, want)
		}
	}
	code, total, text := execute(t, "resume --workers 3 --checks 0 --hash 0 --state "+dir, "")
	if code != exit.Differ || !strings.Contains(total, "Nodes searched: 8902\n") || !strings.Contains(text, "faulty worker: bob") {
		t.Errorf("run ended with %d, %q, %q", code, total, text)
	}
}

// TestJoinCommand asks workers for the certificates that they need, and for no others.
func TestJoinCommand(t *testing.T) {
	for want, f := range map[string]broker.Options{
		"":               {Connect: "a:1"},
		" --tls-ca FILE": {Connect: "a:1", TLS: broker.TLSFiles{Authority: "ca"}},
		" --tls-ca FILE --tls-cert FILE --tls-key FILE": {Connect: "a:1", TLS: broker.TLSFiles{Authority: "ca", Certificate: "c", Key: "k"}},
	} {
		r := program{broker: new(broker.Broker), access: f}
		if got := r.joinCommand(); got != "fianchetto-cluster worker --connect a:1"+want {
			t.Errorf("%+v: %s", f.TLS, got)
		}
	}
}

// TestViewInLines shows nothing of a short run, and of a long one a line now and then.
func TestViewInLines(t *testing.T) {
	var shown bytes.Buffer
	v, status := newView(&shown), &cluster.Status{Running: true, Rate: 2e9, Threads: 2}
	v.expanded(3, 5362)
	v.show(status)
	v.begun, v.due = time.Now().Add(-time.Minute), time.Now()
	v.expanded(6, 9417681)
	v.show(status)
	v.Notice("something happened")
	v.show(status) // too soon
	want := "9,417,681 positions after 6 plies\n" + monitor.Text("overview", status) + "\nsomething happened\n"
	if shown.String() != want {
		t.Errorf("showed\n%s\nwant\n%s", shown.String(), want)
	}
}
