// Package coordinator gives out the tasks of a job to the workers that ask, takes the results, and
// keeps them in a journal before it confirms them. Only the journal decides what is counted:
// requests and answers may be lost, and what is missing is given out again. The ledger alone
// decides what a result changes, and the schedule who gets a task.
package coordinator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Problems that a run has; find one in an error with errors.Is. It has those of the broker, the
// ledger and the journal too.
const (
	ErrNobody fianchetto.Problem = "coordinator: no worker is left to ask"
	ErrAbsent fianchetto.Problem = "coordinator: the broker did not answer for too long"
)

// Options configure a coordinator. Ready and Notice must be set; zero values of the others stand
// for the defaults that are named here.
type Options struct {
	Lease    time.Duration     // how long a worker may send no heartbeat before its tasks go to another; 10 s
	Patience time.Duration     // how long the broker may not answer; without end
	Workers  []string          // the names of all threads there are, if no other can join; nil if they can
	Join     string            // the command by which workers join; "": none can
	Ready    func()            // is called when the job is there for workers to find
	Notice   func(text string) // is called with problems that do not end the run
}

// DefaultLease is the lease unless another is asked for.
const DefaultLease = 10 * time.Second

// Coordinator runs a job.
type Coordinator struct {
	Options
	Kept    int // the tasks that are done by the journal; for when Run has returned
	broker  *broker.Broker
	job     *job.Job
	journal func(...*job.Result) error
	offer   *broker.Offer

	heard     time.Time      // when the broker was there last
	counted   time.Time      // when the last result came
	explained string         // the last notice about why none comes
	refused   map[string]int // results that were not taken in, by credential
	pulls     []pull         // that wait for a task

	mutex    sync.Mutex // guards all below, which Status reads
	ledger   *job.Ledger
	schedule *schedule
	members  members
	blocked  *Blocked
	begun    time.Time
	before   job.Summary // when the run began
	rate     rates
}

// pull is a request for tasks.
type pull struct {
	asker
	limit   int
	since   time.Time
	request *broker.Request
}

// New returns a coordinator for what the ledger wants of a job. Results for which journal returns
// no error must outlast a failure of the machine.
func New(b *broker.Broker, j *job.Job, ledger *job.Ledger, journal func(...*job.Result) error, o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	c := &Coordinator{Options: o, broker: b, job: j, journal: journal, refused: make(map[string]int), ledger: ledger,
		members: newMembers(), begun: time.Now(), before: ledger.Summary()}
	c.Kept = c.before.TasksDone
	c.schedule = newSchedule(o.Lease, func() (job.Want, bool) { return job.Want{}, false })
	return c
}

// Times that the loop goes by.
const (
	tick     = 250 * time.Millisecond // between two looks at whether something is wrong, or two tries to offer the job
	pullTime = time.Second            // for a task to wait for, after which the answer is that there is none
	partTime = time.Second            // for workers to hear that the run has ended
	batch    = 64                     // requests taken at a time, whose results one fsync covers
)

// Run offers the job, and answers workers until the ledger is done, ctx is, or it fails.
//
// Its errors are broker.ErrClaimed if the broker has another coordinator of the job,
// job.ErrConflict and ErrNobody if results differ, job.ErrOverflow, those of the journal, and
// ErrAbsent and those of the broker. What is not a result of the job is refused with a notice.
func (c *Coordinator) Run(parent context.Context) error {
	if c.ledger.Done() {
		return nil
	}
	rest, stopRest := iter.Pull(c.ledger.Wants())
	defer stopRest()
	c.schedule.rest = rest
	ctx, unbind := c.broker.Bind(parent)
	defer unbind(nil)
	c.heard, c.counted = time.Now(), time.Now()
	if err := c.open(ctx); err != nil {
		return err
	}
	defer c.offer.Close()
	c.Ready()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for !c.isOver() {
		var err error
		select {
		case <-ctx.Done():
			if c.ledger.Done() {
				return nil
			}
			return context.Cause(ctx)
		case first := <-c.offer.Requests:
			err = c.serve(first)
		case <-ticker.C:
			err = c.look()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isOver reports whether all tasks are done, and the workers know, or have had the time to hear it:
// none must take the end of the broker for a fault.
func (c *Coordinator) isOver() bool {
	return c.ledger.Done() && (c.Workers != nil || !c.members.ignorant() || time.Since(c.counted) > partTime)
}

// open lets workers find the job, within the patience for a broker that is not there.
func (c *Coordinator) open(ctx context.Context) (err error) {
	about, _ := json.Marshal(c.job.Description) // every description can be written
	describe := func() broker.Job {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return broker.Job{Name: c.job.ID.String(), About: string(about), Lease: c.Lease, Tasks: c.schedule.has()}
	}
	for ; ctx.Err() == nil; time.Sleep(tick) {
		if c.offer, err = c.broker.Offer(ctx, describe); err == nil || !errors.Is(err, broker.ErrBroker) {
			return err
		}
		if err := c.look(); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// look checks that the broker is there, and gives out again what workers have lost or hold for too
// long.
func (c *Coordinator) look() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := time.Now()
	if c.broker.Connected() {
		c.heard = now
		c.schedule.review(now)
	} else if absent := now.Sub(c.heard); c.Patience > 0 && absent > c.Patience {
		return fmt.Errorf("%w: %v", ErrAbsent, absent.Round(time.Second))
	}
	c.members.forget(now)
	c.giveAll(now)
	return c.noteBlocked(now)
}

// serve answers the requests that have come: results go into the ledger, into the journal, and only
// then are answered.
func (c *Coordinator) serve(first *broker.Request) error {
	keep, reports, err := c.read(first)
	if err == nil && len(keep) > 0 {
		err = c.journal(keep...)
	}
	if err != nil || len(reports) == 0 {
		return err
	}
	for _, r := range reports {
		r.Answer(nil)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.counted, c.Kept = time.Now(), c.ledger.TasksDone()
	if c.schedule.has() || c.ledger.Done() {
		c.giveAll(c.counted)
	}
	return nil
}

// read reads a batch of requests, and returns the reports among them, and the results to be kept
// before they are answered.
func (c *Coordinator) read(first *broker.Request) (keep []*job.Result, reports []*broker.Request, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for r, n := first, 1; ; n++ {
		awaited := c.offer.Done(r)
		switch r.Kind {
		case broker.Take:
			if awaited { // else the tasks would be lost
				c.pull(r, time.Now())
			}
		case broker.Heartbeat:
			c.hear(r, time.Now())
		case broker.Report:
			fresh, err := c.add(r)
			if err != nil {
				return nil, nil, err
			}
			keep, reports = append(keep, fresh...), append(reports, r)
		}
		if n >= batch || len(c.offer.Requests) == 0 {
			return keep, reports, nil
		}
		r = <-c.offer.Requests
	}
}

// The greatest size of an answer with tasks, one more task at most, and of a request for them; and
// the greatest number of requests that wait for a task: of one credential, and of all workers with
// a shared token.
const (
	enough         = 64 << 10
	maxTake        = 1 << 10
	maxPulls       = 256
	maxSharedPulls = 1 << 14
)

// pull answers a worker that asks for tasks when there is one for it.
func (c *Coordinator) pull(r *broker.Request, now time.Time) {
	var take worker.Take
	if len(r.Data) > maxTake || json.Unmarshal(r.Data, &take) != nil ||
		job.CheckName(take.Thread, r.Credential) != nil {
		return
	}
	a := asker{job.Owner(take.Thread), worker.Process(take.Thread)}
	p := pull{a, min(take.Limit, worker.MaxBatch), now, r}
	if !c.give(p, now) && c.pulling(r.Credential) < share(r.Credential, maxPulls, maxSharedPulls) {
		c.pulls = append(c.pulls, p)
	}
}

// share returns a limit: one for a credential, another for all workers with a shared token.
func share(credential string, own, shared int) int {
	if credential == "" {
		return shared
	}
	return own
}

// pulling returns how many requests of a credential wait for a task.
func (c *Coordinator) pulling(credential string) (n int) {
	for i := range c.pulls {
		if c.pulls[i].request.Credential == credential {
			n++
		}
	}
	return n
}

// give answers a request with tasks, or after a while with none. It reports whether it has.
func (c *Coordinator) give(p pull, now time.Time) bool {
	if c.ledger.Done() {
		p.request.Answer([]byte(worker.Ended))
		if m := c.members.known[p.process]; m != nil {
			m.told = true
		}
		return true
	}
	var answer []byte
	for n := 0; n < p.limit && len(answer) < enough; n++ {
		want, ok := c.schedule.give(p.asker, now)
		if !ok {
			break
		}
		answer = worker.AppendMessage(answer, job.Encode(c.job.Task(want)))
	}
	if len(answer) == 0 && now.Sub(p.since) < pullTime {
		return false
	}
	p.request.Answer(answer)
	return true
}

// giveAll answers all that wait for tasks, as far as there are some.
func (c *Coordinator) giveAll(now time.Time) {
	c.pulls = slices.DeleteFunc(c.pulls, func(p pull) bool { return c.give(p, now) })
}

// hear takes note of a worker's heartbeat, unless it is not ours.
func (c *Coordinator) hear(r *broker.Request, now time.Time) {
	var h worker.Heartbeat
	if json.Unmarshal(r.Data, &h) != nil || job.CheckName(h.Name, r.Credential) != nil || h.Threads < 0 ||
		h.Threads > perft.MaxThreads || len(h.Tasks) > maxTasks {
		return
	}
	c.members.member(h.Name, r.Credential, now).Threads = h.Threads
	c.schedule.heard(h.Name, h.Tasks, now)
	if h.Threads == 0 {
		c.schedule.leave(h.Name, now)
		c.pulls = slices.DeleteFunc(c.pulls, func(p pull) bool { return p.process == h.Name })
	}
}

// add adds the results of a report to the ledger and returns those that are new.
func (c *Coordinator) add(r *broker.Request) (fresh []*job.Result, err error) {
	messages, err := worker.Messages(r.Data)
	if err != nil {
		c.refuse(r, err)
	}
	for _, message := range messages {
		result, err := c.addOne(r, message)
		switch {
		case errors.Is(err, job.ErrConflict), errors.Is(err, job.ErrOverflow):
			return nil, err
		case err != nil:
			c.refuse(r, err)
		case result != nil:
			fresh = append(fresh, result)
		}
	}
	return fresh, nil
}

// addOne adds a result to the ledger and returns it if it is new. After an error other than
// job.ErrConflict and job.ErrOverflow nothing has changed.
func (c *Coordinator) addOne(r *broker.Request, message []byte) (*job.Result, error) {
	result := new(job.Result)
	err := job.Decode(message, result)
	if err == nil {
		err = job.CheckName(result.Worker, r.Credential)
	}
	if err == nil {
		err = job.CheckBuild("worker "+result.Worker, result.Build)
	}
	if err != nil {
		return nil, err
	}
	now, owner := time.Now(), job.Owner(result.Worker)
	since := cmp.Or(c.schedule.heldSince(result.Index, owner), c.begun) // or it was given out by a run before
	result.Alone = len(c.Workers) == 1
	result.Elapsed = min(result.Elapsed, now.Sub(since))
	outcome, err := c.ledger.Add(result)
	if err != nil {
		return nil, err
	}
	c.schedule.report(result.Index, owner, outcome.Want, now)
	if !outcome.Duplicate {
		c.schedule.credit(owner, result.Elapsed)
	}
	c.members.credit(result, r.Credential, now)
	for _, m := range outcome.Mismatches {
		c.Notice("faulty worker: " + m.String())
	}
	if !outcome.IsNews() {
		return nil, nil
	}
	return result, nil
}

// refuse reports a result that is not taken in, unless many of the same sender were. Its task is
// given out again when its time is over.
func (c *Coordinator) refuse(r *broker.Request, reason error) {
	const most = 10
	c.refused[r.Credential]++
	n := c.refused[r.Credential]
	if n > most {
		return
	}
	text := fmt.Sprintf("refused result of %s: %v", cmp.Or(r.Credential, "a worker"), reason)
	if n == most {
		text += "; others are not reported"
	}
	c.Notice(text)
}
