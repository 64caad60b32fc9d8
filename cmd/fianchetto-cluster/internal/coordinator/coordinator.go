// Package coordinator queues the tasks of a job for workers and adds up the stored results. It holds
// nothing that the streams of the run do not: another coordinator can take over at any time, and two
// at once do no harm.
package coordinator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
)

// Problems of a run. Test for one with errors.Is.
const (
	ErrNobody  fianchetto.Problem = "coordinator: no worker is left to ask"
	ErrMethods fianchetto.Problem = "coordinator: two methods of this machine count differently"
)

// Options configure a coordinator. Run needs all but Workers, Join and Checks, Load only Notice.
type Options struct {
	Lease   time.Duration     // how long a silent worker keeps its tasks
	Rules   job.Rules         // how results that differ are decided
	Checks  float64           // the share of the results that the coordinator checks
	Count   worker.Counter    // counts the checked tasks
	Workers []string          // all threads of the run, or nil if others can join
	Join    string            // the command by which workers join, or ""
	Ready   func()            // called when workers can find the run
	Notice  func(text string) // called with problems that do not end the run
}

// DefaultLease is a good value of Options.Lease.
const DefaultLease = 10 * time.Second

// Coordinator runs a job.
type Coordinator struct {
	Options
	broker  *broker.Broker
	job     *job.Job
	streams *broker.Run
	results <-chan broker.Stored // the stored results, in their order
	endFeed func()               // ends their sender
	queue   *queue

	refused map[string]int  // the number of refused results by credential
	named   map[string]bool // the faulty owners that a notice named
	told    string          // the last notice about tasks that nobody may count
	stuck   time.Time       // since when there are such tasks
	times   []time.Duration // that the last tasks took
	looked  time.Time       // when the queue was last looked at
	present int             // the threads at the last review
	checks  chan job.Want   // the tasks to check
	passed  map[string]int  // the number of checks by owner

	mutex    sync.Mutex // guards the fields below
	ledger   *job.Ledger
	members  map[string]*WorkerStatus
	blocked  *Blocked
	checking map[int]bool // the tasks that are being checked
	failure  error        // of a check
	begun    time.Time
	before   job.Summary // at the beginning of the run
}

// New returns a coordinator of a job.
func New(b *broker.Broker, j *job.Job, o Options) *Coordinator {
	return &Coordinator{Options: o, broker: b, job: j, endFeed: func() {}, refused: make(map[string]int),
		named: make(map[string]bool), checks: make(chan job.Want, mostDisputes), passed: make(map[string]int),
		ledger: job.NewLedger(j, o.Rules), members: make(map[string]*WorkerStatus), checking: make(map[int]bool),
		begun: time.Now()}
}

const (
	tick      = 250 * time.Millisecond
	lookPause = time.Second            // between two looks at the queue
	partTime  = 300 * time.Millisecond // in which workers hear that the run has ended
)

// Run queues the tasks and adds up the results until the ledger is done or the context ends. It
// returns ErrNobody if results differ and no worker can join to decide, ErrMethods, and the errors of
// the broker and the ledger. It refuses a bad result with a notice.
func (c *Coordinator) Run(parent context.Context) (err error) {
	ctx, unbind := c.broker.Bind(parent)
	var checker sync.WaitGroup
	defer checker.Wait()
	defer unbind(nil)
	if err := c.open(ctx, c.Lease); err != nil {
		return err
	}
	defer func() { c.endFeed() }()
	c.mutex.Lock()
	c.before = c.ledger.Summary()
	c.mutex.Unlock()
	if c.over() {
		return nil
	}
	stop, err := c.broker.Hear(c.hear)
	if err != nil {
		return err
	}
	defer stop()
	c.Ready()
	checker.Go(func() { c.check(ctx) })
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for !c.over() {
		c.fill()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case r := <-c.results:
			err = c.takeAll(ctx, r)
		case <-ticker.C:
			err = c.review(ctx)
		}
		if err != nil {
			return cmp.Or(context.Cause(ctx), err) // the end of ctx explains any error
		}
	}
	c.streams.Close(ctx)
	if c.Workers == nil && c.threads() > 0 {
		broker.Pause(ctx, partTime) // they must not take the end of the broker for a fault
	}
	return nil
}

// Load reads the stored results of a run without workers.
func (c *Coordinator) Load(ctx context.Context) error {
	defer func() { c.endFeed() }()
	return c.open(ctx, 0)
}

// Ledger returns the ledger of a run without workers.
func (c *Coordinator) Ledger() *job.Ledger { return c.ledger }

// TasksDone returns the number of decided tasks.
func (c *Coordinator) TasksDone() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.ledger.TasksDone()
}

// over reports whether all tasks are decided, and none is being checked.
func (c *Coordinator) over() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.ledger.Done() && len(c.checking) == 0
}

// open opens the streams and reads the stored results.
func (c *Coordinator) open(ctx context.Context, lease time.Duration) (err error) {
	if c.streams, err = c.broker.OpenRun(ctx, c.job.ID.String(), job.Build(), lease); err == nil {
		err = c.load(ctx)
	}
	return cmp.Or(context.Cause(ctx), err)
}

// load adds all stored results to an empty ledger, and makes the channel of those that follow. It
// does so again as long as it finds faulty owners.
func (c *Coordinator) load(ctx context.Context) error {
	for again := true; again; {
		c.endFeed()
		feed, stop := context.WithCancel(ctx)
		c.endFeed, c.results = stop, c.streams.Results(feed)
		c.mutex.Lock()
		c.ledger.Reset()
		c.mutex.Unlock()
		again = false
		loaded, err := c.streams.Empty(ctx)
		for err == nil && !loaded {
			select {
			case <-ctx.Done():
				err = context.Cause(ctx)
			case stored := <-c.results:
				loaded = stored.Last
				err = c.add(ctx, &stored, func(_ *job.Result, o job.Outcome) { again = again || o.Reset })
			}
		}
		if err != nil {
			return err
		}
		c.sayFaults()
	}
	give := func(want job.Want, copies int) string {
		return c.streams.Give(want.Index, want.Pass, copies, job.Line(c.job.Task(want)))
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	again := 0
	if c.queue != nil {
		again = c.queue.again
	}
	c.queue = newQueue(c.ledger, c.job.Bytes, give, c.streams.Drop)
	c.queue.again = again
	return nil
}

// Discard removes the stored results of a worker, a process or a credential, and returns their number.
func (c *Coordinator) Discard(ctx context.Context, name string) (n int, err error) {
	if err := c.Load(ctx); err != nil {
		return 0, err
	}
	for _, w := range c.members {
		if w.Name == name || job.Owner(w.Name) == name {
			n += w.Tasks
		}
	}
	clear(c.members)
	return n, c.streams.Discard(ctx, name)
}

// Keep stores results of a worker, the first of them of a task.
func (c *Coordinator) Keep(ctx context.Context, task int, name string, results []byte) error {
	return c.broker.Report(ctx, c.job.ID.String(), task, worker.Process(name), results)
}

// fill queues tasks until there are enough for all workers.
func (c *Coordinator) fill() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.queue.fill(c.present)
}

// takeAll adds the waiting results, and queues the tasks that they leave undecided.
func (c *Coordinator) takeAll(ctx context.Context, stored broker.Stored) error {
	const most = 256 // before the queue is filled again
	reset := false
	for n := 1; ; n++ {
		err := c.add(ctx, &stored, func(r *job.Result, o job.Outcome) {
			reset = reset || o.Reset
			c.mutex.Lock()
			c.queue.settle(r.Index)
			c.mutex.Unlock()
			if !o.Duplicate && r.Worker != job.Arbiter {
				c.choose(r)
			}
		})
		if err != nil {
			return err
		}
		if n == most || len(c.results) == 0 {
			break
		}
		stored = <-c.results
	}
	if !reset {
		return nil
	}
	return c.load(ctx)
}

// add adds the results of a stored message to the ledger, and calls added with each. It refuses the
// bad ones, and removes a message without a good one.
func (c *Coordinator) add(ctx context.Context, stored *broker.Stored, added func(*job.Result, job.Outcome)) error {
	good := 0
	for line := range bytes.Lines(stored.Data) {
		r := new(job.Result)
		outcome, err := c.addLine(stored, line, r)
		switch {
		case errors.Is(err, job.ErrOverflow):
			return err
		case err != nil:
			c.refuse(stored.Credential, err)
		default:
			good++
			added(r, outcome)
		}
	}
	if good == 0 && len(stored.Data) > 0 {
		return c.streams.Remove(ctx, stored.Sequence)
	}
	return nil
}

// addLine adds the result of a line to the ledger.
func (c *Coordinator) addLine(stored *broker.Stored, line []byte, r *job.Result) (o job.Outcome, err error) {
	err = job.Receive(line, r)
	check := err == nil && r.Worker == job.Arbiter && stored.Own
	if err == nil && !check {
		err = job.CheckName(r.Worker, stored.Credential)
	}
	if err != nil {
		return o, err
	}
	r.Alone = r.Alone && stored.Own
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if o, err = c.ledger.Add(r); err != nil {
		return o, err
	}
	if check {
		delete(c.checking, r.Index)
	} else if c.credit(r, stored.Credential, time.Now()); !o.Duplicate {
		c.times = append(c.times, r.Elapsed)
	}
	return o, nil
}

// refuse gives notice of a refused result, at most ten times for each credential.
func (c *Coordinator) refuse(credential string, reason error) {
	const most = 10
	c.refused[credential]++
	n := c.refused[credential]
	if n > most {
		return
	}
	text := fmt.Sprintf("refused result of %s: %v", cmp.Or(credential, "a worker"), reason)
	if n == most {
		text += "; others are not reported"
	}
	c.Notice(text)
}

// sayFaults gives notice once of each quarantined owner.
func (c *Coordinator) sayFaults() {
	for _, f := range c.ledger.Faults() {
		if !c.named[f.Worker] {
			c.named[f.Worker] = true
			c.Notice("faulty worker: " + f.Worker + "; its results are counted again")
		}
	}
}

// hear records that a process is there, and answers with the build and the lease.
func (c *Coordinator) hear(credential string, text []byte) (answer []byte) {
	var h worker.Here
	if json.Unmarshal(text, &h) != nil || job.CheckName(h.Name, credential) != nil || h.Threads < 0 {
		return nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.member(h.Name, credential, time.Now())
	m.Threads, m.redelivered = h.Threads, h.Redelivered
	answer, _ = json.Marshal(worker.Welcome{Build: job.Build(), Lease: c.Lease})
	return answer
}

// review asks for the arbitration of results that differ, and now and then looks at the queue.
func (c *Coordinator) review(ctx context.Context) error {
	threads := c.threads()
	c.mutex.Lock()
	c.present = threads
	if c.Rules.Arbiter {
		for index := range c.ledger.Disputes() {
			c.submit(index)
		}
	}
	failure := c.failure
	c.mutex.Unlock()
	if failure != nil {
		return failure
	}
	if err := c.noteBlocked(time.Now()); err != nil || time.Since(c.looked) < lookPause {
		return err
	}
	c.looked = time.Now()
	if seen, err := c.streams.Look(ctx); err == nil { // or it comes back
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.queue.review(seen, max(lookPause, 2*c.median()))
	}
	return nil
}

// median returns the median of the times that the last tasks took.
func (c *Coordinator) median() time.Duration {
	const kept = 99
	if len(c.times) == 0 {
		return c.Lease
	}
	c.times = slices.Clone(c.times[max(0, len(c.times)-kept):])
	sorted := slices.Sorted(slices.Values(c.times))
	return sorted[len(sorted)/2]
}
