package coordinator

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Workers cannot tell which of their results the coordinator counts as well. A new owner is checked
// often, and one that has passed provingChecks seldom.
const (
	mostChecks    = 2  // that wait, because they may last longer than the run
	mostDisputes  = 64 // the same, if results differ
	provingChecks = 10
	provingFactor = 10
)

// choose checks the result of a worker with a certain probability.
func (c *Coordinator) choose(r *job.Result) {
	owner, chance := job.Owner(r.Worker), c.Checks
	if c.passed[owner] < provingChecks {
		chance *= provingFactor
	}
	if c.Workers != nil || len(c.checks) >= mostChecks || rand.Float64() >= chance { // a closed run would check itself
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.submit(r.Index) {
		c.passed[owner]++
	}
}

// submit asks for a check of a task, unless others wait. It reports whether it did.
func (c *Coordinator) submit(index int) bool {
	if c.checking[index] || c.ledger.Known(index) {
		return false
	}
	select {
	case c.checks <- job.Want{Index: index}:
		c.checking[index] = true
		return true
	default:
		return false
	}
}

// check counts the tasks to check, until ctx ends or it fails.
func (c *Coordinator) check(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case want := <-c.checks:
			if err := c.checkOne(ctx, want); err != nil && ctx.Err() == nil {
				c.mutex.Lock()
				c.failure = err
				c.mutex.Unlock()
			}
		}
	}
}

// checkOne counts a task and stores the result. If results differ, it counts by two methods.
func (c *Coordinator) checkOne(ctx context.Context, want job.Want) error {
	c.mutex.Lock()
	disputed := c.ledger.Disputed(want.Index)
	c.mutex.Unlock()
	want.Method = perft.TwoPly
	result, err := c.Count(ctx, job.Arbiter, c.job.Task(want))
	if err != nil {
		return err
	}
	if disputed {
		want.Method = perft.Plain
		second, err := c.Count(ctx, job.Arbiter, c.job.Task(want))
		if err != nil {
			return err
		}
		if second.Sum() != result.Sum() {
			return fmt.Errorf("%w: task %d: %s (%s) and %s (%s)", ErrMethods, want.Index, result.Sum(), result.Method,
				second.Sum(), second.Method)
		}
	}
	return c.broker.Report(ctx, c.job.ID.String(), want.Index, job.Arbiter, job.Line(result))
}
