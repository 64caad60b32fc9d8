// Package cluster counts a job with workers. A Coordinator queues the tasks and adds up the stored
// results. It holds nothing that the streams do not: another can take over at any time, and two at
// once do no harm.
package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// ErrMethods shows that this machine or program is faulty.
const ErrMethods fianchetto.Problem = "two methods of this machine count differently"

// CountFunc counts a task for a named thread.
type CountFunc func(ctx context.Context, thread string, t *job.Task) (*job.Result, error)

// Options configure coordinators and workers. Load needs only Notice.
type Options struct {
	Count  CountFunc
	Closed bool              // no worker of another process can join
	Notice func(text string) // called with lesser problems

	// Of a coordinator.
	Lease    time.Duration // how long a silent worker keeps its tasks
	Checks   float64       // the share of the results to check; 0 lets the workers vote, unless Closed
	Join     string        // the command by which workers join, or ""
	Distrust string        // the worker, process or credential whose stored results Load discards, or ""

	// Of a process of workers. If it is closed, a thread takes another name for the same task.
	Name     string
	Threads  int               // 1 or more
	Idle     time.Duration     // without a task; 0 is forever
	Announce func(text string) // unless nil, called while waiting, and at the end
}

// Coordinator runs a job.
type Coordinator struct {
	Options
	broker  *broker.Broker
	streams *broker.Run
	results <-chan broker.Stored
	check   func(index int, methods []perft.Method) // begins to check a task

	mutex     sync.Mutex // guards the fields below
	ledger    *job.Ledger
	queue     *queue
	members   map[string]*WorkerStatus
	said      map[string]bool // the reasons of notices
	discarded int
	checking  map[int]bool
	passed    map[string]int
	blocked   *Blocked
	stuck     time.Time // since when there are such tasks
	behind    bool      // the last result taken since the last tick has others after it
	present   int       // the threads at the last review
	begun     time.Time
	before    job.Summary
	running   bool // Load has ended
}

// New returns a coordinator of a job.
func New(b *broker.Broker, j *job.Job, o Options) *Coordinator {
	c := &Coordinator{Options: o, broker: b, ledger: job.NewLedger(j, o.Checks > 0 || o.Closed),
		members: make(map[string]*WorkerStatus), said: make(map[string]bool), checking: make(map[int]bool),
		passed: make(map[string]int), behind: true, begun: time.Now(), stuck: time.Now()}
	c.queue = newQueue(c.ledger, c.give)
	return c
}

// give queues tasks in one message, and returns its name.
func (c *Coordinator) give(wants []job.Want, copies int) string {
	text := make([]byte, 0, len(wants)*c.ledger.Bytes())
	for _, want := range wants {
		task := c.ledger.Task(want)
		task.Lease = c.Lease
		text = append(text, job.Line(task)...)
	}
	return c.streams.Give(wants[0].Index, wants[0].Pass, copies, text)
}

const (
	tickTime = 500 * time.Millisecond
	partTime = 300 * time.Millisecond // in which workers hear of the end
)

// Load reads the stored results, until the broker is closed. With a lease it opens the queue, so
// that workers can find the run.
func (c *Coordinator) Load(ctx context.Context) (err error) {
	ctx, _ = c.broker.Bind(ctx)
	if c.streams, err = c.broker.OpenRun(ctx, c.ledger.ID, job.Build(), c.Lease); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	c.results = c.streams.Results(ctx)
	for c.behind {
		if err := c.next(ctx, nil); err != nil {
			return err
		}
	}
	if c.Distrust != "" {
		if err := c.streams.Discard(ctx, c.Distrust); err != nil {
			return err
		}
		c.Notice(format.Things(c.discarded, "result") + " of " + c.Distrust + " discarded")
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.before, c.running = c.ledger.Summary(), true
	return nil
}

// Ledger returns the ledger of a run without workers.
func (c *Coordinator) Ledger() *job.Ledger { return c.ledger }

// Run follows Load, and counts until all tasks are decided. It returns ErrMethods, and the
// errors of ctx and the broker.
func (c *Coordinator) Run(ctx context.Context) error {
	ctx, stop := c.broker.Bind(ctx)
	defer stop(nil)
	deaf, err := c.broker.Hear(c.hear)
	if err != nil {
		return err
	}
	defer deaf()
	group, ctx := errgroup.WithContext(ctx)
	var one sync.Mutex // leaves the other processors to workers
	c.check = func(index int, methods []perft.Method) {
		group.Go(func() error {
			one.Lock()
			defer one.Unlock()
			if err := c.checkOne(ctx, index, methods); ctx.Err() == nil {
				return err
			}
			return nil
		})
	}
	group.Go(func() error {
		defer stop(nil)
		return c.collect(ctx)
	})
	return group.Wait()
}

func (c *Coordinator) collect(ctx context.Context) error {
	ticker := time.NewTicker(tickTime)
	defer ticker.Stop()
	for !c.over() {
		if err := c.next(ctx, ticker.C); err != nil {
			return err
		}
	}
	c.streams.Close(ctx)
	if !c.Closed {
		broker.Pause(ctx, partTime) // they must not take the end of the broker for a fault
	}
	return nil
}

// next does what comes next: it takes a stored message, or ticks.
func (c *Coordinator) next(ctx context.Context, ticks <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case stored := <-c.results:
		c.take(stored)
	case <-ticks:
		c.tick(ctx)
	}
	return nil
}

// over queues tasks unless all are decided and checked.
func (c *Coordinator) over() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.queue.fill(c.present)
	return c.ledger.Done() && len(c.checking) == 0
}

// take adds the results of a stored message, refuses the bad ones, and names faulty owners.
func (c *Coordinator) take(stored broker.Stored) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.behind = !stored.Last
	for line := range bytes.Lines(stored.Data) {
		if _, _, err := c.add(line, stored.Credential, stored.Own); err != nil {
			c.sayOnce("refused "+stored.Credential, fmt.Sprintf("refused result of %s: %v; others are not reported",
				cmp.Or(stored.Credential, "a worker"), err))
		}
	}
	for _, name := range c.ledger.Quarantined() {
		if c.sayOnce("faulty "+name, "faulty worker: "+name+"; its results are counted again") {
			c.queue.renew()
		}
	}
}

// Add adds the result in a line to a run without workers, and reports whether it is news.
func (c *Coordinator) Add(line []byte) (r *job.Result, news bool, err error) {
	return c.add(line, "", false)
}

func (c *Coordinator) add(line []byte, credential string, own bool) (r *job.Result, news bool, err error) {
	r = new(job.Result)
	err = job.Read(line, r)
	isCheck := own && r.Worker == job.Arbiter
	if err == nil && !isCheck {
		err = job.CheckName(r.Worker, credential)
	}
	if err != nil {
		return nil, false, err
	}
	if !c.running && !isCheck && (c.Distrust == Process(r.Worker) || c.Distrust == job.Owner(r.Worker)) {
		c.discarded++
		return r, false, nil
	}
	if news, err = c.ledger.Add(r); err != nil {
		return nil, false, err
	}
	if isCheck {
		delete(c.checking, r.Index)
	} else {
		c.credit(r, credential, time.Now())
	}
	c.queue.settle(r.Index)
	if news && !isCheck && c.running {
		c.choose(r)
	}
	return r, news, nil
}

// sayOnce gives one notice for a reason, and reports whether it is the first.
func (c *Coordinator) sayOnce(reason, text string) bool {
	if c.said[reason] {
		return false
	}
	c.said[reason] = true
	c.Notice(text)
	return true
}

func (c *Coordinator) hear(credential string, text []byte) {
	var h Here
	if json.Unmarshal(text, &h) != nil || job.CheckName(h.Name, credential) != nil || h.Threads < 0 ||
		h.Threads > perft.MaxThreads {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.member(h.Name, credential, time.Now())
	m.Threads, m.redelivered = h.Threads, h.Redelivered
}

// tick submits disputed tasks for a check, and looks for lost and blocked ones. A task that left
// the queue is not lost if its result is yet to be taken.
func (c *Coordinator) tick(ctx context.Context) {
	seen, err := c.streams.Look(ctx)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err == nil && !c.behind && len(c.results) == 0 {
		c.queue.review(seen, max(c.Lease/2, time.Duration(2*c.ledger.Mean()*float64(time.Second))))
	}
	c.behind = false
	c.present = c.threads()
	if c.Closed || c.Checks > 0 {
		for _, index := range c.ledger.Disputes() {
			c.submit(index, perft.TwoPly, perft.Plain)
		}
	}
	if !c.Closed {
		c.noteBlocked(time.Now())
	}
}

// Workers cannot tell which of their results the coordinator counts as well. It checks a new owner
// often, until provingChecks have passed.
const (
	mostChecks    = 3  // at once, because they may outlast the run
	mostDisputes  = 64 // the same, if results differ
	provingChecks = 10
	provingFactor = 10
)

// choose checks some results, except those that tick checks. A closed run would check itself.
func (c *Coordinator) choose(r *job.Result) {
	owner, chance := job.Owner(r.Worker), c.Checks
	if c.passed[owner] < provingChecks {
		chance *= provingFactor
	}
	if !c.Closed && len(c.checking) < mostChecks && rand.Float64() < chance && !c.ledger.Disputed(r.Index) &&
		c.submit(r.Index, perft.TwoPly) {
		c.passed[owner]++
	}
}

// submit reports whether it asked for a check of a task.
func (c *Coordinator) submit(index int, methods ...perft.Method) bool {
	if c.checking[index] || c.ledger.Known(index) || len(c.checking) >= mostDisputes {
		return false
	}
	c.checking[index] = true
	c.check(index, methods)
	return true
}

func (c *Coordinator) checkOne(ctx context.Context, index int, methods []perft.Method) error {
	var results []*job.Result
	for _, method := range methods {
		r, err := c.Count(ctx, job.Arbiter, c.ledger.Task(job.Want{Index: index, Method: method}))
		if err != nil {
			return err
		}
		if results = append(results, r); r.Sum() != results[0].Sum() {
			return fmt.Errorf("%w: task %d: %s (%s) and %s (%s)", ErrMethods, index, results[0].Sum(), results[0].Method,
				r.Sum(), r.Method)
		}
	}
	return Store(ctx, c.broker, results[:1])
}
