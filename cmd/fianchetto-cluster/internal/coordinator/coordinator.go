// Package coordinator queues the tasks of a job for workers and adds up the stored results. It holds
// nothing that the streams of the run do not: another coordinator can take over at any time, and two
// at once do no harm.
package coordinator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	checks  chan job.Want        // the tasks to check

	mutex    sync.Mutex // guards the fields below
	ledger   *job.Ledger
	queue    *queue // nil while stored results are read
	members  map[string]*WorkerStatus
	refused  map[string]int  // the number of refused results by credential
	named    map[string]bool // the faulty owners that a notice named
	checking map[int]bool    // the tasks that are being checked
	passed   map[string]int  // the number of checks by owner
	failure  error           // of a check
	blocked  *Blocked
	told     string    // the last notice about tasks that no present worker may count
	stuck    time.Time // since when there are such tasks
	again    int       // the tasks that earlier queues gave again
	present  int       // the threads at the last review
	begun    time.Time
	before   job.Summary // at the beginning of the run
}

// New returns a coordinator of a job.
func New(b *broker.Broker, j *job.Job, o Options) *Coordinator {
	return &Coordinator{Options: o, broker: b, job: j, endFeed: func() {}, checks: make(chan job.Want, mostDisputes),
		ledger: job.NewLedger(j, o.Rules), members: make(map[string]*WorkerStatus), refused: make(map[string]int),
		named: make(map[string]bool), checking: make(map[int]bool), passed: make(map[string]int), begun: time.Now()}
}

const (
	tick      = 250 * time.Millisecond
	lookTicks = 4                      // between two looks at the queue
	partTime  = 300 * time.Millisecond // in which workers hear that the run has ended
)

// Run queues the tasks and adds up the results until the ledger is done or the context ends. It
// returns ErrNobody if results differ and no worker can join to decide, ErrMethods, and the errors of
// the broker. It refuses a bad result with a notice.
func (c *Coordinator) Run(parent context.Context) (err error) {
	ctx, unbind := c.broker.Bind(parent)
	var checker sync.WaitGroup
	defer checker.Wait()
	defer unbind(nil)
	if err := c.open(ctx, c.Lease); err != nil {
		return err
	}
	defer func() { c.endFeed() }()
	c.before = c.ledger.Summary()
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
	for ticks := 0; !c.over(); {
		c.fill()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case r := <-c.results:
			err = c.takeAll(ctx, r)
		case <-ticker.C:
			ticks++
			err = c.review(ctx, ticks%lookTicks == 0)
		}
		if err != nil {
			return cmp.Or(context.Cause(ctx), err) // the end of ctx explains any error
		}
	}
	c.streams.Close(ctx)
	if c.Workers == nil {
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

// over reports whether all tasks are decided, and none is being checked.
func (c *Coordinator) over() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.ledger.Done() && len(c.checking) == 0
}

// open opens the streams and reads the stored results.
func (c *Coordinator) open(ctx context.Context, lease time.Duration) (err error) {
	if c.streams, err = c.broker.OpenRun(ctx, c.job.ID, job.Build(), lease); err == nil {
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
		c.forget()
		again = false
		loaded, err := c.streams.Empty(ctx)
		for err == nil && !loaded {
			select {
			case <-ctx.Done():
				err = context.Cause(ctx)
			case stored := <-c.results:
				loaded = stored.Last
				again = c.add(&stored) || again
			}
		}
		if err != nil {
			return err
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, f := range c.ledger.Faults() {
		if !c.named[f.Worker] {
			c.named[f.Worker] = true
			c.Notice("faulty worker: " + f.Worker + "; its results are counted again")
		}
	}
	c.queue = newQueue(c.ledger, c.job.Bytes, func(want job.Want, copies int) string {
		task := c.job.Task(want)
		task.Lease = c.Lease
		return c.streams.Give(want.Index, want.Pass, copies, job.Line(task))
	}, c.streams.Drop)
	return nil
}

// forget takes all results out of the ledger.
func (c *Coordinator) forget() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.queue != nil {
		c.again += c.queue.again
	}
	c.queue = nil
	c.ledger.Reset()
	for _, m := range c.members {
		m.Tasks, m.nodes, m.counted = 0, 0, 0
	}
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
	return n, c.streams.Discard(ctx, name)
}

// Keep stores results of a worker, the first of them of a task.
func (c *Coordinator) Keep(ctx context.Context, task int, name string, results []byte) error {
	return c.broker.Report(ctx, c.job.ID, task, worker.Process(name), results)
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
	reset := c.add(&stored)
	for n := 1; n < most && len(c.results) > 0; n++ {
		stored = <-c.results
		reset = c.add(&stored) || reset
	}
	if !reset {
		return nil
	}
	return c.load(ctx)
}

// add adds the results of a stored message to the ledger. It refuses the bad ones. It reports whether
// all results must be added again.
func (c *Coordinator) add(stored *broker.Stored) (reset bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for line := range bytes.Lines(stored.Data) {
		outcome, err := c.addLine(stored, line)
		if err != nil {
			c.refuse(stored.Credential, err)
		}
		reset = reset || outcome == job.Reset
	}
	return reset
}

// addLine adds the result of a line to the ledger.
func (c *Coordinator) addLine(stored *broker.Stored, line []byte) (job.Outcome, error) {
	r := new(job.Result)
	err := job.Read(line, r)
	isCheck := err == nil && r.Worker == job.Arbiter && stored.Own
	if err == nil && !isCheck {
		err = job.CheckName(r.Worker, stored.Credential)
	}
	outcome := job.Duplicate
	if err == nil {
		outcome, err = c.ledger.Add(r)
	}
	if err != nil {
		return outcome, err
	}
	if isCheck {
		delete(c.checking, r.Index)
	} else {
		c.credit(r, stored.Credential, time.Now())
	}
	if c.queue != nil {
		c.queue.settle(r.Index)
		if !isCheck && outcome == job.News {
			c.choose(r)
		}
	}
	return outcome, nil
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

// hear records that a process is there.
func (c *Coordinator) hear(credential string, text []byte) {
	var h worker.Here
	if json.Unmarshal(text, &h) != nil || job.CheckName(h.Name, credential) != nil || h.Threads < 0 {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.member(h.Name, credential, time.Now())
	m.Threads, m.redelivered = h.Threads, h.Redelivered
}

// review looks at the results that differ, and perhaps at the queue.
func (c *Coordinator) review(ctx context.Context, look bool) error {
	if err := c.arbitrate(); err != nil || !look {
		return err
	}
	seen, err := c.streams.Look(ctx)
	if err != nil {
		return nil // the queue comes back
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.queue.review(seen, max(c.Lease/2, 2*c.ledger.Mean()))
	return nil
}

// arbitrate submits the tasks whose results differ for a check, and looks for tasks that no present
// worker may count.
func (c *Coordinator) arbitrate() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.present = c.threads()
	if c.Rules.Arbiter {
		for index := range c.ledger.Disputes() {
			c.submit(index)
		}
	}
	return cmp.Or(c.failure, c.noteBlocked(time.Now()))
}
