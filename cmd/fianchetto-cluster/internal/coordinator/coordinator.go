// Package coordinator gives out the tasks of a job, takes the results, and keeps them in a journal before it
// acknowledges them to the broker. Only the journal decides what is counted: the broker may lose tasks and results, and
// what is missing is given out again. The ledger alone decides what a result changes.
package coordinator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
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
	Lease    time.Duration     // how long a worker may send no heartbeat before its task goes to another; 10 s
	Window   int               // how many tasks are given out at a time; 1024, or fewer if they are large
	Patience time.Duration     // how long the broker may not answer; 5 minutes
	Workers  []string          // the names of all threads there are, if no other can join; nil if they can
	Ready    func()            // is called when the job is there for workers to find; nil
	Notice   func(text string) // is called with problems that do not end the run; nil
}

// DefaultLease is the lease unless another is asked for. Heartbeats come every third of it.
const DefaultLease = 10 * time.Second

// Coordinator runs a job.
type Coordinator struct {
	Options
	broker  *broker.Broker
	job     *job.Job
	ledger  *job.Ledger
	journal Journal

	queue   *broker.Queue
	again   []job.Want              // tasks that another worker must count, which are given out first
	rest    func() (job.Want, bool) // returns the other tasks, in their order
	out     map[int]job.Want        // tasks that are given out, by index
	orphans map[taskKey]time.Time   // see findOrphans
	heard   time.Time               // when the broker answered last
	counted time.Time               // when the last result came
	given   map[string]bool         // notices that are not given again
	refused map[string]int          // results that were not taken in, by credential
	watch   watch
}

// New returns a coordinator for what the ledger wants of a job. The journal may be nil: then nothing is kept.
func New(b *broker.Broker, j *job.Job, ledger *job.Ledger, journal Journal, o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	o.Window = cmp.Or(o.Window, windowOf(j))
	o.Patience = cmp.Or(o.Patience, 5*time.Minute)
	if o.Ready == nil {
		o.Ready = func() {}
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	c := &Coordinator{
		Options: o, broker: b, job: j, ledger: ledger, journal: journal,
		out: make(map[int]job.Want), given: make(map[string]bool), refused: make(map[string]int),
	}
	c.watch.begin(ledger)
	return c
}

// windowOf returns how many tasks of a job to give out at a time. The broker has them in memory, some 30 bytes a
// position.
func windowOf(j *job.Job) int {
	const fewest, most, positions = 64, 1024, 1 << 21
	return min(max(fewest, positions*j.Tasks()/max(1, j.Positions())), most)
}

// Times that the loop goes by.
const (
	longWait   = 10 * time.Second       // for a result, after which a notice explains the wait
	quietTime  = 500 * time.Millisecond // without an answer of the broker, after which a notice reports that
	tick       = 250 * time.Millisecond // between two looks at whether something is wrong
	idleTime   = time.Second            // without a result, after which the broker is asked what it has
	retryPause = 250 * time.Millisecond
	fetchTime  = 2 * time.Second // that one request for results waits
	batch      = 512             // results taken at a time, which one fsync covers
)

// Run claims the job, gives out tasks and takes results until the ledger is done, ctx is, or it fails; it then takes
// the job off the broker, unless the broker fails or ctx is done, so that another run may go on with what is there.
//
// Its errors are broker.ErrClaimed if the broker has another coordinator of the job, *job.ConflictError and ErrNobody
// if results differ, job.ErrOverflow, those of the journal, and ErrAbsent and those of the queue for the broker. What
// is not a result of the job is refused with a notice.
func (c *Coordinator) Run(parent context.Context) error {
	if c.ledger.Done() {
		return nil
	}
	var stopRest func()
	c.rest, stopRest = iter.Pull(c.ledger.Wants())
	defer stopRest()
	bound, cancel := c.broker.Bind(parent)
	defer cancel()
	c.heard, c.counted = time.Now(), time.Now()
	ctx, release, err := c.claim(bound)
	if err != nil {
		return err
	}
	defer release()
	if err := c.make(ctx); err != nil {
		return err
	}
	stop, err := c.queue.Watch(c.watch.heartbeat)
	if err != nil {
		return err
	}
	defer stop()
	c.Ready()
	results := make(chan broker.Result, batch)
	go c.receive(ctx, results)
	for !c.ledger.Done() {
		if err := c.turn(ctx, results); err != nil {
			return err
		}
	}
	return c.queue.Remove(context.WithoutCancel(ctx))
}

// claim claims the job, and keeps the claim until release is called. The context that it returns is done when another
// process has taken the job over.
func (c *Coordinator) claim(parent context.Context) (ctx context.Context, release func(), err error) {
	var claim *broker.Claim
	err = c.retry(parent, func() (err error) {
		claim, err = c.broker.Claim(parent, c.job.ID().String(), c.Lease, c.noticeOnce)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	var kept sync.WaitGroup
	kept.Go(func() {
		if err := claim.Keep(ctx); err != nil {
			cancel(err)
		}
	})
	return ctx, func() {
		cancel(nil)
		kept.Wait()
		claim.Release()
	}, nil
}

// make makes the queue, or what of it the broker has lost, however long the broker takes within patience.
func (c *Coordinator) make(ctx context.Context) error {
	about, err := json.Marshal(c.job.Description())
	if err != nil {
		return err
	}
	return c.retry(ctx, func() error {
		q, err := c.broker.Make(ctx, c.job.ID().String(), string(about), c.Lease)
		if err == nil {
			c.queue = q
		}
		return err
	})
}

// retry calls the broker until that succeeds, patience ends, or ctx is done.
func (c *Coordinator) retry(ctx context.Context, call func() error) error {
	for {
		err := call()
		if err == nil {
			c.heard = time.Now()
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, broker.ErrOptions) || errors.Is(err, broker.ErrTooLarge) ||
			errors.Is(err, broker.ErrClaimed) {
			return err
		}
		if absent := time.Since(c.heard); absent > c.Patience {
			return fmt.Errorf("%w: %v: %w", ErrAbsent, absent.Round(time.Second), err)
		} else if absent > quietTime {
			c.noticeOnce("the broker does not answer as it should, trying again: " + err.Error())
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

// receive hands over results as they come until ctx is done. Whether the broker fails is for others to find out.
func (c *Coordinator) receive(ctx context.Context, results chan<- broker.Result) {
	q := c.queue
	for ctx.Err() == nil {
		err := q.Results(ctx, batch, fetchTime, func(r broker.Result) {
			select {
			case results <- r:
			case <-ctx.Done():
			}
		})
		if err != nil {
			pause(ctx)
		}
	}
}

// pause waits before something is tried again, unless ctx is done.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryPause):
	}
}

// turn gives out tasks while there is room and takes the results that have come. If none has, it checks the broker.
func (c *Coordinator) turn(ctx context.Context, results <-chan broker.Result) error {
	if err := c.giveOut(ctx); err != nil {
		return err
	}
	timer := time.NewTimer(tick)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case first := <-results:
		c.heard = time.Now()
		return c.take(first, results)
	case <-timer.C:
		if time.Since(c.heard) < idleTime {
			return nil
		}
		return c.checkBroker(ctx)
	}
}

// giveOut enqueues tasks while the window has room for a good many.
func (c *Coordinator) giveOut(ctx context.Context) error {
	if room := c.Window - len(c.out); room < max(1, c.Window/4) && len(c.out) > 0 {
		return nil
	}
	var wants []job.Want
	for len(c.out) < c.Window {
		want, ok := c.next()
		if !ok {
			break
		}
		if _, ok := c.out[want.Index]; ok {
			continue
		}
		if err := c.checkAskable(want); err != nil {
			return err
		}
		c.out[want.Index] = want
		wants = append(wants, want)
	}
	return c.enqueue(ctx, wants)
}

// next returns the task to give out next, as the ledger wants it now, and false if there is none.
func (c *Coordinator) next() (job.Want, bool) {
	for len(c.again) > 0 {
		index := c.again[0].Index
		c.again = c.again[1:]
		if now, ok := c.ledger.Wanted(index); ok {
			return now, true
		}
	}
	return c.rest()
}

// enqueue puts tasks into the queue, up to 64 at a time, for they may be large.
func (c *Coordinator) enqueue(ctx context.Context, wants []job.Want) error {
	const most = 64
	for some := range slices.Chunk(wants, most) {
		tasks := c.messages(some)
		err := c.retry(ctx, func() error {
			err := c.queue.Enqueue(ctx, tasks...)
			if errors.Is(err, broker.ErrGone) {
				return errors.Join(c.remake(ctx), err) // and then once more
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// key returns the key of a task in the queue.
func key(want job.Want) taskKey { return taskKey{int32(want.Pass), int32(want.Index)} }

func (c *Coordinator) messages(wants []job.Want) (tasks []broker.Message) {
	for _, want := range wants {
		tasks = append(tasks, broker.Message{Key: key(want).String(), Data: c.job.Task(want).Append(nil)})
	}
	return tasks
}

// checkBroker asks the broker, from which nothing came for a while, what it has, and gives out again what it has lost.
func (c *Coordinator) checkBroker(ctx context.Context) error {
	var state broker.State
	lost := false
	err := c.retry(ctx, func() (err error) {
		state, err = c.queue.State(ctx)
		if errors.Is(err, broker.ErrGone) {
			lost, err = true, c.remake(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	if lost || state == (broker.State{}) && len(c.out) > 0 {
		c.Notice("giving out " + figures.Things(len(c.out), "task") + " again") // what the broker has is not doubled
		return c.enqueue(ctx, slices.Collect(maps.Values(c.out)))
	}
	if err := c.replaceOrphans(ctx, state); err != nil {
		return err
	}
	if time.Since(c.counted) > longWait {
		c.explainWait()
	}
	return nil
}

// explainWait gives notice if all that is left waits for other workers than those that have counted it.
func (c *Coordinator) explainWait() {
	var avoid []string
	for _, want := range c.out {
		if len(want.Avoid) == 0 {
			return
		}
		avoid = want.Avoid
	}
	c.noticeOnce(fmt.Sprintf("what is left must be verified by workers other than those who counted it first, such as %q",
		avoid))
}

// remake makes the queue that the broker has lost.
func (c *Coordinator) remake(ctx context.Context) error {
	c.Notice("the broker has lost the job: making it again")
	return c.make(ctx)
}

// take takes the results that have come: into the ledger, into the journal, and only then off the queue.
func (c *Coordinator) take(first broker.Result, more <-chan broker.Result) error {
	taken := []broker.Result{first}
	for len(taken) < batch && len(more) > 0 {
		taken = append(taken, <-more)
	}
	var keep []*job.Result
	for i := range taken {
		result, err := c.add(&taken[i])
		if err != nil {
			return err
		}
		if result != nil {
			keep = append(keep, result)
		}
	}
	if c.journal != nil && len(keep) > 0 {
		if err := c.journal.Append(keep...); err != nil {
			return err
		}
	}
	for i := range taken {
		_ = taken[i].Settle() // else it comes again, which changes nothing
	}
	c.counted = time.Now()
	c.watch.note(c.ledger, len(c.out))
	return nil
}

// add adds a result to the ledger and returns it if it is new.
func (c *Coordinator) add(taken *broker.Result) (*job.Result, error) {
	result, err := job.DecodeResult(taken.Data)
	if err == nil {
		err = job.CheckName(result.Worker, taken.Credential)
	}
	if err == nil {
		err = job.CheckBuild("worker "+result.Worker, result.Build)
	}
	if err != nil {
		c.refuse(taken, err)
		return nil, nil
	}
	result.Alone = len(c.Workers) == 1
	outcome, err := c.ledger.Add(result)
	if errors.Is(err, job.ErrJob) || errors.Is(err, job.ErrTask) {
		c.refuse(taken, err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.watch.result(result, taken.Deliveries)
	for _, m := range outcome.Mismatches {
		c.Notice("faulty worker: " + m.String())
	}
	if outcome.Want != nil {
		c.askAgain(*outcome.Want)
	} else {
		delete(c.out, result.Index)
	}
	if outcome.Standing == job.Duplicate && len(outcome.Mismatches) == 0 {
		return nil, nil
	}
	return result, nil
}

// refuse reports a result that is not taken in, unless many of the same sender were. Its task stays out: it is given
// out again when nothing else is.
func (c *Coordinator) refuse(taken *broker.Result, reason error) {
	const most = 10
	c.refused[taken.Credential]++
	n := c.refused[taken.Credential]
	if n > most {
		return
	}
	sender := ""
	if taken.Credential != "" {
		sender = " of " + taken.Credential
	}
	text := fmt.Sprintf("refused result %s%s: %v", quote.Text(taken.Key, 0), sender, reason)
	if n == most {
		text += "; others are not reported"
	}
	c.Notice(text)
}

// askAgain has a task counted again that needs another result, unless that is asked for already.
func (c *Coordinator) askAgain(want job.Want) {
	if out, ok := c.out[want.Index]; ok && out.Pass == want.Pass {
		return
	}
	delete(c.out, want.Index)
	c.again = append(c.again, want)
}

// checkAskable returns ErrNobody if a task must be counted by other workers than there can be.
func (c *Coordinator) checkAskable(want job.Want) error {
	free := func(thread string) bool { return !slices.Contains(want.Avoid, job.Owner(thread)) }
	if c.Workers == nil || slices.ContainsFunc(c.Workers, free) {
		return nil
	}
	return fmt.Errorf("%w: task %d: %v", ErrNobody, want.Index, c.ledger.Candidates(want.Index))
}

// replaceOrphans gives out again what no worker has although the broker thinks so. While tasks wait for workers there
// are no orphans.
func (c *Coordinator) replaceOrphans(ctx context.Context, state broker.State) error {
	if state.Waiting > 0 || state.Results > 0 {
		c.orphans = nil
		return nil
	}
	silence := max(c.Lease, 3*worker.HeartbeatPause) // for which a worker is not given up: heartbeats may be lost
	lost := c.findOrphans(c.watch.held(silence), silence)
	if len(lost) == 0 {
		return nil
	}
	c.Notice("no worker has " + figures.Things(len(lost), "task") +
		" that the broker has given out, as after a clock was put back: giving out again")
	return c.retry(ctx, func() error { return c.queue.Replace(ctx, c.messages(lost)...) })
}

// findOrphans returns the tasks that are given out and that no worker has reported to hold for longer than patience.
// The broker gives a dead worker's tasks to others when their lease ends, but by the wall clock, which may be set;
// times here are monotonic.
func (c *Coordinator) findOrphans(held map[taskKey]bool, patience time.Duration) (lost []job.Want) {
	now, still := time.Now(), make(map[taskKey]time.Time) // since when no worker has reported a task
	for _, want := range c.out {
		key := key(want)
		if held[key] {
			continue
		}
		since, ok := c.orphans[key]
		if !ok {
			since = now
		}
		if now.Sub(since) > patience {
			lost = append(lost, want)
			continue
		}
		still[key] = since
	}
	c.orphans = still
	return lost
}
