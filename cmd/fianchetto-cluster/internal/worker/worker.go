// Package worker counts the tasks of the jobs that coordinators offer, one on each thread: it takes a task, counts it,
// reports the result, and only then gives up the task. Whatever becomes of a worker, its task is with another soon, and
// a result that two workers report is the same.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// Counter counts tasks, for one thread.
type Counter interface {
	Count(ctx context.Context, t *job.Task) (*job.Result, error)
}

// Options control Run.
type Options struct {
	Name       string                    // of this process, unlike that of any other
	Job        string                    // the only job to work for; "": any
	Threads    int                       // 1 or more
	NewCounter func(name string) Counter // makes the counter of a thread, which has a name of its own
	Idle       time.Duration             // how long to be without a task before leaving; 0: without end
	Patience   time.Duration             // how long the broker may not answer while there is no task; 0: without end
	Notice     func(text string)         // is called with problems that do not end the work
}

// heartbeatPause is the longest time between two heartbeats of a worker.
const heartbeatPause = time.Second

// How long to wait before something is tried again, and for a task.
const (
	retryPause = 250 * time.Millisecond
	restTime   = time.Second            // without a task, after which there may be better jobs
	quietTime  = 500 * time.Millisecond // without a job, after which a notice reports the wait
)

// worker is a process that works.
type worker struct {
	Options
	broker *broker.Broker
	given  map[string]bool // notices that are not given again

	mutex   sync.Mutex // guards all below
	working int        // threads that have tasks
	rested  time.Time  // since when none has
	heard   time.Time  // when the broker answered last
}

// Run counts until ctx is done, or there was no task for as long as Options.Idle; it then returns nil. Tasks that are
// not counted by then go back. Its errors are job.ErrBuild and job.ErrVersion, if the broker has only jobs of others,
// those of the broker, broker.ErrBroker if that does not answer for as long as Options.Patience, and those of counting.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // while the executable is the one that runs
	ctx, cancel := b.Bind(ctx)
	defer cancel()
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	w := &worker{Options: o, broker: b, given: make(map[string]bool), rested: time.Now(), heard: time.Now()}
	for ctx.Err() == nil && !w.isOver() {
		j, err := w.findInTime(ctx)
		w.announce(j, err)
		if err == nil && j.Name != "" {
			err = w.serve(ctx, j)
		}
		if errors.Is(err, errEnded) {
			w.broker.Expect() // the server may be of the run
			w.Notice(Ended)
			w.given, err = make(map[string]bool), nil
		}
		if err != nil && ctx.Err() == nil && !isPassing(err) {
			return err
		}
		pause(ctx, retryPause)
	}
	if absent := w.absent(); ctx.Err() == nil && w.Patience > 0 && absent >= w.Patience {
		return fmt.Errorf("%w: no answer for %v", broker.ErrBroker, absent.Round(100*time.Millisecond))
	}
	return failureOf(context.Cause(ctx))
}

// failureOf returns why a context ended if that was the broker, else nil.
func failureOf(cause error) error {
	if errors.Is(cause, broker.ErrBroker) || errors.Is(cause, broker.ErrAuthorization) {
		return cause
	}
	return nil
}

// findInTime finds a job, but waits for the broker no longer than the worker is to be without a task, or an answer.
func (w *worker) findInTime(ctx context.Context) (broker.Job, error) {
	limit := time.Duration(math.MaxInt64)
	if w.Idle > 0 {
		limit = w.Idle - w.idle()
	}
	if w.Patience > 0 {
		limit = min(limit, w.Patience-w.absent())
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return w.find(ctx)
}

// announce reports once what a worker without a job waits for.
func (w *worker) announce(found broker.Job, err error) {
	switch {
	case w.idle() < quietTime:
	case err != nil && isPassing(err):
		w.noticeOnce("waiting for the broker, which does not answer as it should: " + err.Error())
	case err == nil && found.Name == "":
		w.noticeOnce("waiting for a run: the broker has none")
	}
}

// isPassing reports whether an error is one of the broker that may pass: a server that is gone may come back.
func isPassing(err error) bool {
	return errors.Is(err, broker.ErrGone) || errors.Is(err, broker.ErrBroker) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}

// pause waits, but not longer than ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// idle returns for how long no thread has had a task, 0 if one has.
func (w *worker) idle() time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.working > 0 {
		return 0
	}
	return time.Since(w.rested)
}

// absent returns for how long the broker has not answered, of the time without a task.
func (w *worker) absent() time.Duration {
	idle := w.idle()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return min(idle, time.Since(w.heard))
}

// isOver reports whether there was no task, or no answer, for as long as the worker is to wait for one.
func (w *worker) isOver() bool {
	return w.Idle > 0 && w.idle() >= w.Idle || w.Patience > 0 && w.absent() >= w.Patience
}

// note records that more threads have tasks, or, if more is negative, fewer.
func (w *worker) note(more int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.working += more
	w.rested = time.Now()
}

// noticeOnce gives a notice unless it has been given.
func (w *worker) noticeOnce(text string) {
	if !w.given[text] {
		w.given[text] = true
		w.Notice(text)
	}
}

// find returns a job to work for, with tasks if one has any; none if there is none yet. It returns job.ErrBuild or
// job.ErrVersion if there are only jobs of others.
func (w *worker) find(ctx context.Context) (found broker.Job, err error) {
	jobs, err := w.broker.Jobs(ctx)
	if err != nil {
		return found, err
	}
	w.mutex.Lock()
	w.heard = time.Now()
	w.mutex.Unlock()
	var refusal error
	for _, j := range jobs {
		if w.Job != "" && j.Name != w.Job {
			continue
		}
		if err := suits(j.About); err != nil {
			refusal = err
			w.noticeOnce(err.Error())
			continue
		}
		if found.Name == "" || j.Tasks && !found.Tasks {
			found = j
		}
	}
	if found.Name != "" {
		return found, nil
	}
	return found, refusal
}

// suits returns why this build must not count a job that is described so, nil if it may.
func suits(about string) error {
	var d job.Description
	if err := json.Unmarshal([]byte(about), &d); err != nil || d.Version != job.Version {
		return fmt.Errorf("%w: job %.8s is of version %d, build %.100q; this worker is of version %d, build %q",
			job.ErrVersion, d.ID, d.Version, d.Build, job.Version, job.Build())
	}
	if err := d.Check(); err != nil {
		return fmt.Errorf("job %.8s: %w", d.ID, err)
	}
	return job.CheckBuild(d.String(), d.Build)
}

// service is the work of a process for one job.
type service struct {
	*worker
	job broker.Job

	mutex sync.Mutex
	held  map[int]bool // the indices of its tasks
}

func (s *service) hold(tasks []*job.Task) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, t := range tasks {
		s.held[t.Index] = true
	}
}

func (s *service) drop(tasks []*job.Task) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, t := range tasks {
		delete(s.held, t.Index)
	}
}

// serve counts the tasks of a job until ctx is done, another job has tasks and it has none, or it has ended: its error
// is then errEnded.
func (w *worker) serve(parent context.Context, j broker.Job) error {
	s := &service{worker: w, job: j, held: make(map[int]bool)}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	background, stop := context.WithCancel(context.WithoutCancel(parent))
	var threads, others sync.WaitGroup
	others.Go(func() { s.sendHeartbeats(background) })
	others.Go(func() {
		w.awaitEnd(background, j)
		cancel(nil)
	})
	for i := range w.Threads {
		name := ThreadName(w.Name, i)
		threads.Go(func() {
			t := &thread{service: s, name: name, counter: w.NewCounter(name)}
			if err := t.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	threads.Wait()
	stop()
	others.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// awaitEnd waits until the worker should leave a job for which it has nothing to do, or ctx is done.
func (w *worker) awaitEnd(ctx context.Context, j broker.Job) {
	for pause(ctx, restTime); ctx.Err() == nil; pause(ctx, restTime) {
		if w.idle() < restTime {
			continue
		}
		if w.isOver() {
			return
		}
		other, err := w.findInTime(ctx)
		if err == nil && (other.Name == "" || other.Name != j.Name && other.Tasks) {
			return
		}
	}
}

// beats is the number of heartbeats in the time of a lease: two may be lost.
const beats = 3

// beatPause returns the time between two heartbeats.
func beatPause(lease time.Duration) time.Duration { return min(heartbeatPause, lease/beats) }

// sendHeartbeats sends heartbeats until ctx is done, and then one that the process leaves.
func (s *service) sendHeartbeats(ctx context.Context) {
	send := func(threads int) {
		s.mutex.Lock()
		text, err := json.Marshal(Heartbeat{s.Name, threads, slices.Collect(maps.Keys(s.held))})
		s.mutex.Unlock()
		if err == nil {
			_, _ = s.broker.Ask(ctx, s.job.Name, broker.Heartbeat, text) // it may be lost
		}
	}
	for ctx.Err() == nil {
		send(s.Threads)
		pause(ctx, beatPause(s.job.Lease))
	}
	send(0)
}

// Process returns the name of the process that a thread of this name is of.
func Process(thread string) string {
	if i := strings.LastIndexByte(thread, '/'); i >= 0 {
		return thread[:i]
	}
	return thread
}
