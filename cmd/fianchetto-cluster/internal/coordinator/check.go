package coordinator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Workers cannot tell which of their results the coordinator counts as well. A new owner is checked
// often, and one that has passed provingChecks seldom.
const (
	mostChecks    = 2 // that wait
	provingChecks = 10
	provingFactor = 10
)

// choose checks the result of a worker with a certain probability.
func (c *Coordinator) choose(r *job.Result) {
	owner, chance := job.Owner(r.Worker), c.Checks
	if c.Workers != nil || c.Checks == 0 {
		return // a closed run would check itself
	}
	if c.passed[owner] < provingChecks {
		chance *= provingFactor
	}
	if rand.Float64() >= chance {
		return
	}
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

// check counts the tasks to check, on a goroutine for it alone, until ctx ends. If results differ,
// it counts by two methods.
func (c *Coordinator) check(ctx context.Context) {
	for {
		var want job.Want
		select {
		case <-ctx.Done():
			return
		case want = <-c.checks:
		}
		c.mutex.Lock()
		disputed := c.ledger.Disputed(want.Index)
		c.mutex.Unlock()
		want.Method = perft.TwoPly
		result, err := c.Count(ctx, job.Arbiter, c.job.Task(want))
		if err == nil && disputed {
			want.Method = perft.Plain
			var second *job.Result
			if second, err = c.Count(ctx, job.Arbiter, c.job.Task(want)); err == nil && second.Sum() != result.Sum() {
				err = fmt.Errorf("%w: task %d: %s (%s) and %s (%s)", ErrMethods, want.Index, result.Sum(), result.Method,
					second.Sum(), second.Method)
			}
		}
		if err == nil {
			select {
			case c.checked <- result:
			case <-ctx.Done():
			}
		} else {
			select {
			case c.failed <- err:
			case <-ctx.Done():
			}
		}
	}
}

// takeCheck adds the coordinator's result of a task.
func (c *Coordinator) takeCheck(r *job.Result) error {
	c.mutex.Lock()
	delete(c.checking, r.Index)
	outcome, err := c.ledger.Add(r)
	if err == nil && c.ledger.IsDone(r.Index) {
		c.schedule.report(r.Index, job.Owner(r.Worker), nil, time.Now())
	}
	c.mutex.Unlock()
	if err != nil {
		return err
	}
	return c.keep([]*job.Result{r}, outcome.Reset)
}
