package coordinator

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// cluster is a broker and a job in this process, for one test.
type cluster struct {
	t       testing.TB
	broker  *broker.Broker
	job     *job.Job
	ledger  *job.Ledger
	counter *job.Counter

	mutex   sync.Mutex
	notices []string
}

// noJournal keeps nothing.
func noJournal(...*job.Result) error { return nil }

func newCluster(t testing.TB, spec job.Spec) *cluster {
	t.Helper()
	spec.FEN = fianchetto.StartFEN
	j := must.Get(job.New(t.Context(), spec, nil))(t)
	b := must.Get(broker.Open(t.Context(), broker.Options{}))(t)
	t.Cleanup(b.Close)
	counter := must.Get(job.NewCounter(perft.Auto, 0))(t)
	return &cluster{t: t, broker: b, job: j, ledger: job.NewLedger(j, job.Rules{}), counter: counter}
}

func (c *cluster) notice(text string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.notices = append(c.notices, text)
}

// noticed reports whether there was a notice with a text.
func (c *cluster) noticed(text string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.ContainsFunc(c.notices, func(n string) bool { return strings.Contains(n, text) })
}

// threadNames returns the names of the threads of so many workers.
func threadNames(workers int) []string {
	var names []string
	for i := range workers {
		names = append(names, worker.ThreadName(fmt.Sprintf("w%d", i+1), 0))
	}
	return names
}

// employ has a process count in the background until the test ends, by the product's counter,
// unless count is given.
func (c *cluster) employ(b *broker.Broker, name string, threads int, count worker.Counter) {
	if count == nil {
		count = c.counter.Count
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	done := make(chan bool)
	go func() {
		defer close(done)
		err := worker.Run(ctx, b, worker.Options{Name: name, Threads: threads, Notice: c.notice,
			Count: count})
		if err != nil {
			c.t.Errorf("worker %s: %v", name, err)
		}
	}()
	c.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// startWorkers employs so many processes of one thread.
func (c *cluster) startWorkers(workers int, count worker.Counter) {
	for i := range workers {
		c.employ(c.broker, fmt.Sprintf("w%d", i+1), 1, count)
	}
}

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = 3 * time.Minute

// run runs the job, for a generous time at most.
func (c *cluster) run(journal func(...*job.Result) error, o Options) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), generous)
	defer cancel()
	return c.coordinator(journal, o).Run(ctx)
}

// coordinator returns a coordinator of the job, whose notices are kept.
func (c *cluster) coordinator(journal func(...*job.Result) error, o Options) *Coordinator {
	o.Notice = c.notice
	if o.Ready == nil {
		o.Ready = func() {}
	}
	return New(c.broker, c.job, c.ledger, journal, o)
}

// wantTotal fails the test unless a run has ended without an error, and come to a total.
func (c *cluster) wantTotal(want string, err error) {
	c.t.Helper()
	if s := c.ledger.Summary(); err != nil || !s.Done || s.Nodes.String() != want {
		c.t.Fatalf("%s: %v, %v, want %s", s.Job, err, s.Nodes, want)
	}
}

func TestTotals(t *testing.T) {
	for _, spec := range []job.Spec{
		{Depth: 1, Split: 1},
		{Depth: 4, Split: 4},
		{Depth: 5, Split: 2, Batch: 1},
		{Depth: 5, Split: 3, Batch: 7, Verify: true},
		{Depth: 5, Split: 3, Batch: 1000},
		{Depth: 5},
	} {
		want := map[int]string{1: "20", 4: "197281", 5: "4865609"}[spec.Depth]
		for _, workers := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%+v %d", spec, workers), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, spec)
				c.wantTotal(want, c.run(noJournal, Options{Workers: threadNames(workers),
					Ready: func() { c.startWorkers(workers, nil) }}))
				if jobs, err := c.broker.Jobs(t.Context()); err != nil || len(jobs) != 0 {
					t.Errorf("the broker still has %v, %v", jobs, err)
				}
			})
		}
	}
}

// TestEstimate has workers come, count and fall silent: the time that is left is that of the
// missing results, each as long as those that are there took on the mean, on the threads that were
// heard of.
func TestEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := job.Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 40}
		j := must.Get(job.New(t.Context(), spec, nil))(t)
		l := job.NewLedger(j, job.Rules{})
		counter := must.Get(job.NewCounter(perft.Plain, 0))(t)
		c := New(new(broker.Broker), j, l, noJournal, Options{})
		heartbeat := func(name string, threads int) {
			text := must.Get(json.Marshal(worker.Heartbeat{Name: name, Threads: threads}))(t)
			c.hear(&broker.Request{Data: text}, time.Now())
		}
		nodes, elapsed := 0.0, 0.0
		count := func(index int, took time.Duration) {
			r := must.Get(counter.Count(t.Context(), "p/1", j.Task(job.Want{Index: index})))(t)
			r.Elapsed = took
			nodes, elapsed = nodes+r.Sum().Float(), elapsed+took.Seconds()
			must.Get(l.Add(r))(t)
			c.members.credit(r, "", time.Now())
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
		time.Sleep(silentTime)
		want("when all may be silent", 8, 15)
		time.Sleep(time.Nanosecond)
		want("when all are silent", 0, 0)
		heartbeat("q", 6)
		want("when one is back", 6, 20)
		heartbeat("q", 0)
		want("when it has left", 0, 0)
		for range 4 {
			count(2, 15*time.Second)
		}
		heartbeat("p", 1)
		for i := range j.Tasks {
			count(i, 15*time.Second)
		}
		want("at the end", 1, 0)
		c.schedule.redeliveries = 2
		if s := c.Status(); s.ThreadSeconds != 150 || s.ThreadSecondsLeft != 0 || s.TasksDone != 10 ||
			s.Nodes.String() != "8902" || len(s.Divide) != 20 || s.Redeliveries != 2 ||
			math.Abs(s.Workers[0].Rate-nodes/elapsed) > 1e-6 {
			t.Errorf("at the end %+v", s)
		}
	})
}

// TestIsOver ends a run when its workers know that it has ended, or have had the time to hear it.
func TestIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Coordinator{ledger: job.NewLedger(job.Outline(job.Description{}), job.Rules{}), members: newMembers(), counted: time.Now()}
		c.members.member("p", "", time.Now()).Threads = 1
		if c.isOver() {
			t.Error("over before the worker knows")
		}
		time.Sleep(partTime + 1)
		if !c.isOver() {
			t.Error("not over when the worker has had the time to hear it")
		}
		c.counted = time.Now()
		if c.members.known["p"].told = true; !c.isOver() {
			t.Error("not over when the worker knows")
		}
	})
}
