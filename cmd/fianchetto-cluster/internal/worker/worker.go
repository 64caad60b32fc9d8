// Package worker counts the tasks of jobs that coordinators offer, one on each thread.
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

// Counter counts a task for a named thread, like job.Counter. All threads share it.
type Counter func(ctx context.Context, thread string, t *job.Task) (*job.Result, error)

// Options control Run.
type Options struct {
	Name     string            // unique name of this process
	Job      string            // the job to work for, or "" for any
	Threads  int               // 1 or more
	Count    Counter           // counts a task
	Idle     time.Duration     // how long to stay without a task; 0 means forever
	Patience time.Duration     // how long to wait for a silent broker without a task; 0 means forever
	Notice   func(text string) // called with problems that do not end the work
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

	mutex  sync.Mutex   // guards the fields below
	held   map[int]bool // the indices of its tasks
	rested time.Time    // when it last had a task
	heard  time.Time    // when the broker last answered
}

// Run counts until ctx ends or Options.Idle has passed without a task, and then returns nil. The
// tasks that it has not counted go back. It returns job.ErrBuild or job.ErrVersion if all jobs of
// the broker are of other builds, broker.ErrBroker after Options.Patience, and the other errors of
// the broker and of counting. After a run that has ended, Patience ends the work without an error.
func Run(ctx context.Context, b *broker.Broker, o Options) error {
	job.Build() // before the executable may be replaced
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

// endInTime ends the work after Idle or Patience.
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

// without returns how long the worker has had no task, 0 if it has one, and how long of that time
// the broker has been silent.
func (w *worker) without() (task, answer time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.held) > 0 {
		return 0, 0
	}
	task = time.Since(w.rested)
	return task, min(task, time.Since(w.heard))
}

// announce says once why a worker without a job waits.
func (w *worker) announce(err error) {
	text := ""
	switch idle, _ := w.without(); {
	case idle < quietTime:
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

// hold records that a thread has some tasks, or has them no longer.
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

// find returns a job of this build, if possible one with tasks, or no job. It returns job.ErrBuild
// or job.ErrVersion if all jobs are of other builds.
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

// suits returns why this build must not count the described job, or nil if it may.
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
		if idle, _ := w.without(); idle < restTime {
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
	each time.Duration // of a task, in the last batch
}

// A batch of tasks takes about batchTime, so that short tasks need few requests. If the worker
// dies, its batch waits for the end of a lease, so MaxBatch bounds it.
const (
	batchTime = 20 * time.Millisecond
	MaxBatch  = 64
)

// limit returns how many tasks to take at a time: one before the first task is counted.
func (t *thread) limit() int {
	return int(min(max(1, batchTime/cmp.Or(t.each, batchTime)), MaxBatch))
}

// work counts until ctx ends or the run has ended. If the broker fails, it tries again.
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

// take asks for tasks and waits for the answer. It returns none if there are none or the broker
// fails. Its errors are errEnded, and job.ErrVersion and job.ErrBuild for tasks of other builds.
func (t *thread) take(ctx context.Context) (tasks []*job.Task, err error) {
	request, _ := json.Marshal(Take{t.name, t.limit()})
	answer, err := t.broker.Ask(ctx, t.job.Name, broker.Take, request)
	if err != nil {
		Pause(ctx, retryPause)
		return nil, nil
	}
	if string(answer) == Ended {
		t.broker.Expect() // the broker may end with the run
		return nil, errEnded
	}
	messages, _ := Messages(answer) // the coordinator gives a torn message out again
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

// count counts tasks and reports the results. Tasks that it does not count go to other workers when
// the lease ends.
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

// enough is the size in bytes from which a report takes no further result.
const enough = 64 << 10

// reportTime is how long a worker tries to report a result, because a killed coordinator may come
// back. partingTime is how long a leaving worker tries.
const (
	reportTime  = 2 * time.Minute
	partingTime = 2 * time.Second
)

// report reports n results, and tries again for a while if the coordinator does not confirm them.
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

// ThreadName returns the name of the i-th thread of a process, as in results.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

// Take is a request for tasks, as JSON. The answer is Ended or a list of task messages, which may
// be empty. A report is a list of result messages. Its empty answer comes when they are safe.
type Take struct {
	Thread string `json:"thread"`
	Limit  int    `json:"limit"` // the most tasks, 1..MaxBatch
}

// Ended is the answer to Take when all tasks are done. It is not a list of messages.
const Ended = "the run has ended"

// Heartbeat is the heartbeat of a process, as JSON.
type Heartbeat struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // 0 if the process leaves
	Tasks   []int  `json:"tasks"`   // the indices of its tasks
}

// AppendMessage appends a message to a list, as its length and its bytes.
func AppendMessage(row, message []byte) []byte {
	return append(binary.AppendUvarint(row, uint64(len(message))), message...)
}

// Messages returns the messages of a list. Its error is job.ErrMessage.
func Messages(row []byte) (messages [][]byte, err error) {
	for len(row) > 0 {
		size, n := binary.Uvarint(row)
		if n <= 0 || size > uint64(len(row)-n) {
			return messages, fmt.Errorf("%w: a list of messages ends too soon", job.ErrMessage)
		}
		messages, row = append(messages, row[n:n+int(size)]), row[n+int(size):]
	}
	return messages, nil
}
