// Package worker counts the tasks of runs, one on each thread.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Counter counts a task for a named thread, like job.Counter. All threads share it.
type Counter func(ctx context.Context, thread string, t *job.Task) (*job.Result, error)

// Options control Run.
type Options struct {
	Name    string            // unique name of this process
	Alone   bool              // no other process can count
	Threads int               // 1 or more
	Count   Counter           // counts a task
	Idle    time.Duration     // how long to stay without a task; 0 means forever
	Notice  func(text string) // called with problems that do not end the work

	// Announce, unless nil, is called with what the worker waits for, and at the end with the number
	// of its tasks and the reason.
	Announce func(text string)
}

// Here says that a process is there, as JSON. The coordinators answer with a Welcome.
type Here struct {
	Name        string `json:"name"`
	Threads     int    `json:"threads"`     // 0 if the process leaves
	Redelivered int    `json:"redelivered"` // the tasks that it got after another worker
}

// Welcome is the answer of a coordinator, as JSON.
type Welcome struct {
	Build string        `json:"build"`
	Lease time.Duration `json:"lease_ns"` // the silence after which a worker's tasks go to others
}

// worker is a process of workers.
type worker struct {
	Options
	broker      *broker.Broker
	end         context.CancelCauseFunc
	done        atomic.Int64 // the tasks counted
	redelivered atomic.Int64
	lease       atomic.Int64 // of the run, in nanoseconds
	ended       atomic.Bool  // the last run has ended, perhaps with its broker

	mutex  sync.Mutex // guards the fields below
	held   map[*broker.Task]bool
	rested time.Time // when it last counted a task
	said   string    // the last announcement since then
}

const (
	retryPause = 250 * time.Millisecond // before something is tried again
	quietTime  = 500 * time.Millisecond // without a run, before an announcement
	beats      = 3                      // the heartbeats in a lease, of which two may be lost
	firstLease = 3 * time.Second        // before a coordinator has answered
)

// errIdle ends a worker without tasks.
var errIdle = errors.New("no task")

// Run counts until ctx ends or Options.Idle has passed without a task, and then returns nil. The
// tasks that it has not counted go back. It returns job.ErrBuild if the run is of another build, and
// the errors of the broker and of counting. After a run that has ended, the end of the broker is no
// error.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // before the executable may be replaced
	ctx, end := b.Bind(ctx)
	defer end(nil)
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	w := &worker{Options: o, broker: b, end: end, held: make(map[*broker.Task]bool), rested: time.Now()}
	w.lease.Store(int64(firstLease))
	err := w.work(ctx)
	why := "it was interrupted"
	switch cause := context.Cause(ctx); {
	case err != nil:
		why = err.Error()
	case errors.Is(cause, broker.ErrBroker) && w.ended.Load():
		why = "the run has ended"
	case errors.Is(cause, errIdle):
		why = fmt.Sprintf("no task came for %v", w.Idle)
	case errors.Is(cause, broker.ErrAuthorization), errors.Is(cause, broker.ErrBroker), errors.Is(cause, job.ErrBuild):
		err, why = cause, cause.Error()
	}
	w.announce(fmt.Sprintf("counted %s; stopped because %s", format.Things(int(w.done.Load()), "task"), why))
	return err
}

// work counts on all threads until ctx ends or one fails.
func (w *worker) work(ctx context.Context) error {
	threads, ctx := errgroup.WithContext(ctx)
	background, stop := context.WithCancel(context.WithoutCancel(ctx)) // results are reported after ctx
	var beating sync.WaitGroup
	beating.Go(func() { w.beat(background) })
	for i := range w.Threads {
		t := &thread{worker: w, name: ThreadName(w.Name, i)}
		threads.Go(func() error { return t.work(ctx) })
	}
	if w.Idle > 0 {
		go w.endIdle(ctx)
	}
	err := threads.Wait()
	stop()
	beating.Wait()
	return err
}

// beat renews the leases until ctx ends, and then says that the process leaves.
func (w *worker) beat(ctx context.Context) {
	say := func(threads int) {
		text, _ := json.Marshal(Here{w.Name, threads, int(w.redelivered.Load())})
		w.broker.Here(text, w.hear)
	}
	for ctx.Err() == nil {
		say(w.Threads)
		w.mutex.Lock()
		for t := range w.held {
			t.Keep()
		}
		w.mutex.Unlock()
		broker.Pause(ctx, time.Duration(w.lease.Load())/beats)
	}
	say(0)
}

// hear takes the answer of a coordinator.
func (w *worker) hear(answer []byte) {
	var welcome Welcome
	switch err := json.Unmarshal(answer, &welcome); {
	case err != nil:
	case welcome.Build == job.Build():
		w.lease.Store(max(1, int64(welcome.Lease)))
	case w.done.Load() == 0 && w.idle() > quietTime:
		w.end(fmt.Errorf("%w: the run is of build %.64q, this is build %q", job.ErrBuild, welcome.Build, job.Build()))
	}
}

// idle returns how long the worker has had no task, 0 if it has one.
func (w *worker) idle() time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.held) > 0 {
		return 0
	}
	return time.Since(w.rested)
}

// endIdle ends the work after Options.Idle.
func (w *worker) endIdle(ctx context.Context) {
	for ctx.Err() == nil && w.idle() < w.Idle {
		broker.Pause(ctx, retryPause/5)
	}
	w.end(errIdle)
}

// explain announces why a worker gets no task.
func (w *worker) explain(err error) {
	switch {
	case errors.Is(err, broker.ErrGone):
		w.ended.Store(true)
		w.broker.Expect() // the broker may end with the run
		w.announce("the run has ended")
	case w.idle() < quietTime:
	case errors.Is(err, broker.ErrNone):
		w.announce("waiting for a run: the broker has none of this build")
	case !w.ended.Load():
		w.announce("waiting for the broker: " + err.Error())
	}
}

// announce announces what was not announced just before.
func (w *worker) announce(text string) {
	w.mutex.Lock()
	news := w.said != text
	w.said = text
	w.mutex.Unlock()
	if news && w.Announce != nil {
		w.Announce(text)
	}
}

// hold records that a thread has tasks, or has them no longer.
func (w *worker) hold(have bool, tasks ...*broker.Task) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, t := range tasks {
		if w.held[t] = true; !have {
			delete(w.held, t)
		}
	}
	if have {
		w.said = ""
		w.ended.Store(false)
	}
}

// Process returns the process name of a thread name.
func Process(thread string) string {
	process, _, _ := strings.Cut(thread, "/")
	return process
}

// ThreadName returns the name of the i-th thread of a process, as in results.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

// thread counts one task after the other.
type thread struct {
	*worker
	name string
}

const (
	mostTaken = 64                    // the most tasks that a thread takes together
	shortTime = 20 * time.Millisecond // in which it should count them
	leaveTime = 20 * time.Millisecond // before a task that this thread must not count goes to another
	longLeave = 2 * time.Second       // the same, after many attempts
)

// work counts until ctx ends. It takes several short tasks together.
func (t *thread) work(ctx context.Context) error {
	line, err := t.broker.Line(job.Build())
	if err != nil {
		return err
	}
	defer line.Close()
	for n := 1; ctx.Err() == nil; {
		tasks, err := line.Take(ctx, n)
		if err != nil && ctx.Err() == nil {
			t.explain(err)
			broker.Pause(ctx, retryPause)
		}
		if len(tasks) == 0 {
			continue
		}
		begun := time.Now()
		if err := t.countAll(ctx, tasks); err != nil {
			return err
		}
		if n = max(1, n/2); time.Since(begun) < shortTime {
			n = min(4*n, mostTaken)
		}
	}
	return nil
}

// countAll counts tasks, and acknowledges them when their results are stored, together if they fit
// into a message, because each message costs the broker an fsync. When ctx ends, the others go back.
func (t *thread) countAll(ctx context.Context, tasks []*broker.Task) (err error) {
	var g group
	t.hold(true, tasks...)
	for _, task := range tasks {
		var result *job.Result
		if ctx.Err() != nil || err != nil {
			task.Return(0)
		} else {
			result, err = t.count(ctx, task)
		}
		if result == nil {
			t.hold(false, task)
			continue
		}
		if len(g.tasks) == 0 {
			g.run, g.first = result.Job, result.Index
		}
		g.tasks, g.results = append(g.tasks, task), append(g.results, job.Line(result)...)
		if len(g.results) >= mostTogether {
			t.report(ctx, &g)
		}
	}
	t.report(ctx, &g)
	return err
}

// group is counted tasks whose results go to the broker together.
type group struct {
	run     job.ID
	first   int // the index of the first task
	tasks   []*broker.Task
	results []byte
}

// mostTogether is the number of bytes from which results go to the broker. With one result more they
// are below its limit for a message.
const mostTogether = 200 << 10

// partingTime is how long a leaving worker tries to report a result.
const partingTime = 2 * time.Second

// report stores the results of a group, acknowledges its tasks and empties it.
func (t *thread) report(ctx context.Context, g *group) {
	if len(g.tasks) == 0 {
		return
	}
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	if err := t.broker.Report(limited, g.run.String(), g.first, Process(t.name), g.results); err != nil {
		t.Notice(fmt.Sprintf("could not report a result, so that its task will be counted again: %v", err))
	} else {
		for _, task := range g.tasks {
			task.Done()
		}
		t.done.Add(int64(len(g.tasks)))
	}
	t.mutex.Lock()
	t.rested = time.Now()
	t.mutex.Unlock()
	t.hold(false, g.tasks...)
	*g = group{}
}

// count counts a task. There is no result if the task must go to another worker. Its error is that of
// the count.
func (t *thread) count(ctx context.Context, given *broker.Task) (*job.Result, error) {
	task := new(job.Task)
	if err := job.Receive(given.Data, task); err != nil {
		t.Notice("a task is damaged: " + err.Error())
		given.Done() // the coordinator queues it again
		return nil, nil
	}
	deliveries := given.Deliveries()
	if task.Avoids(t.name) {
		given.Return(min(time.Duration(deliveries)*leaveTime, longLeave))
		return nil, nil
	}
	if deliveries > 1 && len(task.Avoid) == 0 {
		t.redelivered.Add(1)
	}
	result, err := t.Count(ctx, t.name, task)
	if err != nil {
		given.Return(0)
		if ctx.Err() != nil {
			err = nil
		}
		return nil, err
	}
	result.Alone = t.Alone
	return result, nil
}
