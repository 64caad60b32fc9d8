package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// generous is how long to wait for what comes at once unless the machine is busy; the lease is longer, so that no test
// waits for its end.
const generous, lease = 2 * time.Minute, time.Hour

// bench is a broker with a job, whose queue the test looks into itself.
type bench struct {
	t      *testing.T
	broker *broker.Broker
	job    *job.Job
	queue  *broker.Queue
}

func newBench(t *testing.T) *bench {
	t.Helper()
	start := fianchetto.StartPosition()
	j, err := job.New(t.Context(), job.Spec{FEN: start.FEN(), Depth: 3, Split: 2, Batch: 100}, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := broker.Open(t.Context(), broker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	w := &bench{t: t, broker: b, job: j}
	w.queue = w.offer(j.ID().String(), j.Description())
	return w
}

// offer makes the queue of a job that is described so.
func (b *bench) offer(name string, d job.Description) *broker.Queue {
	b.t.Helper()
	about, err := json.Marshal(d)
	if err != nil {
		b.t.Fatal(err)
	}
	q, err := b.broker.Make(b.t.Context(), name, string(about), lease)
	if err != nil {
		b.t.Fatal(err)
	}
	return q
}

func (b *bench) enqueue(tasks ...*job.Task) {
	b.t.Helper()
	for _, t := range tasks {
		if err := b.queue.Enqueue(b.t.Context(), broker.Message{Key: string(rune('a' + t.Index)),
			Data: t.Append(nil)}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// employ has a process of some threads work, and returns its error when it is done.
func (b *bench) employ(ctx context.Context, name string, threads int, o Options) <-chan error {
	memory, err := job.NewMemory(0)
	if err != nil {
		b.t.Fatal(err)
	}
	o.Name, o.Threads = name, threads
	if o.Notice == nil {
		o.Notice = func(text string) { b.t.Log(text) }
	}
	if o.NewCounter == nil {
		o.NewCounter = func(name string) Counter { return memory.NewCounter(name, perft.Auto) }
	}
	done := make(chan error, 1)
	go func() { done <- Run(ctx, b.broker, o) }()
	return done
}

// results returns the next results.
func (b *bench) results(n int) []*job.Result {
	b.t.Helper()
	var results []*job.Result
	err := b.queue.Results(b.t.Context(), n, generous, func(taken broker.Result) {
		r, err := job.DecodeResult(taken.Data)
		if err != nil {
			b.t.Error(err)
		}
		results = append(results, r)
	})
	if err != nil || len(results) != n {
		b.t.Fatalf("%d results, %v, want %d", len(results), err, n)
	}
	return results
}

// TestAvoid offers a process of two threads tasks that one of them must not count, and then a process that must not
// count at all.
func TestAvoid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range b.job.Tasks() {
		task := b.job.Task(job.Want{Index: i})
		task.Avoid = []string{"p/1", "other/9"}
		b.enqueue(task)
	}
	ctx, leave := context.WithCancel(t.Context())
	done := b.employ(ctx, "p", 2, Options{})
	for _, r := range b.results(b.job.Tasks()) {
		if r.Worker != "p/2" {
			t.Errorf("task %d was counted by %s", r.Index, r.Worker)
		}
	}
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAvoidedTaskGoesToAnotherProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	task := b.job.Task(job.Want{Index: 2})
	task.Avoid = []string{"first/1"}
	b.enqueue(task)
	ctx, leave := context.WithCancel(t.Context())
	first := b.employ(ctx, "first", 1, Options{})
	for state, err := (broker.State{}), error(nil); state.Leased == 0; state, err = b.queue.State(t.Context()) { // until it has taken the task
		if err != nil {
			t.Fatal(err)
		}
	}
	second := b.employ(ctx, "second", 1, Options{})
	if r := b.results(1)[0]; r.Worker != "second/1" {
		t.Errorf("counted by %s", r.Worker)
	}
	leave()
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
}

// TestLeaving has a worker leave in the middle of a task, which must be there for another at once.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.enqueue(b.job.Task(job.Want{Index: 0}))
	begun := make(chan bool, 1)
	ctx, leave := context.WithCancel(t.Context())
	done := b.employ(ctx, "p", 1, Options{NewCounter: func(string) Counter {
		return counterFunc(func(ctx context.Context, _ *job.Task) (*job.Result, error) {
			begun <- true
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}})
	<-begun
	parted := make(chan bool, 1)
	stop, err := b.queue.Watch(func(h broker.Heartbeat) {
		var p Heartbeat
		if json.Unmarshal(h.Data, &p) == nil && p.Name == "p" && p.Threads == 0 {
			parted <- true
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
	<-parted // else it counts as silent only after a while
	ctx, leave = context.WithCancel(t.Context())
	another := b.employ(ctx, "q", 1, Options{})
	if r := b.results(1)[0]; r.Worker != "q/1" {
		t.Errorf("counted by %s", r.Worker)
	}
	leave()
	if err := <-another; err != nil {
		t.Error(err)
	}
}

// TestEnds has a worker wait for a task as long as it is to, and a broker close the connection for good: the first is
// no error.
func TestEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	idle := b.employ(t.Context(), "p", 1, Options{Idle: 10 * time.Millisecond})
	if err := <-idle; err != nil {
		t.Errorf("without a task: %v", err)
	}
	b.enqueue(b.job.Task(job.Want{}))
	done := b.employ(t.Context(), "q", 1, Options{})
	b.results(1)
	b.broker.Close()
	if err := <-done; !errors.Is(err, broker.ErrBroker) {
		t.Errorf("%v, want ErrBroker", err)
	}
}

type counterFunc func(ctx context.Context, t *job.Task) (*job.Result, error)

func (f counterFunc) Count(ctx context.Context, t *job.Task) (*job.Result, error) { return f(ctx, t) }

func TestFailedCountEndsTheWorker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.enqueue(b.job.Task(job.Want{Index: 0}))
	failure := errors.New("cannot count")
	done := b.employ(t.Context(), "p", 2, Options{NewCounter: func(string) Counter {
		return counterFunc(func(context.Context, *job.Task) (*job.Result, error) { return nil, failure })
	}})
	if err := <-done; !errors.Is(err, failure) {
		t.Errorf("%v, want that it cannot count", err)
	}
}

// TestOtherBuilds offers jobs of other builds: alone they are refused, beside one of this build they are let be.
func TestOtherBuilds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.job.Description()
	other.Build = "v0.0.1"
	if err := b.queue.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.offer("another", other)
	err := <-b.employ(t.Context(), "p", 1, Options{})
	if !errors.Is(err, job.ErrBuild) || !strings.Contains(err.Error(), `build "v0.0.1"`) ||
		!strings.Contains(err.Error(), job.Build()) {
		t.Errorf("%v, want ErrBuild, with both builds", err)
	}
	b.queue = b.offer(b.job.ID().String(), b.job.Description())
	stray := b.job.Task(job.Want{Index: 1})
	stray.Build = "v0.0.2"
	b.enqueue(b.job.Task(job.Want{Index: 0}))
	done := b.employ(t.Context(), "p", 1, Options{})
	b.results(1)
	b.enqueue(stray)
	if err := <-done; !errors.Is(err, job.ErrBuild) || !strings.Contains(err.Error(), "v0.0.2") {
		t.Errorf("%v, want the stray task refused", err)
	}
}

// TestNextJob has a worker go from a job that has no tasks to one that has.
func TestNextJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.queue
	b.enqueue(b.job.Task(job.Want{Index: 0}))
	ctx, leave := context.WithCancel(t.Context())
	done := b.employ(ctx, "p", 2, Options{})
	b.results(1)
	b.queue = b.offer("second", b.job.Description())
	b.enqueue(b.job.Task(job.Want{Index: 1}))
	if r := b.results(1)[0]; r.Index != 1 {
		t.Errorf("task %d, want 1", r.Index)
	}
	if err := errors.Join(first.Remove(t.Context()), b.queue.Remove(t.Context())); err != nil {
		t.Fatal(err)
	}
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFailureOf(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("%w: for a reason", err) }
	for _, cause := range []error{broker.ErrBroker, wrapped(broker.ErrBroker), wrapped(broker.ErrAuthorization)} {
		if err := failureOf(cause); err != cause {
			t.Errorf("%v: %v", cause, err)
		}
	}
	for _, cause := range []error{nil, context.Canceled, context.DeadlineExceeded} {
		if err := failureOf(cause); err != nil {
			t.Errorf("%v: %v", cause, err)
		}
	}
}

// TestTimesWithoutTask has a worker that is to leave after 10 s without a task, and after 5 s of these without an
// answer.
func TestTimesWithoutTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{Options: Options{Idle: 10 * time.Second, Patience: 5 * time.Second}, rested: time.Now(),
			heard: time.Now()}
		after := func(d time.Duration, answered, over bool) {
			t.Helper()
			time.Sleep(d)
			if answered {
				w.heard = time.Now()
			}
			if w.isOver() != over {
				t.Errorf("after %v without a task, %v without an answer: over %v", w.idle(), w.absent(), !over)
			}
		}
		after(4*time.Second, false, false)
		after(time.Second, false, true)
		after(4*time.Second, true, false)
		w.note(1)
		after(time.Minute, false, false)
		w.note(-1)
		after(4*time.Second, true, false)
		after(4*time.Second, true, false)
		after(2*time.Second, true, true)
	})
}

// TestThread has a thread take as many tasks as take 20 ms, keep spare ones, and report how often a task was given out.
func TestThread(t *testing.T) {
	w := &worker{Options: Options{Name: "p", Threads: 1}}
	for each, want := range map[time.Duration][2]time.Duration{ // tasks at a time, pause of a task for others
		0:                     {1, 5 * time.Millisecond},
		time.Microsecond:      {maxBatch, 5 * time.Millisecond},
		time.Millisecond:      {20, 5 * time.Millisecond},
		20 * time.Millisecond: {1, 20 * time.Millisecond},
		time.Minute:           {1, 10 * time.Second},
	} {
		thread := &thread{worker: w, each: each}
		if limit, pause := thread.limit(), thread.othersPause(); limit != int(want[0]) || pause != want[1] {
			t.Errorf("tasks of %v: %d at a time, returned for %v", each, limit, pause)
		}
	}
	for i := range maxBatch + 1 {
		if w.offer(spare{task: &job.Task{}}) != (i < maxBatch) {
			t.Errorf("spare task %d", i)
		}
	}
	counter := counterFunc(func(context.Context, *job.Task) (*job.Result,
		error) {
		return &job.Result{Method: perft.Plain}, nil
	})
	counting := &thread{worker: w, name: "p/1", counter: counter}
	for _, avoid := range [][]string{nil, {"q/1"}} {
		task := job.Task{Avoid: avoid, Build: job.Build()}
		m, err := counting.countOne(t.Context(), &broker.Lease{Message: broker.Message{Data: task.Append(nil),
			Deliveries: 3}})
		if want := 3 * (1 - len(avoid)); err != nil || m.Deliveries != want {
			t.Errorf("avoiding %q: %v, %d deliveries, want %d", avoid, err, m.Deliveries, want)
		}
	}
}
