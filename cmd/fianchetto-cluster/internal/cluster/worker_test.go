package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// bench is a cluster with the queue of a run.
type bench struct {
	*cluster
	streams *broker.Run
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{cluster: newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 4}, "")}
	b.openRun(time.Second)
	return b
}

func (b *bench) openRun(lease time.Duration) {
	b.Helper()
	b.streams = must.Get(b.broker.OpenRun(b.Context(), b.job.ID, job.Build(), lease))(b.T)
}

// give queues the tasks first..end-1 in messages of some, for all but the owners to avoid.
func (b *bench) give(first, end, bundle int, avoid ...string) {
	for ; first < end; first += bundle {
		var text []byte
		for i := range bundle {
			text = append(text, job.Line(b.job.Task(job.Want{Index: first + i, Avoid: avoid}))...)
		}
		b.streams.Give(first, 0, 0, text)
	}
}

// wait has a process count until ctx ends, and returns its error.
func (b *bench) wait(ctx context.Context, o Options) error {
	o.Announce, o.Name, o.Threads = b.notice, cmp.Or(o.Name, "w"), cmp.Or(o.Threads, 1)
	return Work(ctx, b.broker, b.complete(o))
}

// stored returns the tasks with stored results, sorted.
func (b *bench) stored() (tasks []int) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	for message := range b.streams.Results(ctx) {
		for line := range bytes.Lines(message.Data) {
			var r job.Result
			must.Do(b.T, job.Read(line, &r))
			tasks = append(tasks, r.Index)
		}
		if message.Last {
			break
		}
	}
	slices.Sort(tasks)
	return tasks
}

// await waits until so many tasks are in the queue, and so many results are stored.
func (b *bench) await(queued, stored int) {
	b.Helper()
	for deadline := time.Now().Add(generous); ; time.Sleep(5 * time.Millisecond) {
		names, results := must.Get(b.streams.Look(b.Context()))(b.T).Names, b.stored()
		if len(names) == queued && len(results) == stored {
			return
		}
		if time.Now().After(deadline) {
			b.Fatalf("%d tasks in the queue, want %d, and %d results, want %d", len(names), queued, len(results), stored)
		}
	}
}

// TestIdle counts all tasks, of which several come together, and leaves after a while without one.
func TestIdle(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.give(0, 50, 1)
	b.give(50, 100, 25)
	must.Do(t, b.wait(t.Context(), Options{Threads: 2, Idle: 300 * time.Millisecond}))
	tasks := b.stored()
	if len(tasks) != 100 || len(slices.Compact(tasks)) != 100 {
		t.Errorf("%d results", len(tasks))
	}
	b.await(0, 100)
	if !slices.Equal(b.notices, []string{"counted 100 tasks; stopped because no task came for 300ms"}) {
		t.Errorf("said %q", b.notices)
	}
}

// TestLeaving interrupts a worker: it stores what it has counted, and the rest goes to another at
// once, though the lease is long.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.openRun(time.Hour)
	b.give(0, 100, 20)
	ctx, leave := context.WithCancel(t.Context())
	n := 0
	count := func(ctx context.Context, name string, task *job.Task) (*job.Result, error) {
		if n++; n == 30 {
			leave()
			return nil, ctx.Err()
		}
		return b.counter.Count(ctx, name, task)
	}
	must.Do(t, b.wait(ctx, Options{Name: "leaver", Count: count}))
	b.await(4, 29) // whole messages go back
	must.Do(t, b.wait(t.Context(), Options{Name: "other", Idle: time.Second}))
	if tasks := b.stored(); len(tasks) != 20+9+80 || len(slices.Compact(tasks)) != 100 {
		t.Errorf("%d results", len(tasks))
	}
}

// TestAvoid has a worker report a task that is damaged, return the tasks that it must not count,
// and another count them.
func TestAvoid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.streams.Give(20, 0, 0, []byte("task\n"))
	b.give(0, 10, 5, "one/1")
	b.give(10, 20, 1)
	must.Do(t, b.wait(t.Context(), Options{Name: "one", Idle: 500 * time.Millisecond}))
	if tasks := b.stored(); len(tasks) != 10 || tasks[0] != 10 || !strings.HasPrefix(b.notices[0], "a task is damaged: ") {
		t.Errorf("one counted %v, want 10 to 19, and said %q", tasks, b.notices)
	}
	must.Do(t, b.wait(t.Context(), Options{Name: "two", Idle: 3 * time.Second}))
	if tasks := b.stored(); len(tasks) != 20 {
		t.Errorf("both counted %v", tasks)
	}
	b.await(0, 20)
}

// TestLostAnswer has the broker go just when a worker answers a message, and come back: the worker
// goes on.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	b, lost := newBench(t), make(chan string, 10)
	o := b.joining("")
	o.Notice = func(text string) { lost <- text }
	remote := must.Get(broker.Open(t.Context(), o))(t)
	t.Cleanup(remote.Close)
	b.streams.Give(0, 0, 0, []byte("damaged\n"))
	notice := func(string) {
		b.broker.Close()
		<-lost
		b.open(strings.TrimPrefix(o.Connect, "nats://"), "")
		b.openRun(time.Second)
		b.give(0, 5, 1)
	}
	must.Do(t, Work(t.Context(), remote, Options{Name: "w", Threads: 1, Count: b.counter.Count, Idle: 3 * time.Second,
		Notice: notice}))
	b.await(0, 5)
}

// TestFailedCount ends the worker with the error of a count, and its tasks go back.
func TestFailedCount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.give(0, 3, 3)
	failure := errors.New("no memory")
	err := b.wait(t.Context(), Options{Count: func(context.Context, string, *job.Task) (*job.Result, error) {
		return nil, failure
	}})
	if !errors.Is(err, failure) || b.notices[0] != "counted 0 tasks; stopped because no memory" {
		t.Errorf("%v, said %q", err, b.notices)
	}
	must.Do(t, b.wait(t.Context(), Options{Idle: 500 * time.Millisecond}))
	if tasks := b.stored(); len(tasks) != 3 {
		t.Errorf("counted %v", tasks)
	}
}

// TestEnds has a run end and another begin: the worker says so, and works for both. Then the broker
// ends.
func TestEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ended := make(chan error, 1)
	go func() { ended <- b.wait(t.Context(), Options{}) }()
	b.give(0, 5, 1)
	b.await(0, 5)
	time.Sleep(time.Second)
	b.streams.Close(t.Context())
	for !b.noticed("waiting for a run: the broker has none of this build") || !b.noticed("the run has ended") {
		time.Sleep(time.Millisecond)
	}
	b.openRun(time.Second)
	b.give(5, 9, 2)
	b.await(0, 9)
	for must.Get(b.streams.Look(t.Context()))(t).Asking == 0 {
		time.Sleep(time.Millisecond)
	}
	b.streams.Close(t.Context())
	time.Sleep(time.Second)
	b.broker.Close()
	if err := <-ended; err != nil || !b.noticed("counted 9 tasks; stopped because the run has ended") {
		t.Errorf("%v, said %q", err, b.notices)
	}
}
