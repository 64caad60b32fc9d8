package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// randomState makes a directory with results of a verified job by workers and methods at random, some of them counted
// alone, as runs leave it that were killed at some time.
func randomState(t *testing.T, random *rand.Rand) (dir string, tasks int) {
	t.Helper()
	j, err := job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 100, Verify: true},
		job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := job.NewMemory(0)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	log, err := journal.Open(dir, j.Description(), func(*job.Result) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	l := job.NewLedger(j)
	for range random.IntN(6 * j.Tasks()) {
		worker := memory.NewCounter([]string{"ann", "bob", "cyd"}[random.IntN(3)], perft.Plain)
		r, err := worker.Count(t.Context(), j.Task(job.Want{Index: random.IntN(j.Tasks()),
			Method: []perft.Method{perft.Plain, perft.TwoPly}[random.IntN(2)]}))
		if err != nil {
			t.Fatal(err)
		}
		r.Alone = random.IntN(4) == 0
		if v, err := l.Add(r); err != nil || v.Standing == job.Duplicate {
			continue
		}
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, j.Tasks()
}

// TestCommandsAgreeOnWhatIsDone asks all commands how many tasks of a directory are done.
func TestCommandsAgreeOnWhatIsDone(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	complete, rounds := 0, 10
	for range rounds {
		dir, tasks := randomState(t, random)
		code, text, _ := clitest.Run(t.Context(), newProgram(), "status", "--state", dir, "--json")
		var object coordinator.Status
		if err := json.Unmarshal([]byte(text), &object); err != nil || code != 0 || object.Running ||
			object.Job.Tasks != tasks {
			t.Fatalf("status ended with %d, %v: %q", code, err, text)
		}
		_, status, _ := clitest.Run(t.Context(), newProgram(), "status", "--state", dir)
		first := regexp.MustCompile(`(\d+) of (\d+) tasks are done`).FindStringSubmatch(status)
		if first == nil || first[2] != strconv.Itoa(tasks) {
			t.Fatalf("status of %d tasks: %q", tasks, status)
		}
		done, _ := strconv.Atoi(first[1])

		code, text, _ = clitest.Run(t.Context(), newProgram(), "export", "--state", dir)
		var export job.Summary
		if err := json.Unmarshal([]byte(text), &export); err != nil || code != 0 {
			t.Fatalf("export ended with %d, %v: %q", code, err, text)
		}
		if object.TasksDone != done || object.ThreadSeconds != export.Seconds ||
			object.ThreadSecondsLeft != export.SecondsLeft {
			t.Errorf("status has %+v, export %+v", object, export)
		}
		if export.TasksDone != done || export.Done != (done == tasks) || (export.Nodes != nil) != export.Done {
			t.Errorf("export has %d tasks, done %v, %v; status %d of %d", export.TasksDone, export.Done, export.Nodes,
				done, tasks)
		}
		_, left, _ := clitest.Run(t.Context(), newProgram(), "tasks", "--state", dir)
		if n := strings.Count(left, "\n"); n != tasks-done {
			t.Errorf("tasks prints %d lines, status has %d of %d", n, done, tasks)
		}
		code, text, _ = clitest.Run(t.Context(), newProgram(), "total", "--state", dir)
		if total := strings.HasSuffix(text, "Nodes searched: 8902\n"); total != (done == tasks) ||
			(code == 0) != total {
			t.Errorf("total ended with %d, %q; status has %d of %d", code, text, done, tasks)
		}
		if done == tasks {
			complete++
		}
		for _, workers := range []string{"1", "3"} { // the second has nothing left to do
			code, text, diagnostics := clitest.Run(t.Context(), newProgram(), "resume", "--state", dir, "--hash", "0",
				"--workers", workers)
			before := fmt.Sprintf(" in 4 tasks, %d of them done before", done)
			if code != 0 || !strings.HasSuffix(text, "Nodes searched: 8902\n") ||
				!strings.Contains(diagnostics, before) {
				t.Errorf("resume ended with %d, %q, %q; status has %d of %d", code, text, diagnostics, done, tasks)
			}
			done = tasks
		}
	}
	if complete == 0 || complete == rounds {
		t.Errorf("%d of %d directories were complete", complete, rounds)
	}
}
