package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// beats is how many heartbeats there are in the time of a lease: two may be lost.
const beats = 3

// Lease is a task that this worker has for now.
type Lease struct {
	Message // its Deliveries are how often the task was given out, this time included

	queue   *Queue
	message jetstream.Msg
}

// Take leases up to limit tasks: those there are, or, if there is none, the first that comes while ctx is not
// done. It returns none without an error if none came.
func (q *Queue) Take(ctx context.Context, limit int) ([]*Lease, error) {
	if limit > 1 {
		batch, err := q.tasks.FetchNoWait(limit)
		if err != nil {
			return nil, named(err)
		}
		if leases := q.hold(ctx, batch); len(leases) > 0 {
			return leases, nil
		}
	}
	batch, err := q.tasks.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, named(err)
	}
	leases := q.hold(ctx, batch)
	return leases, quiet(batch.Error())
}

// hold makes leases of messages, with heartbeats from now on. It leaves those that come when ctx is done: their leases end.
func (q *Queue) hold(ctx context.Context, batch jetstream.MessageBatch) []*Lease {
	var leases []*Lease
	for {
		m, ok := next(ctx, batch)
		if !ok {
			break
		}
		l := &Lease{Message: Message{keyOf(m), m.Data(), 1}, queue: q, message: m}
		if about, err := m.Metadata(); err == nil {
			l.Deliveries = int(about.NumDelivered)
		}
		leases = append(leases, l)
	}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, l := range leases {
		q.held[l] = true
	}
	return leases
}

// next returns the next message of a batch, if there is one before ctx is done.
func next(ctx context.Context, batch jetstream.MessageBatch) (jetstream.Msg, bool) {
	select {
	case m, ok := <-batch.Messages():
		return m, ok
	case <-ctx.Done():
		return nil, false
	}
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

// beat sends a heartbeat for each lease. One that is lost is no harm if the next is not.
func (q *Queue) beat() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for l := range q.held {
		_ = l.message.InProgress()
	}
}
