package worker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = time.Minute

// bench is a broker with a run, and what its workers said.
type bench struct {
	*testing.T
	broker  *broker.Broker
	job     *job.Job
	run     *broker.Run
	counter *job.Counter

	mutex sync.Mutex
	said  []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	spec := job.Spec{FEN: fianchetto.StartFEN, Depth: 4, Split: 2, Batch: 4}
	b := &bench{T: t, job: must.Get(job.New(t.Context(), spec, nil))(t), counter: must.Get(job.NewCounter(perft.Plain, 0))(t)}
	b.open("127.0.0.1:0")
	return b
}

// token admits workers elsewhere.
var token = []broker.Credential{{Token: "token"}}

// open opens the broker, which listens at an address.
func (b *bench) open(address string) {
	b.Helper()
	b.broker = must.Get(broker.Open(b.Context(), broker.Options{Listen: address, Credentials: token}))(b.T)
	b.Cleanup(b.broker.Close)
	b.run = must.Get(b.broker.OpenRun(b.Context(), b.job.ID, job.Build(), time.Second))(b.T)
}

func (b *bench) say(text string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.said = append(b.said, text)
}

// give queues the tasks first..end-1 in messages of some, for all but the owners to avoid.
func (b *bench) give(first, end, bundle int, avoid ...string) {
	for ; first < end; first += bundle {
		var text []byte
		for i := range bundle {
			text = append(text, job.Line(b.job.Task(job.Want{Index: first + i, Avoid: avoid}))...)
		}
		b.run.Give(first, 0, 0, text)
	}
}

// work has a process count until ctx ends, and returns its error.
func (b *bench) work(ctx context.Context, o Options) error {
	o.Notice, o.Announce, o.Name, o.Threads = b.say, b.say, cmp.Or(o.Name, "w"), cmp.Or(o.Threads, 1)
	if o.Count == nil {
		o.Count = b.counter.Count
	}
	return Run(ctx, b.broker, o)
}

// stored returns the tasks with stored results, sorted.
func (b *bench) stored() (tasks []int) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	for message := range b.run.Results(ctx) {
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
		names, results := must.Get(b.run.Look(b.Context()))(b.T).Names, b.stored()
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
	must.Do(t, b.work(t.Context(), Options{Threads: 2, Idle: 300 * time.Millisecond}))
	tasks := b.stored()
	if len(tasks) != 100 || len(slices.Compact(tasks)) != 100 {
		t.Errorf("%d results", len(tasks))
	}
	b.await(0, 100)
	if !slices.Equal(b.said, []string{"counted 100 tasks; stopped because no task came for 300ms"}) {
		t.Errorf("said %q", b.said)
	}
}

// TestLeaving interrupts a worker: it stores what it has counted, and the rest goes to another at
// once, though the lease is long.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run = must.Get(b.broker.OpenRun(t.Context(), b.job.ID, job.Build(), time.Hour))(t)
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
	must.Do(t, b.work(ctx, Options{Name: "leaver", Count: count}))
	b.await(4, 29) // whole messages go back
	must.Do(t, b.work(t.Context(), Options{Name: "other", Idle: time.Second}))
	if tasks := b.stored(); len(tasks) != 20+9+80 || len(slices.Compact(tasks)) != 100 {
		t.Errorf("%d results", len(tasks))
	}
}

// TestAvoid has a worker report a task that is damaged, return the tasks that it must not count,
// and another count them.
func TestAvoid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run.Give(20, 0, 0, []byte("task\n"))
	b.give(0, 10, 5, "one/1")
	b.give(10, 20, 1)
	must.Do(t, b.work(t.Context(), Options{Name: "one", Idle: 500 * time.Millisecond}))
	if tasks := b.stored(); len(tasks) != 10 || tasks[0] != 10 || !strings.HasPrefix(b.said[0], "a task is damaged: ") {
		t.Errorf("one counted %v, want 10 to 19, and said %q", tasks, b.said)
	}
	must.Do(t, b.work(t.Context(), Options{Name: "two", Idle: 3 * time.Second}))
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
	address := strings.TrimPrefix(b.broker.Address(), "nats://")
	remote := must.Get(broker.Open(t.Context(), broker.Options{Connect: address, Worker: true, Credentials: token,
		Notice: func(text string) { lost <- text }}))(t)
	t.Cleanup(remote.Close)
	b.run.Give(0, 0, 0, []byte("damaged\n"))
	notice := func(string) {
		b.broker.Close()
		<-lost
		b.open(address)
		b.give(0, 5, 1)
	}
	must.Do(t, Run(t.Context(), remote, Options{Name: "w", Threads: 1, Count: b.counter.Count, Idle: 3 * time.Second,
		Notice: notice}))
	b.await(0, 5)
}

// TestFailedCount ends the worker with the error of a count, and its tasks go back.
func TestFailedCount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.give(0, 3, 3)
	failure := errors.New("no memory")
	err := b.work(t.Context(), Options{Count: func(context.Context, string, *job.Task) (*job.Result, error) {
		return nil, failure
	}})
	if !errors.Is(err, failure) || b.said[0] != "counted 0 tasks; stopped because no memory" {
		t.Errorf("%v, said %q", err, b.said)
	}
	must.Do(t, b.work(t.Context(), Options{Idle: 500 * time.Millisecond}))
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
	go func() { ended <- b.work(t.Context(), Options{}) }()
	b.give(0, 5, 1)
	b.await(0, 5)
	time.Sleep(time.Second)
	b.run.Close(t.Context())
	said := func(text string) bool {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		return slices.Contains(b.said, text)
	}
	for !said("waiting for a run: the broker has none of this build") || !said("the run has ended") {
		time.Sleep(time.Millisecond)
	}
	b.run = must.Get(b.broker.OpenRun(t.Context(), b.job.ID, job.Build(), time.Second))(t)
	b.give(5, 9, 2)
	b.await(0, 9)
	for must.Get(b.run.Look(t.Context()))(t).Asking == 0 {
		time.Sleep(time.Millisecond)
	}
	b.run.Close(t.Context())
	time.Sleep(time.Second)
	b.broker.Close()
	if err := <-ended; err != nil || !said("counted 9 tasks; stopped because the run has ended") {
		t.Errorf("%v, said %q", err, b.said)
	}
}
