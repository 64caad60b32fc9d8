// Package worker counts the tasks of the jobs that coordinators offer, one on each thread: it takes
// a task, counts it, reports the result, and only then gives up the task. Whatever becomes of a
// worker, its task is with another soon, and a result that two workers report is the same.
package worker

import (
	"cmp"
	"context"
	"encoding/binary"
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

// Counter counts a task for a thread of a name, as job.Counter does. All threads share it.
type Counter func(ctx context.Context, thread string, t *job.Task) (*job.Result, error)

// Options control Run.
type Options struct {
	Name     string            // of this process, unlike that of any other
	Job      string            // the only job to work for; "": any
	Threads  int               // 1 or more
	Count    Counter           // counts a task
	Idle     time.Duration     // how long to be without a task before leaving; 0: without end
	Patience time.Duration     // how long the broker may not answer while there is no task; 0: without end
	Notice   func(text string) // is called with problems that do not end the work
}

// heartbeatPause is the longest time between two heartbeats of a worker.
const heartbeatPause = 3 * time.Second

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
	job    broker.Job      // for which it works
	given  map[string]bool // notices that are not given again
	ended  atomic.Bool     // the last run has ended, perhaps with its broker

	mutex  sync.Mutex   // guards all below
	held   map[int]bool // the indices of its tasks
	rested time.Time    // since when it has had none
	heard  time.Time    // when the broker answered last
}

// Run counts until ctx is done, or there was no task for as long as Options.Idle; it then returns
// nil. Tasks that are not counted by then go back. Its errors are job.ErrBuild and job.ErrVersion,
// if the broker has only jobs of others, those of the broker, broker.ErrBroker if that does not
// answer for as long as Options.Patience, and those of counting.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // while the executable is the one that runs
	ctx, end := b.Bind(ctx)
	defer end(nil)
	if c := b.Credential(); c != "" {
		o.Name = c + ":" + o.Name
	}
	w := &worker{Options: o, broker: b, given: make(map[string]bool), held: make(map[int]bool), rested: time.Now(),
		heard: time.Now()}
	go w.endInTime(ctx, end)
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
	if cause := context.Cause(ctx); errors.Is(cause, broker.ErrBroker) || errors.Is(cause, broker.ErrAuthorization) {
		return cause
	}
	return nil
}

// endInTime ends the work when there was no task, or no answer, for as long as the worker is to
// wait for one.
func (w *worker) endInTime(ctx context.Context, end context.CancelCauseFunc) {
	for ; ctx.Err() == nil; Pause(ctx, retryPause/5) {
		idle, absent := w.without()
		switch {
		case w.Patience > 0 && absent >= w.Patience && w.ended.Load():
			end(nil)
		case w.Patience > 0 && absent >= w.Patience:
			end(fmt.Errorf("%w: no answer for %v", broker.ErrBroker, absent.Round(100*time.Millisecond)))
		case w.Idle > 0 && idle >= w.Idle:
			end(nil)
		}
	}
}

// without returns for how long there was no task, 0 if there is one, and for how long of that time
// no answer.
func (w *worker) without() (task, answer time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.held) > 0 {
		return 0, 0
	}
	task = time.Since(w.rested)
	return task, min(task, time.Since(w.heard))
}

// announce reports once what a worker without a job waits for.
func (w *worker) announce(err error) {
	text := ""
	switch idle, _ := w.without(); {
	case idle < quietTime:
	case err == nil && w.job.Name == "":
		text = "waiting for a run: the broker has none"
	case errors.Is(err, broker.ErrBroker) && w.ended.Load():
		text = "waiting for the next run and its broker"
	case errors.Is(err, broker.ErrBroker):
		text = "waiting for the broker, which does not answer as it should: " + err.Error()
	}
	w.noticeOnce(text)
}

// noticeOnce gives a notice unless it has been given.
func (w *worker) noticeOnce(text string) {
	if text != "" && !w.given[text] {
		w.given[text] = true
		w.Notice(text)
	}
}

// Pause waits, but not longer than ctx.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// hold takes note of tasks that a thread has, or, if it is done with them, no longer has.
func (w *worker) hold(tasks []*job.Task, have bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, t := range tasks {
		if w.held[t.Index] = true; !have {
			delete(w.held, t.Index)
		}
	}
	w.rested, w.heard = time.Now(), time.Now()
	w.ended.Store(false)
}

// find returns a job to work for, with tasks if one has any; none if there is none yet. It returns
// job.ErrBuild or job.ErrVersion if there are only jobs of others.
func (w *worker) find(ctx context.Context) (found broker.Job, err error) {
	jobs, err := w.broker.Jobs(ctx)
	if err != nil {
		return found, err
	}
	w.mutex.Lock()
	w.heard = time.Now()
	w.mutex.Unlock()
	for _, j := range jobs {
		if w.Job != "" && j.Name != w.Job {
			continue
		}
		if refusal := suits(j.About); refusal != nil {
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

// serve counts the tasks of a job until ctx is done, another job has tasks and it has none, or it
// has ended: its error is then errEnded.
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

// awaitEnd waits until the worker should leave a job for which it has nothing to do, or ctx is
// done.
func (w *worker) awaitEnd(ctx context.Context) {
	for Pause(ctx, restTime); ctx.Err() == nil; Pause(ctx, restTime) {
		if idle, _ := w.without(); idle < restTime {
			continue
		}
		other, err := w.find(ctx)
		if err == nil && (other.Name == "" || other.Name != w.job.Name && other.Tasks) {
			return
		}
	}
}

// beats is the number of heartbeats in the time of a lease: two may be lost.
const beats = 3

// beatPause returns the time between two heartbeats.
func beatPause(lease time.Duration) time.Duration { return min(heartbeatPause, lease/beats) }

// sendHeartbeats sends heartbeats until ctx is done, and then one that the process leaves.
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

// Process returns the name of the process that a thread of this name is of.
func Process(thread string) string {
	process, _, _ := strings.Cut(thread, "/")
	return process
}

// thread counts one task after the other.
type thread struct {
	*worker
	name string
	each time.Duration // that the last tasks took
}

// Tasks are taken in batches that take about batchTime, so that short ones do not wait for the
// broker; but not more than MaxBatch, which must wait for a lease to end if this worker dies.
const (
	batchTime = 20 * time.Millisecond
	MaxBatch  = 64
)

// limit is how many tasks to take at a time: one as long as it is not known how long they take.
func (t *thread) limit() int {
	return int(min(max(1, batchTime/cmp.Or(t.each, batchTime)), MaxBatch))
}

// work counts until ctx is done or the run has ended. If the broker fails it tries again: when to
// leave a job is decided elsewhere.
func (t *thread) work(ctx context.Context) error {
	for ctx.Err() == nil {
		tasks, err := t.take(ctx)
		if err == nil && len(tasks) > 0 {
			t.hold(tasks, true)
			err = t.count(ctx, tasks)
			t.hold(tasks, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errEnded ends the service of a job whose tasks are all done.
var errEnded = errors.New(Ended)

// take asks for tasks, which the coordinator has it wait for; there are none if none came, or the
// broker fails. Its errors are errEnded, and job.ErrVersion and job.ErrBuild for a task of another
// version or build.
func (t *thread) take(ctx context.Context) (tasks []*job.Task, err error) {
	request, _ := json.Marshal(Take{t.name, t.limit()})
	answer, err := t.broker.Ask(ctx, t.job.Name, broker.Take, request)
	if err != nil {
		Pause(ctx, retryPause)
		return nil, nil
	}
	if string(answer) == Ended {
		t.broker.Expect() // at once, for the server may be of the run
		return nil, errEnded
	}
	messages, _ := Messages(answer) // what is cut off is given out again
	for _, message := range messages {
		task := new(job.Task)
		err := job.Decode(message, task)
		if err == nil {
			err = job.CheckBuild(fmt.Sprintf("task %d", task.Index), task.Build)
		}
		if errors.Is(err, job.ErrVersion) || errors.Is(err, job.ErrBuild) {
			return nil, err
		}
		if err != nil {
			t.Notice("a task is damaged: " + err.Error())
			continue
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// count counts tasks and reports all results; those that are not counted are given to others when
// their lease ends.
func (t *thread) count(ctx context.Context, tasks []*job.Task) (failure error) {
	var report []byte
	begun, n := time.Now(), 0
	for _, task := range tasks {
		if ctx.Err() != nil {
			break
		}
		result, err := t.Count(ctx, t.name, task)
		if err != nil {
			if ctx.Err() == nil {
				failure = err
			}
			break
		}
		report, n = AppendMessage(report, job.Encode(result)), n+1
		if len(report) >= enough {
			t.report(ctx, report, n)
			report, n = nil, 0
		}
	}
	if n > 0 {
		t.each = max(1, time.Since(begun)/time.Duration(n))
		t.report(ctx, report, n)
	}
	return failure
}

// enough is how many bytes of results a report has, one more result at most.
const enough = 64 << 10

// reportTime is how long to try to report a result before it is dropped: a coordinator that was
// killed may be back by then. partingTime is how long if the worker is to leave.
const (
	reportTime  = 2 * time.Minute
	partingTime = 2 * time.Second
)

// report reports n results, trying again for a while if the coordinator does not take them. A
// worker that is to leave still reports what it has counted, but tries for a moment only.
func (t *thread) report(ctx context.Context, results []byte, n int) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	for {
		_, err := t.broker.Ask(limited, t.job.Name, broker.Report, results)
		if err == nil {
			return
		}
		if limited.Err() != nil {
			t.Notice(fmt.Sprintf("could not report %s, so that as many tasks will be counted again: %v",
				format.Things(n, "result"), err))
			return
		}
		Pause(limited, retryPause)
	}
}

// ThreadName returns the name of the i-th thread of a process, as results have it.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

// Take asks the coordinator for tasks, as JSON. The answer is a row of messages of tasks, empty if
// there is none now, or Ended. A report of results is a row of messages, too; its answer is empty,
// and comes when they are safe.
type Take struct {
	Thread string `json:"thread"` // that is to count them
	Limit  int    `json:"limit"`  // how many at most, 1..MaxBatch
}

// Ended is the answer to Take when all tasks are done. No row of messages is like it.
const Ended = "the run has ended"

// Heartbeat is what a process that works sends now and then, as JSON.
type Heartbeat struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // 0: it leaves
	Tasks   []int  `json:"tasks"`   // the indices of those that it has
}

// AppendMessage appends a message to a row: its length, and its bytes.
func AppendMessage(row, message []byte) []byte {
	return append(binary.AppendUvarint(row, uint64(len(message))), message...)
}

// Messages returns the messages of a row. Its error is job.ErrMessage.
func Messages(row []byte) (messages [][]byte, err error) {
	for len(row) > 0 {
		size, n := binary.Uvarint(row)
		if n <= 0 || size > uint64(len(row)-n) {
			return messages, fmt.Errorf("%w: a row of messages ends too soon", job.ErrMessage)
		}
		messages, row = append(messages, row[n:n+int(size)]), row[n+int(size):]
	}
	return messages, nil
}
