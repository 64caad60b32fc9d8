package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// thread counts one task after the other.
type thread struct {
	*worker
	queue   *broker.Queue
	name    string
	counter Counter
	each    time.Duration // that the last tasks took
}

// Tasks are taken in batches that take about batchTime, so that short ones do not wait for the broker; but not more
// than maxBatch, which must wait for a lease to end if this worker does.
const (
	batchTime = 20 * time.Millisecond
	maxBatch  = 64
)

// limit is how many tasks to take at a time.
func (t *thread) limit() int {
	if t.each == 0 {
		return 1
	}
	return int(min(max(1, batchTime/t.each), maxBatch))
}

// othersPause is for how long a task is not given out that another worker must count: about as long as that is at
// another.
func (t *thread) othersPause() time.Duration {
	return min(max(5*time.Millisecond, t.each), 10*time.Second)
}

// work counts until ctx is done. If the broker fails it tries again: when to leave a job is decided elsewhere.
func (t *thread) work(ctx context.Context) error {
	for ctx.Err() == nil {
		leases := t.take(ctx)
		if len(leases) == 0 {
			continue
		}
		t.note(1)
		err := t.count(ctx, leases)
		t.note(-1)
		if err != nil {
			return err
		}
	}
	return nil
}

// take takes a spare task, or some of the queue; none if there is none for a while.
func (t *thread) take(ctx context.Context) []*broker.Lease {
	if l := t.adopt(t.name); l != nil {
		return []*broker.Lease{l}
	}
	leases, err := t.queue.Take(ctx, t.limit(), takeTime)
	if err != nil {
		pause(ctx, retryPause)
	}
	return leases
}

// count counts tasks, reports all results, and gives up the tasks; those that are not counted go back.
func (t *thread) count(ctx context.Context, leases []*broker.Lease) error {
	var (
		finished []*broker.Lease
		results  []broker.Message
		failure  error
	)
	begun := time.Now()
	for _, l := range leases {
		result, err := t.countOne(ctx, l)
		failure = errors.Join(failure, err)
		if result != nil {
			finished = append(finished, l)
			results = append(results, *result)
		}
	}
	if len(results) == 0 {
		return failure
	}
	t.each = max(1, time.Since(begun)/time.Duration(len(results)))
	if t.report(ctx, results) {
		for _, l := range finished {
			_ = l.Finish() // else it is counted again, which changes nothing
		}
	}
	return failure
}

// countOne counts a task and returns the message of the result. Without one, the task goes back, or to another thread.
func (t *thread) countOne(ctx context.Context, l *broker.Lease) (*broker.Message, error) {
	if ctx.Err() != nil {
		_ = l.Return(0) // else the lease ends
		return nil, nil
	}
	task, err := t.read(l)
	if task == nil {
		_ = l.Return(t.othersPause())
		return nil, err
	}
	if task.Avoids(t.name) {
		if !t.offer(spare{l, task}) {
			_ = l.Return(t.othersPause())
		}
		return nil, nil
	}
	result, err := t.counter.Count(ctx, task)
	if err != nil {
		_ = l.Return(0)
		if ctx.Err() != nil {
			err = nil // interrupted
		}
		return nil, err
	}
	message := &broker.Message{Key: l.Key, Data: result.Append(nil)}
	if len(task.Avoid) == 0 { // else it was given out again because of the worker that took it
		message.Deliveries = l.Deliveries
	}
	return message, nil
}

// read returns a task, nil if it is damaged. Its error is job.ErrVersion or job.ErrBuild, for a task of another.
func (t *thread) read(l *broker.Lease) (*job.Task, error) {
	task, err := job.DecodeTask(l.Data)
	switch {
	case errors.Is(err, job.ErrVersion):
		return nil, err
	case err != nil:
		t.Notice(fmt.Sprintf("task %s is damaged: %v", l.Key, err))
		return nil, nil
	}
	if err := job.CheckBuild("task "+l.Key, task.Build); err != nil {
		return nil, err
	}
	return task, nil
}

// reportTime is how long to try to report a result before it is dropped, for the task will be given out again; and
// partingTime how long if the worker is to leave.
const (
	reportTime  = 30 * time.Second
	partingTime = 2 * time.Second
)

// report reports results, trying again for a while if the broker cannot take them, and returns whether it has. A worker
// that is to leave still reports what it has counted, but tries for a moment only.
func (t *thread) report(ctx context.Context, results []broker.Message) bool {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partingTime, cancel) })()
	for {
		err := t.queue.Report(limited, results...)
		if err == nil {
			return true
		}
		if limited.Err() != nil {
			t.Notice(fmt.Sprintf("could not report %s, so that as many tasks will be counted again: %v",
				figures.Things(len(results), "result"), err))
			return false
		}
		pause(limited, retryPause)
	}
}

// spare is a task that a thread has taken although it must not count it, for it has before: it waits for another thread
// of this process. Else such tasks would go back and forth between the broker and the threads that must not count them.
type spare struct {
	lease *broker.Lease
	task  *job.Task
}

// offer keeps a task for another thread, if there is one that may count it, and room.
func (w *worker) offer(s spare) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for i := range w.Threads {
		if len(w.spares) < maxBatch && !s.task.Avoids(ThreadName(w.Name, i)) {
			w.spares = append(w.spares, s)
			return true
		}
	}
	return false
}

// adopt returns a spare task that a thread may count, nil if there is none.
func (w *worker) adopt(thread string) *broker.Lease {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	i := slices.IndexFunc(w.spares, func(s spare) bool { return !s.task.Avoids(thread) })
	if i < 0 {
		return nil
	}
	lease := w.spares[i].lease
	w.spares = slices.Delete(w.spares, i, i+1)
	return lease
}

// ThreadName returns the name of the i-th thread of a process, as results have it.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }
