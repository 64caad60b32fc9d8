// Package coordinator gives out the tasks of a job to the workers that ask, takes the results, and keeps them in a
// journal before it confirms them. Only the journal decides what is counted: requests and answers may be lost, and what
// is missing is given out again. The ledger alone decides what a result changes, and the schedule who gets a task.
package coordinator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
)

// Problems that a run has; find one in an error with errors.Is. It has those of the broker, the ledger and the journal
// too.
const (
	ErrNobody fianchetto.Problem = "coordinator: no worker is left to ask"
	ErrAbsent fianchetto.Problem = "coordinator: the broker did not answer for too long"
)

// Journal keeps results.
type Journal interface {
	// Append returns when the results will outlast a failure of the machine.
	Append(results ...*job.Result) error
}

// Options configure a coordinator. Zero values stand for the defaults that are named here.
type Options struct {
	Lease    time.Duration     // how long a worker may send no heartbeat before its tasks go to another; 10 s
	Patience time.Duration     // how long the broker may not answer; 5 minutes
	Workers  []string          // the names of all threads there are, if no other can join; nil if they can
	Join     string            // the command by which workers join; "": none can
	Ready    func()            // is called when the job is there for workers to find; nil
	Notice   func(text string) // is called with problems that do not end the run; nil
}

// DefaultLease is the lease unless another is asked for.
const DefaultLease = 10 * time.Second

// Coordinator runs a job.
type Coordinator struct {
	Options
	broker   *broker.Broker
	job      *job.Job
	ledger   *job.Ledger
	journal  Journal
	schedule *schedule

	hasTasks atomic.Bool     // what schedule.has was of late
	heard    time.Time       // when the broker was there last
	counted  time.Time       // when the last result came
	told     map[string]bool // the processes that know that the run has ended
	given    map[string]bool // notices that are not given again
	refused  map[string]int  // results that were not taken in, by credential
	watch    watch
}

// New returns a coordinator for what the ledger wants of a job. The journal may be nil: then nothing is kept.
func New(b *broker.Broker, j *job.Job, ledger *job.Ledger, journal Journal, o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	o.Patience = cmp.Or(o.Patience, 5*time.Minute)
	if o.Ready == nil {
		o.Ready = func() {}
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	c := &Coordinator{
		Options: o, broker: b, job: j, ledger: ledger, journal: journal,
		told: make(map[string]bool), given: make(map[string]bool), refused: make(map[string]int),
	}
	c.watch.begin(ledger)
	return c
}

// Times that the loop goes by.
const (
	longWait   = 10 * time.Second       // for a result, after which a notice explains the wait
	tick       = 250 * time.Millisecond // between two looks at whether something is wrong
	retryPause = 250 * time.Millisecond
	partTime   = time.Second // for workers to hear that the run has ended
	batch      = 64          // requests taken at a time, whose results one fsync covers
)

// Run claims the job, and answers workers until the ledger is done, ctx is, or it fails.
//
// Its errors are broker.ErrClaimed if the broker has another coordinator of the job, *job.ConflictError and ErrNobody
// if results differ, job.ErrOverflow, those of the journal, and ErrAbsent and those of the broker. What is not a result
// of the job is refused with a notice.
func (c *Coordinator) Run(parent context.Context) error {
	if c.ledger.Done() {
		return nil
	}
	rest, stopRest := iter.Pull(c.ledger.Wants())
	defer stopRest()
	c.schedule = newSchedule(c.ledger, c.Lease, rest)
	c.hasTasks.Store(true)
	bound, unbind := c.broker.Bind(parent)
	defer unbind()
	ctx, cancel := context.WithCancelCause(bound)
	defer cancel(nil)
	c.heard, c.counted = time.Now(), time.Now()
	requests := make(chan *broker.Request, batch)
	offer, err := c.offer(ctx, cancel, requests)
	if err != nil {
		return err
	}
	defer offer.Close()
	defer cancel(nil) // ends the wait of requests first
	c.Ready()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for !c.ledger.Done() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case first := <-requests:
			err = c.serve(first, requests)
		case <-ticker.C:
			err = c.look()
		}
		if err != nil {
			return err
		}
	}
	c.part(ctx, requests)
	return nil
}

// offer lets workers find the job, within the patience for a broker that is not there.
func (c *Coordinator) offer(ctx context.Context, cancel context.CancelCauseFunc,
	requests chan<- *broker.Request) (*broker.Offer, error) {
	about, err := json.Marshal(c.job.Description())
	if err != nil {
		return nil, err
	}
	describe := func() broker.Job {
		return broker.Job{Name: c.job.ID().String(), About: string(about), Lease: c.Lease, Tasks: c.hasTasks.Load()}
	}
	take := func(r *broker.Request) {
		select {
		case requests <- r:
		case <-ctx.Done():
		}
	}
	for {
		offer, err := c.broker.Offer(ctx, describe, take, cancel)
		if err == nil || ctx.Err() != nil || !errors.Is(err, broker.ErrBroker) {
			return offer, err
		}
		if err := c.look(); err != nil {
			return nil, err
		}
		pause(ctx)
	}
}

// noticeOnce gives a notice unless it has been given.
func (c *Coordinator) noticeOnce(text string) {
	if !c.given[text] {
		c.given[text] = true
		c.Notice(text)
	}
}

// pause waits before something is tried again, unless ctx is done.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryPause):
	}
}

// look checks that the broker is there, and gives out again what workers have lost or hold for too long.
func (c *Coordinator) look() error {
	now := time.Now()
	if c.broker.Connected() {
		c.heard = now
	} else if absent := now.Sub(c.heard); absent > c.Patience {
		return fmt.Errorf("%w: %v", ErrAbsent, absent.Round(time.Second))
	}
	if c.broker.Connected() {
		c.schedule.review(now)
	}
	c.hasTasks.Store(c.schedule.has())
	c.watch.hold(c.schedule)
	if now.Sub(c.counted) > longWait {
		c.explainWait()
	}
	return c.checkAskable()
}

// explainWait gives notice if all that is left waits for other workers than those that have counted it.
func (c *Coordinator) explainWait() {
	var avoid []string
	for _, t := range c.schedule.tasks {
		if avoid = t.want.Avoid; len(avoid) == 0 || !t.waits {
			return
		}
	}
	if c.schedule.last && len(avoid) > 0 {
		c.noticeOnce(fmt.Sprintf(
			"what is left must be verified by workers other than those who counted it first, such as %q", avoid))
	}
}

// serve answers the requests that have come: results go into the ledger, into the journal, and only then are answered.
func (c *Coordinator) serve(first *broker.Request, more <-chan *broker.Request) error {
	var (
		keep    []*job.Result
		reports []*broker.Request
	)
	for r, n := first, 1; ; n++ {
		switch r.Kind {
		case broker.Take:
			c.give(r)
		case broker.Heartbeat:
			c.hear(r)
		case broker.Report:
			fresh, err := c.add(r)
			if err != nil {
				return err
			}
			keep, reports = append(keep, fresh...), append(reports, r)
		}
		if n >= batch || len(more) == 0 {
			break
		}
		r = <-more
	}
	if len(reports) == 0 {
		return nil
	}
	if c.journal != nil && len(keep) > 0 {
		if err := c.journal.Append(keep...); err != nil {
			return err
		}
	}
	for _, r := range reports {
		r.Answer(nil)
	}
	c.counted = time.Now()
	c.watch.note(c.ledger, len(c.schedule.tasks))
	return nil
}

// enough is how many bytes of tasks an answer has, one more task at most.
const enough = 64 << 10

// give answers a worker that asks for tasks.
func (c *Coordinator) give(r *broker.Request) {
	a, limit, ok := askerOf(r)
	if !ok {
		return // not ours
	}
	var answer []byte
	for n := 0; n < limit && len(answer) < enough; n++ {
		want, ok := c.schedule.give(a, time.Now())
		if !ok {
			break
		}
		answer = worker.AppendMessage(answer, c.job.Task(want).Append(nil))
	}
	r.Answer(answer)
}

// askerOf reads a request for tasks.
func askerOf(r *broker.Request) (a asker, limit int, ok bool) {
	var take worker.Take
	if json.Unmarshal(r.Data, &take) != nil || job.CheckName(take.Thread, r.Credential) != nil {
		return a, 0, false
	}
	a = asker{job.Owner(take.Thread), worker.Process(take.Thread), r.Credential}
	return a, min(take.Limit, worker.MaxBatch), true
}

// hear takes note of a heartbeat.
func (c *Coordinator) hear(r *broker.Request) {
	h, ok := c.watch.heartbeat(r)
	switch {
	case !ok:
	case h.Threads == 0:
		c.schedule.leave(h.Name, time.Now())
	default:
		c.schedule.heard(h.Name, h.Tasks, time.Now())
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
		if err != nil {
			return nil, err
		}
		if result != nil {
			fresh = append(fresh, result)
		}
	}
	return fresh, nil
}

func (c *Coordinator) addOne(r *broker.Request, message []byte) (*job.Result, error) {
	result, err := job.DecodeResult(message)
	if err == nil {
		err = job.CheckName(result.Worker, r.Credential)
	}
	if err == nil {
		err = job.CheckBuild("worker "+result.Worker, result.Build)
	}
	if err != nil {
		c.refuse(r, err)
		return nil, nil
	}
	result.Alone = len(c.Workers) == 1
	since, ok := c.schedule.heldSince(result.Index, job.Owner(result.Worker))
	if !ok {
		since = c.watch.begun // it was given out by a run before
	}
	result.Elapsed = min(result.Elapsed, time.Since(since))
	outcome, err := c.ledger.Add(result)
	if errors.Is(err, job.ErrJob) || errors.Is(err, job.ErrTask) {
		c.refuse(r, err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.schedule.settle(result.Index, job.Owner(result.Worker), outcome.Want, time.Now())
	c.watch.result(result)
	for _, m := range outcome.Mismatches {
		c.Notice("faulty worker: " + m.String())
	}
	if outcome.Standing == job.Duplicate && len(outcome.Mismatches) == 0 {
		return nil, nil
	}
	return result, nil
}

// refuse reports a result that is not taken in, unless many of the same sender were. Its task is given out again when
// its time is over.
func (c *Coordinator) refuse(r *broker.Request, reason error) {
	const most = 10
	c.refused[r.Credential]++
	n := c.refused[r.Credential]
	if n > most {
		return
	}
	sender := ""
	if r.Credential != "" {
		sender = " of " + r.Credential
	}
	text := fmt.Sprintf("refused result%s: %v", sender, reason)
	if n == most {
		text += "; others are not reported"
	}
	c.Notice(text)
}

// checkAskable returns ErrNobody if a task must be counted by other workers than there can be.
func (c *Coordinator) checkAskable() error {
	for _, t := range c.schedule.tasks {
		free := func(thread string) bool { return !slices.Contains(t.want.Avoid, job.Owner(thread)) }
		if t.waits && c.Workers != nil && !slices.ContainsFunc(c.Workers, free) {
			return fmt.Errorf("%w: task %d: %v", ErrNobody, t.want.Index, c.ledger.Candidates(t.want.Index))
		}
	}
	return nil
}

// part tells the workers that ask for tasks that the run has ended, so that none takes the end of the broker for a
// fault.
func (c *Coordinator) part(ctx context.Context, requests <-chan *broker.Request) {
	if c.Workers != nil {
		return
	}
	limit := time.After(partTime)
	for c.watch.counting(c.told) {
		select {
		case <-ctx.Done():
			return
		case <-limit:
			return
		case r := <-requests:
			switch a, _, ok := askerOf(r); {
			case r.Kind == broker.Heartbeat:
				c.hear(r)
			case r.Kind == broker.Report:
				r.Answer(nil) // it is of a task that another has counted, too
			case ok:
				r.Answer([]byte(worker.Ended))
				c.told[a.process] = true
			}
		}
	}
}
