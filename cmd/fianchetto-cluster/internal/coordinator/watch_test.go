package coordinator

import (
	"encoding/json"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestEstimate has workers come, count and fall silent: the time that is left is that of the missing results, each as
// long as those that are there took on the mean, on the threads that were heard of.
func TestEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, err := job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 40}, job.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l := job.NewLedger(j)
		memory, err := job.NewMemory(0)
		if err != nil {
			t.Fatal(err)
		}
		counter := memory.NewCounter("p/1", perft.Plain)
		c := New(new(broker.Broker), j, l, noJournal, Options{})
		heartbeat := func(name string, threads int) {
			text, err := json.Marshal(worker.Heartbeat{Name: name, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			c.crew.hear(&broker.Request{Data: text}, time.Now())
		}
		nodes, elapsed := 0.0, 0.0
		count := func(index int, took time.Duration) {
			r, err := counter.Count(t.Context(), j.Task(job.Want{Index: index}))
			if err != nil {
				t.Fatal(err)
			}
			r.Elapsed = took
			nodes, elapsed = nodes+r.Sum().Float(), elapsed+took.Seconds()
			if _, err := l.Add(r); err != nil {
				t.Fatal(err)
			}
			c.crew.credit(r, "", time.Now())
		}
		want := func(when string, threads int, left float64) {
			t.Helper()
			if s := c.Status(); s.Threads != threads || math.Abs(s.Left-left) > 1e-9 {
				t.Errorf("%s: %d threads, %v s left, want %d, %v", when, s.Threads, s.Left, threads, left)
			}
		}
		want("at the beginning", 0, 0)
		heartbeat("p", 2)
		want("without a result", 2, 0)
		count(0, 10*time.Second)
		count(1, 20*time.Second)
		count(1, 90*time.Second) // is a duplicate
		want("after two of ten tasks", 2, 15*8/2.)
		heartbeat("q", 6)
		want("with more threads", 8, 15)
		time.Sleep(silentTime + time.Second)
		want("when all are silent", 0, 0)
		heartbeat("q", 6)
		want("when one is back", 6, 20)
		heartbeat("q", 0)
		want("when it has left", 0, 0)
		for range 4 {
			count(2, 15*time.Second)
		}
		heartbeat("p", 1)
		for i := range j.Tasks() {
			count(i, 15*time.Second)
		}
		want("at the end", 1, 0)
		if s := c.Status(); s.ThreadSeconds != 150 || s.ThreadSecondsLeft != 0 || s.TasksDone != 10 ||
			s.Nodes.String() != "8902" ||
			math.Abs(s.Workers[0].Rate-nodes/elapsed) > 1e-6 {
			t.Errorf("at the end %+v", s)
		}
	})
}

// TestExplainWait explains a wait if all tasks that are left wait for other workers.
func TestExplainWait(t *testing.T) {
	verified := &task{want: job.Want{Index: 1, Avoid: []string{"ann"}}, waits: true}
	for _, test := range []struct {
		tasks map[int]*task
		last  bool
		want  int
	}{
		{map[int]*task{0: {waits: true}, 1: verified}, true, 0},
		{map[int]*task{0: {want: verified.want}, 1: verified}, true, 0},
		{map[int]*task{1: verified}, false, 0},
		{nil, true, 0},
		{map[int]*task{1: verified}, true, 1},
	} {
		notices := 0
		c := &Coordinator{Options: Options{Notice: func(string) { notices++ }}, schedule: &schedule{tasks: test.tasks, last: test.last}}
		c.explainWait()
		c.explainWait()
		if notices != test.want {
			t.Errorf("%v: %d notices, want %d", test.tasks, notices, test.want)
		}
	}
}
