// Package worker counts the tasks of runs, one on each thread.
package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Counter counts a task for a named thread.
type Counter func(ctx context.Context, thread string, t *job.Task) (*job.Result, error)

// Options control Run.
type Options struct {
	Name     string
	Threads  int // 1 or more
	Names    int // of each thread, so that a lone one can verify; 0 is 1
	Count    Counter
	Idle     time.Duration     // without a task; 0 is forever
	Notice   func(text string) // called with lesser problems
	Announce func(text string) // unless nil, called while waiting, and at the end
}

// Here says that a process is there, as JSON.
type Here struct {
	Name        string `json:"name"`
	Threads     int    `json:"threads"`     // 0 if the process leaves
	Names       int    `json:"names"`       // see Options
	Redelivered int    `json:"redelivered"` // tasks that another had before
}

// Process returns the process name of a thread name.
func Process(thread string) string {
	process, _, _ := strings.Cut(thread, "/")
	return process
}

// ThreadName returns the name of the i-th thread of a process.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

type worker struct {
	Options
	broker      *broker.Broker
	idling      *time.Timer // ends the work after Options.Idle
	done        atomic.Int64
	redelivered atomic.Int64
	lease       atomic.Int64 // of the last task, in nanoseconds

	mutex sync.Mutex    // guards the fields below
	held  [][]*nats.Msg // the tasks of each thread
	ended bool          // the last run has ended
	said  string        // the last announcement after that
}

const (
	pause      = 250 * time.Millisecond
	quietTries = 3
	beats      = 3               // in a lease, of which two may be lost
	firstLease = 3 * time.Second // before the first task
)

// errIdle ends a worker without tasks.
var errIdle = errors.New("no task")

// Run counts until ctx ends or Options.Idle has passed. Its other tasks go back. It returns the
// errors of the broker, unless a run has ended, and of counting.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // before the executable may be replaced
	ctx, end := b.Bind(ctx)
	defer end(nil)
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	w := &worker{Options: o, broker: b, held: make([][]*nats.Msg, o.Threads)}
	w.idling = time.AfterFunc(cmp.Or(o.Idle, math.MaxInt64), func() { end(errIdle) })
	w.lease.Store(int64(firstLease))
	err := w.work(ctx)
	why := "it was interrupted"
	switch cause := context.Cause(ctx); {
	case err != nil:
		why = err.Error()
	case errors.Is(cause, broker.ErrBroker) && w.ended:
		why = "the run has ended"
	case errors.Is(cause, errIdle):
		why = fmt.Sprintf("no task came for %v", w.Idle)
	case errors.Is(cause, broker.ErrAuthorization), errors.Is(cause, broker.ErrBroker):
		err, why = cause, cause.Error()
	}
	w.announce(fmt.Sprintf("counted %s; stopped because %s", format.Things(int(w.done.Load()), "task"), why))
	return err
}

func (w *worker) work(ctx context.Context) error {
	threads, ctx := errgroup.WithContext(ctx)
	background, stop := context.WithCancel(context.WithoutCancel(ctx)) // results are reported after ctx
	var beating sync.WaitGroup
	beating.Go(func() { w.beat(background) })
	for i := range w.Threads {
		threads.Go(func() error { return w.count(ctx, i) })
	}
	err := threads.Wait()
	stop()
	beating.Wait()
	return err
}

// beat renews the leases until ctx ends, and then says goodbye.
func (w *worker) beat(ctx context.Context) {
	say := func(threads int) {
		text, _ := json.Marshal(Here{w.Name, threads, w.Names, int(w.redelivered.Load())})
		w.broker.Here(text)
	}
	for ctx.Err() == nil {
		say(w.Threads)
		w.mutex.Lock()
		for _, tasks := range w.held {
			for _, t := range tasks {
				_ = t.InProgress() // which fails if the thread has answered it
			}
		}
		w.mutex.Unlock()
		broker.Pause(ctx, time.Duration(w.lease.Load())/beats)
	}
	say(0)
}

func (w *worker) hold(thread int, tasks []*nats.Msg) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held[thread] = tasks; tasks != nil {
		w.said, w.ended = "", false
		w.idling.Stop()
	} else if !slices.ContainsFunc(w.held, func(tasks []*nats.Msg) bool { return tasks != nil }) {
		w.idling.Reset(cmp.Or(w.Idle, math.MaxInt64))
	}
}

func (w *worker) explain(err error, tries int) {
	w.mutex.Lock()
	w.ended = w.ended || errors.Is(err, broker.ErrGone)
	ended := w.ended
	w.mutex.Unlock()
	switch {
	case errors.Is(err, broker.ErrGone):
		w.announce("the run has ended")
	case tries < quietTries:
	case errors.Is(err, broker.ErrNone):
		w.announce("waiting for a run: the broker has none of this build")
	case !ended:
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

const (
	mostTaken = 64                    // tasks together
	shortTime = 20 * time.Millisecond // in which it should count them
	leaveTime = 20 * time.Millisecond // before an avoided task goes to another
	longLeave = 2 * time.Second       // after many attempts
)

// count counts on one thread. It takes several short tasks together.
func (w *worker) count(ctx context.Context, thread int) error {
	line, err := w.broker.Line(job.Build())
	if err != nil {
		return err
	}
	defer line.Close()
	for n, tries := 1, 0; ctx.Err() == nil; {
		tasks, err := line.Take(ctx, n)
		if err != nil && ctx.Err() == nil {
			tries++
			w.explain(err, tries)
			broker.Pause(ctx, pause)
		}
		if len(tasks) == 0 {
			n = 1
			continue
		}
		tries = 0
		w.hold(thread, tasks)
		begun := time.Now()
		counted, err := w.countAll(ctx, thread, tasks)
		w.hold(thread, nil)
		if err != nil {
			return err
		}
		if n = max(1, n/2); time.Since(begun) < shortTime { // but avoided tasks are for others to take
			n = min(max(1, 4*counted), mostTaken)
		}
	}
	return nil
}

// countAll stores the results together, because each message costs an fsync. When ctx ends, the
// other tasks go back.
func (w *worker) countAll(ctx context.Context, thread int, tasks []*nats.Msg) (n int, err error) {
	const most = 200 << 10 // bytes; one result more is below the broker's limit
	var counted []*nats.Msg
	var first *job.Result
	var results []byte
	for i, task := range tasks {
		var result *job.Result
		if err == nil {
			result, err = w.countOne(ctx, thread, task)
		}
		if result == nil {
			_ = task.Nak() // which fails if it is answered
		} else {
			n++
			first = cmp.Or(first, result)
			counted, results = append(counted, task), append(results, job.Line(result)...)
		}
		if first != nil && (len(results) >= most || i == len(tasks)-1) {
			w.report(ctx, first, results, counted)
			counted, first, results = nil, nil, nil
		}
	}
	return n, err
}

// countOne returns no result if the task must go to another worker, or ctx has ended.
func (w *worker) countOne(ctx context.Context, thread int, given *nats.Msg) (*job.Result, error) {
	task := new(job.Task)
	if err := job.Read(given.Data, task); err != nil {
		w.Notice("a task is damaged: " + err.Error())
		return nil, given.Ack() // the coordinator queues it again
	}
	about, err := given.Metadata()
	if err != nil {
		return nil, err
	}
	name := ""
	for n := range max(1, w.Names) {
		if next := ThreadName(w.Name, thread+n*w.Threads); name == "" && !task.Avoids(next) {
			name = next
		}
	}
	if name == "" {
		return nil, given.NakWithDelay(min(time.Duration(about.NumDelivered)*leaveTime, longLeave))
	}
	if task.Lease > 0 {
		w.lease.Store(int64(task.Lease))
	}
	if about.NumDelivered > 1 && len(task.Avoid) == 0 {
		w.redelivered.Add(1)
	}
	result, err := w.Count(ctx, name, task)
	if ctx.Err() != nil {
		return result, nil
	}
	return result, err
}

// partingTime is how long a leaving worker tries to report.
const partingTime = 2 * time.Second

// report acknowledges the tasks when the results are stored.
func (w *worker) report(ctx context.Context, first *job.Result, results []byte, tasks []*nats.Msg) {
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	err := w.broker.Report(limited, first.Job, first.Index, Process(first.Worker), results)
	if err != nil {
		w.Notice(fmt.Sprintf("could not report a result, so that its task will be counted again: %v", err))
		return
	}
	for _, task := range tasks {
		_ = task.Ack() // if that is lost, the task is counted again
	}
	w.done.Add(int64(len(tasks)))
}
