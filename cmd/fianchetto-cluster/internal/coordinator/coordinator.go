// Package coordinator gives the tasks of a job to workers and keeps their results in a journal
// before it confirms them. Requests and answers may be lost, because every task without a result in
// the journal is given out again.
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

// ErrNobody reports that no worker can verify a task.
const ErrNobody fianchetto.Problem = "coordinator: no worker is left to ask"

// Options configure a coordinator. Ready and Notice must be set.
type Options struct {
	Lease   time.Duration     // how long a silent worker keeps its tasks; 0 means DefaultLease
	Checks  float64           // the share of the results that the coordinator checks
	Count   worker.Counter    // counts the checked tasks; needed unless Checks is 0
	Workers []string          // all threads of the run, or nil if others can join
	Join    string            // the command by which workers join, or ""
	Ready   func()            // called when workers can find the job
	Notice  func(text string) // called with problems that do not end the run

	// Replay calls add with each result that the journal has kept. If it is nil, the coordinator
	// keeps the results in memory.
	Replay func(add func(*job.Result) error) error
}

// DefaultLease is the default of Options.Lease.
const DefaultLease = 10 * time.Second

// Coordinator runs a job.
type Coordinator struct {
	Options
	Kept    int // the number of tasks in the journal that are done, valid after Run
	broker  *broker.Broker
	job     *job.Job
	journal func(...*job.Result) error
	offer   *broker.Offer

	counted   time.Time       // when the last result came
	explained string          // the last notice about a blocked run
	refused   map[string]int  // the number of refused results by credential
	pulls     []pull          // the requests that wait for a task
	named     map[string]bool // the faulty owners that a notice named
	stopRest  func()          // ends the iteration of the schedule over the ledger
	stored    []*job.Result   // the results in memory
	checks    chan job.Want   // the tasks to check
	checked   chan *job.Result
	failed    chan error     // the failure of a check
	passed    map[string]int // the number of checks by owner
	checking  map[int]bool   // the tasks that are being checked

	mutex    sync.Mutex // guards the fields below
	ledger   *job.Ledger
	schedule *schedule
	members  members
	blocked  *Blocked
	begun    time.Time
	before   job.Summary // at the beginning of the run
}

// pull is a request for a task.
type pull struct {
	asker
	since   time.Time
	request *broker.Request
}

func newPull(thread string, r *broker.Request, since time.Time) pull {
	return pull{asker{job.Owner(thread), worker.Process(thread)}, since, r}
}

// New returns a coordinator for the missing results of a ledger. When journal returns nil, its
// results must be safe on the disk.
func New(b *broker.Broker, j *job.Job, ledger *job.Ledger, journal func(...*job.Result) error, o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	c := &Coordinator{Options: o, broker: b, job: j, journal: journal, refused: make(map[string]int), ledger: ledger,
		stopRest: func() {}, named: make(map[string]bool), checks: make(chan job.Want, mostChecks), checked: make(chan *job.Result),
		failed: make(chan error), passed: make(map[string]int), checking: make(map[int]bool),
		members: newMembers(), begun: time.Now(), before: ledger.Summary()}
	c.Kept = c.before.TasksDone
	c.schedule = newSchedule(o.Lease, func() (job.Want, bool) { return job.Want{}, false })
	return c
}

// ErrMethods reports a fault of this machine or program.
const ErrMethods fianchetto.Problem = "coordinator: two methods of this machine count differently"

const (
	tick     = 250 * time.Millisecond // between two reviews, and between attempts to offer the job
	pullTime = time.Second            // how long a request waits for a task
	partTime = time.Second            // how long workers have to hear that the run has ended
	batch    = 64                     // the most requests whose results one fsync makes safe
)

// Run offers the job and answers workers until the ledger is done or the context ends.
//
// It returns broker.ErrClaimed if the job has another coordinator, ErrNobody if no worker is left
// that may count, ErrMethods, and the errors of the broker, the journal and the
// ledger. It refuses a bad result with a notice.
func (c *Coordinator) Run(parent context.Context) error {
	if c.ledger.Done() {
		return nil
	}
	var checker sync.WaitGroup
	defer checker.Wait()
	c.schedule.rest, c.stopRest = iter.Pull(c.ledger.Wants())
	defer func() { c.stopRest() }()
	ctx, unbind := c.broker.Bind(parent)
	defer unbind(nil)
	if c.Checks > 0 {
		checker.Go(func() { c.check(ctx) })
	}
	if c.Replay == nil && c.ledger.TasksDone() > 0 {
		return errors.New("coordinator: results without Options.Replay")
	}
	c.counted = time.Now()
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
		case r := <-c.checked:
			err = c.takeCheck(r)
		case err = <-c.failed:
		case <-ticker.C:
			err = c.look()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isOver reports whether all tasks are done and the workers know it or had time to hear it. They
// must not take the end of the broker for a fault.
func (c *Coordinator) isOver() bool {
	return c.ledger.Done() && len(c.checking) == 0 && (c.Workers != nil || !c.members.ignorant() || time.Since(c.counted) > partTime)
}

// open offers the job to workers. It tries again until ctx ends.
func (c *Coordinator) open(ctx context.Context) (err error) {
	about := string(job.Line(&c.job.Description))
	describe := func() broker.Job {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return broker.Job{Name: c.job.ID.String(), About: about, Lease: c.Lease, Tasks: c.schedule.has()}
	}
	for ; ctx.Err() == nil; time.Sleep(tick) {
		if c.offer, err = c.broker.Offer(ctx, describe); err == nil || !errors.Is(err, broker.ErrBroker) {
			return err
		}
	}
	return context.Cause(ctx)
}

// look reviews the schedule if heartbeats can come, and answers waiting requests.
func (c *Coordinator) look() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := time.Now()
	if c.broker.Connected() {
		c.schedule.review(now)
	}
	c.members.forget(now)
	if index, ok := c.ledger.ToArbitrate(); ok && c.Checks > 0 {
		c.submit(index)
	}
	c.giveAll(now)
	return c.noteBlocked(now)
}

// serve handles the requests that have arrived. It confirms results only after the journal has kept
// them.
func (c *Coordinator) serve(first *broker.Request) error {
	keep, reports, reset, err := c.read(first)
	if err == nil {
		err = c.keep(keep, reset)
	}
	if err != nil || len(keep)+len(reports) == 0 {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.counted, c.Kept = time.Now(), c.ledger.TasksDone()
	for _, p := range reports {
		c.give(p, c.counted)
	}
	if c.schedule.has() || c.ledger.Done() {
		c.giveAll(c.counted)
	}
	return nil
}

// read handles a batch of requests. It returns the reports to confirm, which ask for more tasks,
// the results to keep before that, and whether the ledger must then read all results again.
func (c *Coordinator) read(first *broker.Request) (keep []*job.Result, reports []pull, reset bool, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for r, n := first, 1; ; n++ {
		awaited := c.offer.Done(r)
		switch r.Kind {
		case broker.Take:
			if awaited { // or the task would be lost
				c.pull(r, time.Now())
			}
		case broker.Heartbeat:
			c.hear(r, time.Now())
		case broker.Report:
			result, outcome, err := c.add(r)
			if err != nil {
				return nil, nil, false, err
			}
			if result != nil && outcome.IsNews() {
				keep, reset = append(keep, result), reset || outcome.Reset
			}
			if result != nil && awaited {
				reports = append(reports, newPull(result.Worker, r, time.Time{}))
			}
		}
		if n >= batch || len(c.offer.Requests) == 0 {
			return keep, reports, reset, nil
		}
		r = <-c.offer.Requests
	}
}

const (
	maxPulls       = 256     // the most waiting requests of a credential
	maxSharedPulls = 1 << 14 // the most waiting requests of all workers with a shared token
)

// pull answers a request for a task, or lets it wait if there is none.
func (c *Coordinator) pull(r *broker.Request, now time.Time) {
	thread := string(r.Data)
	if job.CheckName(thread, r.Credential) != nil {
		return
	}
	p := newPull(thread, r, now)
	if !c.give(p, now) && c.pulling(r.Credential) < share(r.Credential, maxPulls, maxSharedPulls) {
		c.pulls = append(c.pulls, p)
	}
}

// share returns the limit of a credential, or that of all workers with a shared token.
func share(credential string, own, shared int) int {
	if credential == "" {
		return shared
	}
	return own
}

// pulling returns the number of waiting requests of a credential.
func (c *Coordinator) pulling(credential string) (n int) {
	for i := range c.pulls {
		if c.pulls[i].request.Credential == credential {
			n++
		}
	}
	return n
}

// give answers a request with a task, or with none after pullTime. It reports whether it answered.
func (c *Coordinator) give(p pull, now time.Time) bool {
	if c.ledger.Done() {
		p.request.Answer([]byte(worker.Ended))
		if m := c.members.known[p.process]; m != nil {
			m.told = true
		}
		return true
	}
	want, ok := c.schedule.give(p.asker, now)
	switch {
	case ok:
		p.request.Answer(job.Line(c.job.Task(want)))
	case now.Sub(p.since) >= pullTime:
		p.request.Answer(nil)
	default:
		return false
	}
	return true
}

// giveAll answers the waiting requests for which there are tasks.
func (c *Coordinator) giveAll(now time.Time) {
	c.pulls = slices.DeleteFunc(c.pulls, func(p pull) bool { return c.give(p, now) })
}

// hear records a heartbeat if it is valid.
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

// keep makes results safe, and has the ledger read all results again if it must.
func (c *Coordinator) keep(results []*job.Result, reset bool) error {
	if len(results) == 0 {
		return nil
	}
	if c.Replay == nil {
		c.stored = append(c.stored, results...)
	}
	if err := c.journal(results...); err != nil || !reset {
		return err
	}
	return c.replay()
}

// replay reads all results again as long as that finds faulty owners, and starts a new schedule. A
// task that is being counted may go to another worker as well.
func (c *Coordinator) replay() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.sayFaults()
	for again := true; again; {
		again = false
		c.ledger.Reset()
		err := c.each(func(r *job.Result) error {
			outcome, err := c.ledger.Add(r)
			again = again || outcome.Reset
			return err
		})
		if err != nil {
			return err
		}
		c.sayFaults()
	}
	c.stopRest()
	rest, stop := iter.Pull(c.ledger.Wants())
	c.stopRest = stop
	fresh := newSchedule(c.Lease, rest)
	fresh.times, fresh.redeliveries, fresh.reviewed = c.schedule.times, c.schedule.redeliveries, c.schedule.reviewed
	c.schedule = fresh
	return nil
}

// each calls add with each kept result.
func (c *Coordinator) each(add func(*job.Result) error) error {
	if c.Replay != nil {
		return c.Replay(add)
	}
	for _, r := range c.stored {
		if err := add(r); err != nil {
			return err
		}
	}
	return nil
}

// sayFaults gives notice once of each faulty owner.
func (c *Coordinator) sayFaults() {
	for _, owner := range c.ledger.Quarantined() {
		if !c.named[owner] {
			c.named[owner] = true
			c.Notice("faulty worker: " + owner + "; its results are counted again")
		}
	}
}

// add adds a reported result to the ledger. It refuses a bad one and returns nil then.
func (c *Coordinator) add(r *broker.Request) (result *job.Result, outcome job.Outcome, err error) {
	result, outcome, err = c.addOne(r)
	if err == nil || errors.Is(err, job.ErrOverflow) {
		return result, outcome, err
	}
	c.refuse(r, err)
	r.Answer(nil)
	return nil, outcome, nil
}

// addOne adds a reported result to the ledger. Errors other than job.ErrOverflow leave the ledger
// unchanged.
func (c *Coordinator) addOne(r *broker.Request) (result *job.Result, outcome job.Outcome, err error) {
	result = new(job.Result)
	err = job.Receive(r.Data, result)
	if err == nil {
		err = job.CheckName(result.Worker, r.Credential)
	}
	if err != nil {
		return nil, outcome, err
	}
	now, owner := time.Now(), job.Owner(result.Worker)
	since := cmp.Or(c.schedule.heldSince(result.Index, owner), c.begun) // an earlier run may have given it out
	result.Alone = len(c.Workers) == 1
	result.Elapsed = min(result.Elapsed, now.Sub(since))
	if outcome, err = c.ledger.Add(result); err != nil {
		return nil, outcome, err
	}
	var next *job.Want
	if want, ok := c.ledger.Wanted(result.Index); ok {
		next = &want
	}
	c.schedule.report(result.Index, owner, next, now)
	if !outcome.Duplicate {
		c.schedule.credit(owner, result.Elapsed)
		c.choose(result)
	}
	c.members.credit(result, r.Credential, now)
	return result, outcome, nil
}

// refuse gives notice of a refused result, at most ten times for each credential.
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
