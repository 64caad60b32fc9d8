package coordinator

import (
	"context"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// orphans are tasks that are given out and that no worker reports to have, by their keys, with the time when that was seen first. The
// broker gives a dead worker's tasks to others when their lease ends, but by the wall clock, which may be set; times here are of the
// monotonic clock.
type orphans map[taskKey]time.Time

// find returns the tasks that have been orphans for longer than a time.
func (o *orphans) find(out map[int]job.Want, held map[taskKey]bool, patience time.Duration) (lost []job.Want) {
	now, still := time.Now(), make(orphans)
	for _, want := range out {
		key := key(want)
		if held[key] {
			continue
		}
		since, ok := (*o)[key]
		if !ok {
			since = now
		}
		if now.Sub(since) > patience {
			lost = append(lost, want)
			continue
		}
		still[key] = since
	}
	*o = still
	return lost
}

// replaceOrphans gives out again what no worker has although the broker thinks so. While tasks wait for workers there are
// no orphans.
func (c *Coordinator) replaceOrphans(ctx context.Context, state broker.State) error {
	if state.Waiting > 0 || state.Results > 0 {
		c.orphans = nil
		return nil
	}
	silence := max(c.Lease, 3*worker.HeartbeatPause) // for which a worker is not given up: heartbeats may be lost
	lost := c.orphans.find(c.out, c.watch.held(silence), silence)
	if len(lost) == 0 {
		return nil
	}
	c.Notice("no worker has " + figures.Things(len(lost), "task") + " that the broker has given out, as after a clock was put back: giving out again")
	var messages []broker.Message
	for _, want := range lost {
		messages = append(messages, c.message(want))
	}
	return c.retry(ctx, func() error { return c.queue.Replace(ctx, messages...) })
}
