package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// Here says that a process is there, as JSON.
type Here struct {
	Name        string `json:"name"`
	Threads     int    `json:"threads"`     // 0 if the process leaves
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
	done        atomic.Int64
	redelivered atomic.Int64

	mutex sync.Mutex  // guards the fields below
	busy  int         // the threads with tasks
	idle  *time.Timer // ends the worker, unless it is busy
	ended bool        // the last run has ended
	said  string      // the last announcement after that
}

const (
	pause      = 250 * time.Millisecond
	quietTries = 3
	hereTime   = 2 * time.Second // between two messages that the process is there
	beats      = 3               // in a lease, of which two may be lost
	leastBeat  = 10 * time.Millisecond
)

// Work counts the tasks of runs, one on each thread, until ctx ends or no task has come for
// Options.Idle. Its other tasks go back. It returns the errors of the broker, unless a run has
// ended, and of counting.
func Work(parent context.Context, b *broker.Broker, o Options) error {
	job.Build() // before the executable may be replaced
	ctx, end := b.Bind(parent)
	defer end(nil)
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	o.Idle = cmp.Or(o.Idle, math.MaxInt64)
	idle := fmt.Errorf("no task came for %v", o.Idle)
	w := &worker{Options: o, broker: b, idle: time.AfterFunc(o.Idle, func() { end(idle) })}
	defer w.idle.Stop()
	err := cmp.Or(w.work(ctx), context.Cause(ctx))
	why := err.Error()
	switch {
	case errors.Is(err, idle):
		err = nil
	case errors.Is(err, broker.ErrBroker) && w.ended:
		err, why = nil, "the run has ended"
	case parent.Err() != nil && errors.Is(err, context.Cause(parent)):
		err, why = nil, "it was interrupted"
	}
	w.announce(fmt.Sprintf("counted %s; stopped because %s", format.Things(int(w.done.Load()), "task"), why))
	return err
}

func (w *worker) work(ctx context.Context) error {
	threads, ctx := errgroup.WithContext(ctx)
	say := func(threads int) {
		text, _ := json.Marshal(Here{w.Name, threads, int(w.redelivered.Load())})
		w.broker.Here(text)
	}
	say(w.Threads)
	stop := every(hereTime, func() { say(w.Threads) })
	for i := range w.Threads {
		threads.Go(func() error { return w.count(ctx, i) })
	}
	err := threads.Wait()
	stop()
	say(0)
	w.broker.Flush() // otherwise tasks that go back may be lost on the way
	return err
}

// every calls a function now and then, until stop is called.
func every(d time.Duration, call func()) (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for broker.Pause(ctx, d); ctx.Err() == nil; broker.Pause(ctx, d) {
			call()
		}
	}()
	return stop
}

func (w *worker) hold(tasks int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.said, w.ended = "", false
	if w.busy += tasks; w.busy > 0 {
		w.idle.Stop()
	} else {
		w.idle.Reset(w.Idle)
	}
}

func (w *worker) explain(err error, tries int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case errors.Is(err, broker.ErrGone):
		w.ended = true
		w.announce("the run has ended")
	case tries < quietTries:
	case errors.Is(err, broker.ErrNone):
		w.announce("waiting for a run: the broker has none of this build")
	case !w.ended:
		w.announce("waiting for the broker: " + err.Error())
	}
}

// announce announces what was not announced just before.
func (w *worker) announce(text string) {
	if w.said != text && w.Announce != nil {
		w.Announce(text)
	}
	w.said = text
}

// An avoided task goes back after a random while, longer after many attempts. Otherwise all would go
// to the worker that is back first, which must not count them.
const (
	leaveTime = 20 * time.Millisecond
	longLeave = 2 * time.Second
)

// count counts on one thread.
func (w *worker) count(ctx context.Context, thread int) error {
	for tries := 0; ctx.Err() == nil; {
		message, err := w.broker.Take(job.Build())
		switch {
		case message != nil:
			tries = 0
			if err := w.countAll(ctx, thread, message); err != nil {
				return err
			}
		case err != nil && ctx.Err() == nil:
			tries++
			w.explain(err, tries)
			broker.Pause(ctx, pause)
		}
	}
	return nil
}

// countAll counts the tasks of a message, and stores the results together, because each message
// costs an fsync. If ctx ends, the message goes back. Of a lost answer the lease takes care.
func (w *worker) countAll(ctx context.Context, thread int, message *nats.Msg) error {
	w.hold(+1)
	defer w.hold(-1)
	about, err := message.Metadata()
	if err != nil {
		return err
	}
	var results []*job.Result
	for line := range bytes.Lines(message.Data) {
		task := new(job.Task)
		if err := job.Read(line, task); err != nil {
			w.Notice("a task is damaged: " + err.Error()) // the coordinator queues it again
			continue
		}
		name := w.nameFor(thread, task)
		if name == "" {
			_ = message.NakWithDelay(rand.N(min(time.Duration(about.NumDelivered)*leaveTime, longLeave)))
			return nil
		}
		if len(results) == 0 {
			defer every(max(task.Lease/beats, leastBeat), func() { _ = message.InProgress() })()
		}
		if about.NumDelivered > 1 && len(task.Avoid) == 0 {
			w.redelivered.Add(1)
		}
		result, failure := w.Count(ctx, name, task)
		if failure != nil {
			err = failure
			break
		}
		results = append(results, result)
	}
	stored := w.report(ctx, results)
	if err == nil && stored {
		_ = message.Ack()
		return nil
	}
	_ = message.Nak() // for another worker
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// nameFor returns a name of a thread for a task, or "" if the task must go to another worker.
func (w *worker) nameFor(thread int, task *job.Task) string {
	for ; ; thread += w.Threads {
		if name := ThreadName(w.Name, thread); !task.Avoids(name) {
			return name
		}
		if !w.Closed {
			return ""
		}
	}
}

// partingTime is how long a leaving worker tries to report.
const partingTime = 2 * time.Second

// report reports whether the results are stored.
func (w *worker) report(ctx context.Context, results []*job.Result) bool {
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	if err := Store(limited, w.broker, results); err != nil {
		w.Notice(fmt.Sprintf("could not report a result, so that its task will be counted again: %v", err))
		return false
	}
	w.done.Add(int64(len(results)))
	return true
}

// Store stores results until they are safe, those of a process together if they fit into a message.
func Store(ctx context.Context, b *broker.Broker, results []*job.Result) error {
	const most = 200 << 10 // bytes; one result more is below the broker's limit
	for len(results) > 0 {
		first, n, text := results[0], 0, []byte(nil)
		for ; n < len(results) && Process(results[n].Worker) == Process(first.Worker) && len(text) < most; n++ {
			text = append(text, job.Line(results[n])...)
		}
		if err := b.Report(ctx, first.Job, first.Index, Process(first.Worker), text); err != nil {
			return err
		}
		results = results[n:]
	}
	return nil
}
