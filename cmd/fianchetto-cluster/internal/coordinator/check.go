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
	c.checks <- index
	c.checking[index] = true
	return true
}

func (c *Coordinator) check(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case index := <-c.checks:
			if err := c.checkOne(ctx, index); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

// checkOne counts a task, by two methods if results differ.
func (c *Coordinator) checkOne(ctx context.Context, index int) error {
	methods := []perft.Method{perft.TwoPly}
	c.mutex.Lock()
	if c.ledger.Disputed(index) {
		methods = append(methods, perft.Plain)
	}
	c.mutex.Unlock()
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
	return worker.Store(ctx, c.broker, results[:1])
}
