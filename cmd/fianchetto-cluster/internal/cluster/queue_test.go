package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// simulation is a run without processes: a queue of the broker that loses tasks, and workers that
// do what rapid draws.
type simulation struct {
	*rapid.T
	*queue
	job    *job.Job
	ledger *job.Ledger
	there  map[string][]job.Want // the messages in the broker
	held   map[string]bool       // of those, the ones that a worker keeps for ever
}

// TestEveryRunEnds simulates runs whose workers count, lie, keep tasks, and acknowledge tasks that
// they did not count, while the broker loses some. After that, enough honest workers take what they
// find. Then the run must end, with the results of the honest workers.
func TestEveryRunEnds(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		tasks := rapid.IntRange(1, 60).Draw(t, "tasks")
		j := jobOf(test, job.Spec{Depth: 3, Split: 2, Batch: (400 + tasks - 1) / tasks, Verify: rapid.Bool().Draw(t, "verify")})
		j.Bundle = rapid.IntRange(1, 4).Draw(t, "bundle")
		l := job.NewLedger(j, false)
		s := &simulation{T: t, job: j, ledger: l, there: make(map[string][]job.Want), held: make(map[string]bool)}
		s.renew()
		for n := rapid.IntRange(0, 300).Draw(t, "events"); n > 0 && !l.Done(); n-- {
			s.fill(2)
			s.act()
		}
		for round := 0; !l.Done(); round++ {
			if round > 200+20*tasks {
				t.Fatalf("%d of %d tasks are done, and in the queue %v of %v", l.Summary().TasksDone, tasks, s.there, s.tasks)
			}
			s.fill(2)
			s.look(true)
			for name := range s.there {
				for i := range 5 {
					s.count(name, fmt.Sprint("honest", i), 0)
				}
			}
		}
		for _, owner := range l.Quarantined() {
			if owner[0] == 'h' {
				t.Errorf("%s is quarantined", owner)
			}
		}
	})
}

// renew makes a new queue, as a coordinator does that takes over or reads all results again.
func (s *simulation) renew() {
	give := func(wants []job.Want, copies int) string {
		name := fmt.Sprintf("%d.%d.%d", wants[0].Index, wants[0].Pass, copies)
		if s.there[name] == nil { // as the broker, which takes a name once
			s.there[name] = wants
		}
		return name
	}
	s.queue = newQueue(s.ledger, give)
}

// act draws one event.
func (s *simulation) act() {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s.there)), func(name string) bool { return s.held[name] })
	event := rapid.IntRange(0, 9).Draw(s.T, "event")
	switch {
	case event == 0:
		s.renew()
		return
	case event == 1 || len(names) == 0:
		s.look(len(names) == 0)
		return
	}
	name := rapid.SampledFrom(names).Draw(s.T, "task")
	switch event {
	case 2: // it is lost, or acknowledged without a result
		delete(s.there, name)
	case 3: // its worker keeps it
		s.held[name] = true
	case 4:
		liar := rapid.Uint64Range(0, 2).Draw(s.T, "liar") // they do not agree
		s.count(name, fmt.Sprint("liar", liar), 2*liar+rapid.Uint64Range(1, 2).Draw(s.T, "error"))
	default:
		s.count(name, fmt.Sprint("honest", rapid.IntRange(0, 4).Draw(s.T, "worker")), 0)
	}
}

// look reviews the queue, after a while.
func (s *simulation) look(asking bool) {
	seen := broker.Queue{Names: make(map[string]uint64)}
	for name := range s.there {
		if seen.Names[name] = 1; !s.held[name] {
			seen.Queued++
		}
	}
	if asking {
		seen.Asking = 1
	}
	s.review(seen, -1)
}

// count has a worker take a message, unless it must not, and report counts that are off by some.
func (s *simulation) count(name, worker string, off uint64) {
	wants := s.there[name]
	if len(wants) == 0 || s.held[name] || slices.Contains(wants[0].Avoid, worker) {
		return
	}
	delete(s.there, name)
	faulty := len(s.ledger.Quarantined())
	for _, want := range wants {
		r := resultOf(s.job, want.Index, worker, cmp.Or(want.Method, perft.Plain), 10+off)
		if _, err := s.ledger.Add(r); err != nil {
			s.Fatal(err)
		}
		s.settle(r.Index)
	}
	if len(s.ledger.Quarantined()) > faulty {
		s.queue.renew()
	}
}

// jobOf returns a job from the start position.
func jobOf(t *testing.T, spec job.Spec) *job.Job {
	spec.FEN = fianchetto.StartFEN
	return must.Get(job.New(t.Context(), spec, nil))(t)
}

// resultOf returns a result of a worker that counts the same for each position.
func resultOf(j *job.Job, index int, name string, method perft.Method, count uint64) *job.Result {
	task := j.Task(job.Want{Index: index, Method: method})
	return &job.Result{Head: task.Head, Worker: name, Counts: slices.Repeat([]uint64{count}, len(task.Positions)/core.StateSize)}
}

// TestQueueIsBounded has only workers that must not count the second pass: the queue keeps few of
// its tasks and all room for the first pass, and goes on when others come.
func TestQueueIsBounded(t *testing.T) {
	j := jobOf(t, job.Spec{Depth: 5, Split: 4, Batch: 5, Verify: true})
	l, tasks := job.NewLedger(j, false), j.Tasks
	queued := 0
	q := newQueue(l, func(wants []job.Want, _ int) string { queued += len(wants); return "" })
	result := func(index int, worker string, method perft.Method) {
		if _, err := l.Add(resultOf(j, index, worker, method, 1)); err != nil {
			t.Fatal(err)
		}
		q.settle(index)
		q.fill(1)
	}
	q.fill(1)
	if queued != aheadTasks {
		t.Errorf("%d tasks in the queue, want %d", queued, aheadTasks)
	}
	for i := range tasks {
		result(i, "ann", perft.Plain)
	}
	if n := len(q.tasks); n != aheadAgain || queued != tasks+aheadAgain {
		t.Errorf("%d tasks in the queue, want %d", n, aheadAgain)
	}
	for i := range tasks {
		if q.tasks[i] == nil {
			t.Fatalf("task %d is not in the queue", i)
		}
		result(i, "bob", perft.TwoPly)
	}
	if !l.Done() || len(q.tasks) > 0 {
		t.Errorf("%d tasks are done, %d in the queue", l.Summary().TasksDone, len(q.tasks))
	}
}

// TestRunsOfManyKinds runs jobs with workers that come and go, keep tasks, acknowledge tasks that
// they did not count, and lie, on a real broker. Each must end with the right total.
func TestRunsOfManyKinds(t *testing.T) {
	for seed := range 6 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 3, Verify: seed%2 == 0})
			c.employ(c.broker, "hoarder", func(ctx context.Context, _ string, _ *job.Task) (*job.Result, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			if c.job.Spec.Verify {
				c.employ(c.broker, "liar", c.wrong(func(t *job.Task) bool { return t.Index%5 == 0 }))
			}
			go func() { // acknowledges what it did not count
				for i := 0; i < 40 && t.Context().Err() == nil; i++ {
					if tasks, _ := c.broker.Take(job.Build()); tasks != nil {
						_ = tasks.Ack()
					}
				}
			}()
			for i := range 3 {
				leave := c.employ(c.broker, fmt.Sprint("leaver", i), nil)
				time.AfterFunc(time.Duration(20*i)*time.Millisecond, leave)
				c.employ(c.broker, fmt.Sprint("honest", i), nil)
			}
			c.wantTotal(Options{Checks: 1, Lease: 300 * time.Millisecond})
		})
	}
}
