package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// bench is a broker with a job, whose coordinator is the test.
type bench struct {
	t        *testing.T
	broker   *broker.Broker
	worker   *broker.Broker // by which workers are connected
	job      *job.Job
	offer    *broker.Offer
	tasks    chan *job.Task // that wait
	results  chan *job.Result
	parted   chan bool  // processes that have left
	beats    chan []int // the tasks that heartbeats name
	ended    atomic.Bool
	damaged  atomic.Bool  // a damaged task comes next
	deafness atomic.Int64 // how many reports are lost
}

func newBench(t *testing.T) *bench {
	t.Helper()
	spec := job.Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 100}
	j := must.Get(job.New(t.Context(), spec, nil))(t)
	b := must.Get(broker.Open(t.Context(), broker.Options{Listen: "127.0.0.1:0",
		Credentials: []broker.Credential{{Token: "token"}}}))(t)
	t.Cleanup(b.Close)
	w := &bench{t: t, broker: b, worker: b, job: j}
	w.coordinate(j.ID.String(), j.Description)
	return w
}

// coordinate offers a job that is described so.
func (b *bench) coordinate(name string, d job.Description) {
	b.t.Helper()
	about := job.Line(&d)
	tasks, results, parted := make(chan *job.Task, 100), make(chan *job.Result, 100), make(chan bool, 10)
	b.tasks, b.results, b.parted = tasks, results, parted
	b.beats = make(chan []int, 1000)
	describe := func() broker.Job {
		return broker.Job{Name: name, About: string(about), Lease: time.Second, Tasks: len(tasks) > 0}
	}
	offer := must.Get(b.broker.Offer(b.t.Context(), describe))(b.t)
	b.offer = offer
	answer := func(r *broker.Request) {
		offer.Done(r)
		switch r.Kind {
		case broker.Take:
			var answer []byte
			switch {
			case b.ended.Load():
				answer = []byte(Ended)
			case b.damaged.Swap(false):
				answer = []byte("task 3 ?")
			case len(tasks) > 0:
				answer = job.Line(<-tasks)
			}
			if len(answer) == 0 { // as one that has the worker wait
				time.AfterFunc(10*time.Millisecond, func() { r.Answer(nil) })
				return
			}
			r.Answer(answer)
		case broker.Report:
			if b.deafness.Add(-1) >= 0 {
				return
			}
			result := new(job.Result)
			if err := job.Receive(r.Data, result); err != nil {
				b.t.Error(err)
			}
			results <- result
			r.Answer(nil)
		case broker.Heartbeat:
			var h Heartbeat
			if json.Unmarshal(r.Data, &h) == nil && h.Threads == 0 {
				parted <- true
			}
			b.beats <- h.Tasks
		}
	}
	go func() {
		for {
			select {
			case r := <-offer.Requests:
				answer(r)
			case <-b.t.Context().Done():
				return
			}
		}
	}()
}

// employ has a process of some threads work, and returns its error when it is done.
func (b *bench) employ(ctx context.Context, name string, threads int, o Options) <-chan error {
	o.Name, o.Threads = name, threads
	if o.Notice == nil {
		o.Notice = func(text string) { b.t.Log(text) }
	}
	if o.Count == nil {
		o.Count = must.Get(job.NewCounter(perft.Auto, 0))(b.t).Count
	}
	done := make(chan error, 1)
	go func() { done <- Run(ctx, b.worker, o) }()
	return done
}

// TestLeaving has a worker leave in the middle of a task, which its heartbeats have named, and its
// process end: it has reported that it leaves.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tasks <- b.job.Task(job.Want{})
	b.worker = must.Get(broker.Open(t.Context(), broker.Options{Connect: b.broker.Address(), Worker: true,
		Credentials: []broker.Credential{{Token: "token"}}}))(t)
	begun := make(chan bool, 1)
	ctx, leave := context.WithCancel(t.Context())
	done := b.employ(ctx, "p", 1, Options{Count: func(ctx context.Context, _ string, _ *job.Task) (*job.Result, error) {
		begun <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	<-begun
	for tasks := range b.beats {
		if slices.Equal(tasks, []int{0}) {
			break
		}
	}
	leave()
	err := <-done
	if b.worker.Close(); err != nil || !<-b.parted {
		t.Error(err)
	}
}

// TestEnds has a worker wait for a task as long as it is to, a run end, and a broker close the
// connection for good: the last is an error, unless the run has ended.
func TestEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := <-b.employ(t.Context(), "p", 1, Options{Idle: 10 * time.Millisecond}); err != nil {
		t.Errorf("without a task: %v", err)
	}
	for _, ended := range []bool{false, true} {
		b := newBench(t)
		b.tasks <- b.job.Task(job.Want{})
		notices := make(chan string, 100)
		done := b.employ(t.Context(), "q", 2, Options{Notice: func(text string) { notices <- text }})
		<-b.results
		if ended {
			b.ended.Store(true)
			if text := <-notices; text != Ended {
				t.Errorf("notice %q, want %q", text, Ended)
			}
		}
		b.broker.Close()
		if err := <-done; errors.Is(err, broker.ErrBroker) == ended {
			t.Errorf("%v after the end of the broker, the run has ended: %v", err, ended)
		}
	}
}

// TestDamagedTask counts the task that comes after a damaged one.
func TestDamagedTask(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.damaged.Store(true)
	b.tasks <- b.job.Task(job.Want{Index: 1})
	notices := make(chan string, 10)
	b.employ(t.Context(), "p", 1, Options{Notice: func(text string) { notices <- text }})
	if r := <-b.results; r.Index != 1 {
		t.Errorf("result of task %d", r.Index)
	}
	if text := <-notices; !strings.HasPrefix(text, "a task is damaged: ") {
		t.Errorf("notice %q", text)
	}
}

// TestLostAnswer reports a result again whose report was not answered.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("an answer must not come for seconds")
	}
	b := newBench(t)
	b.deafness.Store(1)
	b.tasks <- b.job.Task(job.Want{Index: 2})
	b.employ(t.Context(), "p", 1, Options{})
	if r := <-b.results; r.Index != 2 || r.Worker != "p/1" {
		t.Errorf("result of task %d by %s", r.Index, r.Worker)
	}
}

func TestFailedCountEndsTheWorker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tasks <- b.job.Task(job.Want{})
	failure := errors.New("cannot count")
	done := b.employ(t.Context(), "p", 2, Options{
		Count: func(context.Context, string, *job.Task) (*job.Result, error) { return nil, failure },
	})
	if err := <-done; !errors.Is(err, failure) {
		t.Errorf("%v, want that it cannot count", err)
	}
}

// TestOtherBuilds offers jobs of other builds: alone they are refused, beside one of this build
// they are let be.
func TestOtherBuilds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.job.Description
	other.Build = "v0.0.1"
	b.offer.Close()
	b.coordinate("another", other)
	err := <-b.employ(t.Context(), "p", 1, Options{})
	if !errors.Is(err, job.ErrBuild) || !strings.Contains(err.Error(), `build "v0.0.1"`) ||
		!strings.Contains(err.Error(), job.Build()) {
		t.Errorf("%v, want ErrBuild, with both builds", err)
	}
	b.coordinate(b.job.ID.String(), b.job.Description)
	stray := b.job.Task(job.Want{Index: 1})
	stray.Build = "v0.0.2"
	b.tasks <- b.job.Task(job.Want{Index: 0})
	done := b.employ(t.Context(), "p", 1, Options{})
	<-b.results
	b.tasks <- stray
	if err := <-done; !errors.Is(err, job.ErrBuild) || !strings.Contains(err.Error(), "v0.0.2") {
		t.Errorf("%v, want the stray task refused", err)
	}
}

// TestNextJob has a worker go from a job that has no tasks to one that has.
func TestNextJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tasks <- b.job.Task(job.Want{Index: 0})
	ctx, leave := context.WithCancel(t.Context())
	done := b.employ(ctx, "p", 2, Options{})
	<-b.results
	b.coordinate("second", b.job.Description)
	b.tasks <- b.job.Task(job.Want{Index: 1})
	if r := <-b.results; r.Index != 1 {
		t.Errorf("task %d, want 1", r.Index)
	}
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestIdle has a worker that is to leave after 10 s without a task.
func TestIdle(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(w *worker)
		ends time.Duration
	}{
		{"no task", func(*worker) {}, 10 * time.Second},
		{"a task", func(w *worker) {
			w.hold(1, true)
			time.Sleep(time.Minute)
			w.hold(1, false)
		}, time.Minute + 10*time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &worker{Options: Options{Idle: 10 * time.Second}, held: make(map[int]bool), rested: time.Now()}
			ctx, end := context.WithCancelCause(t.Context())
			begun := time.Now()
			go w.endIdle(ctx, end)
			go test.do(w)
			<-ctx.Done()
			took := time.Since(begun)
			if err := context.Cause(ctx); err != errIdle || took < test.ends || took > test.ends+retryPause/5 {
				t.Errorf("%s: ended after %v by %v, want %v", test.name, took, err, test.ends)
			}
			time.Sleep(time.Minute)
		})
	}
}

// TestBeats holds that two heartbeats may be lost, and that they come every three seconds at least.
func TestBeats(t *testing.T) {
	for lease, want := range map[time.Duration]time.Duration{300 * time.Millisecond: 100 * time.Millisecond,
		3 * time.Second: time.Second, time.Minute: heartbeatPause} {
		if pause := beatPause(lease); pause != want {
			t.Errorf("lease %v: a heartbeat every %v, want %v", lease, pause, want)
		}
	}
}

// TestNoticeOnce gives each notice once.
func TestNoticeOnce(t *testing.T) {
	var given []string
	w := &worker{Options: Options{Notice: func(text string) { given = append(given, text) }}, given: make(map[string]bool)}
	for _, text := range []string{"a", "b", "a"} {
		w.noticeOnce(text)
	}
	if !slices.Equal(given, []string{"a", "b"}) {
		t.Errorf("notices %q", given)
	}
}
