package broker

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// beats is the number of heartbeats in the time of a lease: two may be lost.
const beats = 3

// Lease is a task that this worker has for now.
type Lease struct {
	Message // its Deliveries are how often the task was given out, this time included

	queue   *Queue
	message jetstream.Msg
}

// Take leases up to limit tasks: those there are, or, if there is none, the first that comes within a time. It returns none
// without an error if none came, or ctx is done.
func (q *Queue) Take(ctx context.Context, limit int, wait time.Duration) ([]*Lease, error) {
	if limit > 1 {
		batch, err := q.tasks.FetchNoWait(limit)
		if err != nil {
			return nil, named(err)
		}
		if leases := q.hold(ctx, batch); len(leases) > 0 {
			return leases, nil
		}
	}
	// The broker ends the wait, not a context here: what it has sent just before would be lost until the lease ends.
	batch, err := q.tasks.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		return nil, named(err)
	}
	leases := q.hold(ctx, batch)
	if ctx.Err() != nil {
		return leases, nil
	}
	return leases, quiet(batch.Error())
}

// hold makes leases of messages, with heartbeats from now on. What comes when ctx is done goes back.
func (q *Queue) hold(ctx context.Context, batch jetstream.MessageBatch) []*Lease {
	var leases []*Lease
	each(ctx, batch, func(m jetstream.Msg) {
		l := &Lease{Message: Message{keyOf(m), m.Data(), 1}, queue: q, message: m}
		if about, err := m.Metadata(); err == nil {
			l.Deliveries = int(about.NumDelivered)
		}
		leases = append(leases, l)
	})
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, l := range leases {
		q.held[l] = true
	}
	return leases
}

// each calls take with each message of a batch until ctx is done, and gives back those that come later.
func each(ctx context.Context, batch jetstream.MessageBatch, take func(jetstream.Msg)) {
	for {
		select {
		case m, ok := <-batch.Messages():
			if !ok {
				return
			}
			take(m)
		case <-ctx.Done():
			go func() {
				for m := range batch.Messages() {
					_ = m.Nak() // else it is given out again when its time is over
				}
			}()
			return
		}
	}
}

// Held returns the keys of the tasks that this process has on lease.
func (q *Queue) Held() []string {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	keys := make([]string, 0, len(q.held))
	for l := range q.held {
		keys = append(keys, l.Key)
	}
	return keys
}

// Finish takes the task off the queue: its result has been reported.
func (l *Lease) Finish() error {
	l.drop()
	return named(l.message.Ack())
}

// Return gives the task back, for any worker to take after a pause; 0 is at once.
func (l *Lease) Return(pause time.Duration) error {
	l.drop()
	return named(l.message.NakWithDelay(pause))
}

func (l *Lease) drop() {
	l.queue.mutex.Lock()
	defer l.queue.mutex.Unlock()
	delete(l.queue.held, l)
}

// Beat keeps all leases until ctx is done.
func (q *Queue) Beat(ctx context.Context) {
	tick := time.NewTicker(q.lease / beats)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			q.beat()
		case <-ctx.Done():
			return
		}
	}
}

// beat sends a heartbeat for each lease. One may be lost if the next is not.
func (q *Queue) beat() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for l := range q.held {
		_ = l.message.InProgress()
	}
}
