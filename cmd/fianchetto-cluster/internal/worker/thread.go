package worker

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// thread counts one task after the other.
type thread struct {
	*worker
	name    string
	counter Counter
	each    time.Duration // that the last tasks took
}

// Tasks are taken in batches that take about batchTime, so that short ones do not wait for the broker; but not more
// than MaxBatch, which must wait for a lease to end if this worker dies.
const (
	batchTime = 20 * time.Millisecond
	MaxBatch  = 64
)

// limit is how many tasks to take at a time.
func (t *thread) limit() int {
	if t.each == 0 {
		return 1
	}
	return int(min(max(1, batchTime/t.each), MaxBatch))
}

// work counts until ctx is done or the run has ended. If the broker fails it tries again: when to leave a job is
// decided elsewhere.
func (t *thread) work(ctx context.Context) error {
	t.counter = t.NewCounter(t.name)
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

// take asks for tasks, which the coordinator has it wait for; there are none if none came, or the broker fails. Its
// errors are errEnded, and job.ErrVersion and job.ErrBuild for a task of another version or build.
func (t *thread) take(ctx context.Context) (tasks []*job.Task, err error) {
	request, _ := json.Marshal(Take{t.name, t.limit()})
	answer, err := t.broker.Ask(ctx, t.job.Name, broker.Take, request)
	if err != nil {
		pause(ctx, retryPause)
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

// count counts tasks and reports all results; those that are not counted are given to others when their lease ends.
func (t *thread) count(ctx context.Context, tasks []*job.Task) (failure error) {
	var report []byte
	begun, n := time.Now(), 0
	for _, task := range tasks {
		if ctx.Err() != nil {
			break
		}
		result, err := t.counter(ctx, task)
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

// reportTime is how long to try to report a result before it is dropped: a coordinator that was killed may be back by
// then. partingTime is how long if the worker is to leave.
const (
	reportTime  = 2 * time.Minute
	partingTime = 2 * time.Second
)

// report reports n results, trying again for a while if the coordinator does not take them. A worker that is to leave
// still reports what it has counted, but tries for a moment only.
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
				figures.Things(n, "result"), err))
			return
		}
		pause(limited, retryPause)
	}
}

// ThreadName returns the name of the i-th thread of a process, as results have it.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }

// Take asks the coordinator for tasks, as JSON. The answer is a row of messages of tasks, empty if there is none now,
// or Ended. A report of results is a row of messages, too; its answer is empty, and comes when they are safe.
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
