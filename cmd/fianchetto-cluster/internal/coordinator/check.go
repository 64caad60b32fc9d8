package coordinator

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Workers cannot tell which of their results the coordinator counts as well. It checks a new owner
// often, until provingChecks have passed.
const (
	mostChecks    = 2  // that wait, because they may outlast the run
	mostDisputes  = 64 // the same, if results differ
	provingChecks = 10
	provingFactor = 10
)

// choose checks some results. A closed run would check itself.
func (c *Coordinator) choose(r *job.Result) {
	owner, chance := job.Owner(r.Worker), c.Checks
	if c.passed[owner] < provingChecks {
		chance *= provingFactor
	}
	if !c.Closed && len(c.checks) < mostChecks && rand.Float64() < chance && c.submit(r.Index) {
		c.passed[owner]++
	}
}

// submit reports whether it asked for a check of a task.
func (c *Coordinator) submit(index int) bool {
	if c.checking[index] || c.ledger.Known(index) || len(c.checks) == mostDisputes {
		return false
	}
	c.checks <- job.Want{Index: index}
	c.checking[index] = true
	return true
}

func (c *Coordinator) check(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case want := <-c.checks:
			if err := c.checkOne(ctx, want); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

// checkOne counts a task, by two methods if results differ.
func (c *Coordinator) checkOne(ctx context.Context, want job.Want) error {
	c.mutex.Lock()
	disputed := c.ledger.Disputed(want.Index)
	c.mutex.Unlock()
	want.Method = perft.TwoPly
	r, err := c.Count(ctx, job.Arbiter, c.ledger.Task(want))
	if err == nil && disputed {
		var other *job.Result
		want.Method = perft.Plain
		if other, err = c.Count(ctx, job.Arbiter, c.ledger.Task(want)); err == nil && other.Sum() != r.Sum() {
			err = fmt.Errorf("%w: task %d: %s (%s) and %s (%s)", ErrMethods, want.Index, r.Sum(), r.Method, other.Sum(),
				other.Method)
		}
	}
	if err != nil {
		return err
	}
	return worker.Store(ctx, c.broker, []*job.Result{r})
}
