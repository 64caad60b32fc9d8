// Package worker counts the tasks of jobs that coordinators offer, one on each thread.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	Job     string            // the job to work for, or "" for any
	Threads int               // 1 or more
	Count   Counter           // counts a task
	Idle    time.Duration     // how long to stay without a task; 0 means forever
	Notice  func(text string) // called with problems that do not end the work
	Parting func(text string) // unless nil, called at the end with the number of tasks and the reason
}

const (
	heartbeatPause = 3 * time.Second        // the longest time between two heartbeats
	retryPause     = 250 * time.Millisecond // before something is tried again
	restTime       = time.Second            // without a task, before the worker looks for another job
	quietTime      = 500 * time.Millisecond // without a job, before a notice
)

// worker is a process of workers.
type worker struct {
	Options
	broker *broker.Broker
	job    broker.Job      // the job that it works for
	given  map[string]bool // the notices given since the last run
	ended  atomic.Bool     // the last run has ended, perhaps with its broker

	done atomic.Int64 // the tasks whose results the coordinator has taken

	mutex  sync.Mutex   // guards the fields below
	held   map[int]bool // the indices of its tasks
	rested time.Time    // when it last had a task
}

// Run counts until ctx ends or Options.Idle has passed without a task, and then returns nil. The
// tasks that it has not counted go back. It returns job.ErrBuild or job.ErrVersion if all jobs of
// the broker are of other builds, and the errors of the broker and of counting. After a run that
// has ended, the end of the broker is no error.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // before the executable may be replaced
	ctx, end := b.Bind(ctx)
	defer end(nil)
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	w := &worker{Options: o, broker: b, given: make(map[string]bool), held: make(map[int]bool), rested: time.Now()}
	if w.Idle > 0 {
		go w.endIdle(ctx, end)
	}
	err := w.serveJobs(ctx)
	why := "it was interrupted"
	switch cause := context.Cause(ctx); {
	case err != nil:
		why = err.Error()
	case errors.Is(cause, broker.ErrAuthorization), errors.Is(cause, broker.ErrBroker) && !w.ended.Load():
		err, why = cause, cause.Error()
	case errors.Is(cause, broker.ErrBroker):
		why = Ended
	case errors.Is(cause, errIdle):
		why = fmt.Sprintf("no task came for %v", w.Idle)
	}
	if w.Parting != nil {
		w.Parting(fmt.Sprintf("counted %s; stopped because %s", format.Things(int(w.done.Load()), "task"), why))
	}
	return err
}

// errIdle ends a worker without tasks.
var errIdle = errors.New("no task")

// serveJobs works for one job after the other until ctx ends.
func (w *worker) serveJobs(ctx context.Context) error {
	for ctx.Err() == nil {
		var err error
		w.job, err = w.find(ctx)
		w.announce(err)
		if err == nil && w.job.Name != "" {
			err = w.serve(ctx)
		}
		if errors.Is(err, errEnded) {
			w.ended.Store(true)
			w.Notice(Ended)
			w.given, err = make(map[string]bool), nil
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, broker.ErrGone) && !errors.Is(err, broker.ErrBroker) {
			return err
		}
		Pause(ctx, retryPause)
	}
	return nil
}

// endIdle ends the work after Options.Idle.
func (w *worker) endIdle(ctx context.Context, end context.CancelCauseFunc) {
	for ctx.Err() == nil && w.idle() < w.Idle {
		Pause(ctx, retryPause/5)
	}
	end(errIdle)
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

// announce says once why a worker without a job waits.
func (w *worker) announce(err error) {
	text := ""
	switch {
	case w.idle() < quietTime:
	case err == nil && w.job.Name == "":
		text = "waiting for a run: the broker has none"
	case errors.Is(err, broker.ErrBroker) && w.ended.Load():
		text = "waiting for the next run and its broker"
	case errors.Is(err, broker.ErrBroker):
		text = "waiting for the broker: " + err.Error()
	}
	w.noticeOnce(text)
}

// noticeOnce gives a notice that was not given before.
func (w *worker) noticeOnce(text string) {
	if text != "" && !w.given[text] {
		w.given[text] = true
		w.Notice(text)
	}
}

// Pause waits until the time has passed or ctx has ended.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// hold records that a thread has a task, or has it no longer.
func (w *worker) hold(index int, have bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held[index] = true; !have {
		delete(w.held, index)
	}
	w.rested = time.Now()
	w.ended.Store(false)
}

// find returns a job of this build, if possible one with tasks, or no job. It returns job.ErrBuild
// or job.ErrVersion if all jobs are of other builds.
func (w *worker) find(ctx context.Context) (found broker.Job, err error) {
	jobs, err := w.broker.Jobs(ctx)
	if err != nil {
		return found, err
	}
	for _, j := range jobs {
		if w.Job != "" && j.Name != w.Job {
			continue
		}
		if refusal := job.Receive([]byte(j.About), new(job.Description)); refusal != nil {
			err = refusal
			w.noticeOnce(refusal.Error())
		} else if found.Name == "" || j.Tasks && !found.Tasks {
			found = j
		}
	}
	if found.Name != "" {
		err = nil
	}
	return found, err
}

// serve counts the tasks of a job until ctx ends, or it has no tasks and another job has some. It
// returns errEnded if the job has ended.
func (w *worker) serve(ctx context.Context) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	ctx, leave := context.WithCancel(ctx)
	threads, ctx := errgroup.WithContext(ctx)
	var others sync.WaitGroup
	others.Go(func() { w.sendHeartbeats(background) })
	others.Go(func() {
		w.awaitEnd(background)
		leave()
	})
	for i := range w.Threads {
		t := &thread{worker: w, name: ThreadName(w.Name, i)}
		threads.Go(func() error { return t.work(ctx) })
	}
	err := threads.Wait()
	stop()
	others.Wait()
	return err
}

// awaitEnd waits until the worker should leave a job without tasks, or ctx has ended.
func (w *worker) awaitEnd(ctx context.Context) {
	for Pause(ctx, restTime); ctx.Err() == nil; Pause(ctx, restTime) {
		if w.idle() < restTime {
			continue
		}
		other, err := w.find(ctx)
		if err == nil && (other.Name == "" || other.Name != w.job.Name && other.Tasks) {
			return
		}
	}
}

// beats is the number of heartbeats in a lease, of which two may be lost.
const beats = 3

// beatPause returns the time between two heartbeats.
func beatPause(lease time.Duration) time.Duration { return min(heartbeatPause, lease/beats) }

// sendHeartbeats sends heartbeats until ctx ends, and then one that says that the process leaves.
func (w *worker) sendHeartbeats(ctx context.Context) {
	send := func(threads int) {
		w.mutex.Lock()
		text, _ := json.Marshal(Heartbeat{w.Name, threads, slices.Collect(maps.Keys(w.held))})
		w.mutex.Unlock()
		_, _ = w.broker.Ask(ctx, w.job.Name, broker.Heartbeat, text) // it may be lost
	}
	for ctx.Err() == nil {
		send(w.Threads)
		Pause(ctx, beatPause(w.job.Lease))
	}
	send(0)
}

// Process returns the process name of a thread name.
func Process(thread string) string {
	process, _, _ := strings.Cut(thread, "/")
	return process
}

// thread counts one task after the other.
type thread struct {
	*worker
	name string
}

// work counts until ctx ends or the run has ended. If the broker fails, it tries again.
func (t *thread) work(ctx context.Context) error {
	var answer []byte
	for ctx.Err() == nil {
		var err error
		if len(answer) == 0 {
			answer, err = t.broker.Ask(ctx, t.job.Name, broker.Take, []byte(t.name))
		}
		if err != nil {
			Pause(ctx, retryPause)
			continue
		}
		if answer, err = t.follow(ctx, answer); err != nil {
			return err
		}
	}
	return nil
}

// errEnded ends the service of a job whose tasks are all done.
var errEnded = errors.New(Ended)

// follow counts the task in an answer of the coordinator, if there is one. It returns the answer to
// its report. Its errors are errEnded, job.ErrVersion and job.ErrBuild for a task of another build,
// and that of the count. A task whose count ctx ends goes to another worker.
func (t *thread) follow(ctx context.Context, answer []byte) ([]byte, error) {
	switch string(answer) {
	case "":
		return nil, nil
	case Ended:
		t.broker.Expect() // the broker may end with the run
		return nil, errEnded
	}
	task := new(job.Task)
	err := job.Receive(answer, task)
	if errors.Is(err, job.ErrMessage) { // the coordinator gives it out again
		t.Notice("a task is damaged: " + err.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.hold(task.Index, true)
	defer t.hold(task.Index, false)
	result, err := t.Count(ctx, t.name, task)
	switch {
	case err == nil:
		return t.report(ctx, job.Line(result)), nil
	case ctx.Err() == nil:
		return nil, err
	}
	return nil, nil
}

// reportTime is how long a worker tries to report a result, because a killed coordinator may come
// back. partingTime is how long a leaving worker tries.
const (
	reportTime  = 2 * time.Minute
	partingTime = 2 * time.Second
)

// report reports a result, and tries again for a while if the coordinator does not confirm it. It
// returns the coordinator's answer.
func (t *thread) report(ctx context.Context, result []byte) []byte {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	for {
		answer, err := t.broker.Ask(limited, t.job.Name, broker.Report, result)
		if err == nil {
			t.done.Add(1)
			return answer
		}
		if limited.Err() != nil {
			t.Notice(fmt.Sprintf("could not report a result, so that its task will be counted again: %v", err))
			return nil
		}
		Pause(limited, retryPause)
	}
}

// ThreadName returns the name of the i-th thread of a process, as in results.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

// Ended is the answer to a request for a task when all tasks are done. Other answers are a task, or
// empty if there is none. The request is the name of the thread. A report is a result, and requests
// the next task. Its answer comes when the result is safe.
const Ended = "the run has ended"

// Heartbeat is the heartbeat of a process, as JSON.
type Heartbeat struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // 0 if the process leaves
	Tasks   []int  `json:"tasks"`   // the indices of its tasks
}
