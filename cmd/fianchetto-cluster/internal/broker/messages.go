package broker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Message is a task or a result. The key names it within its job: words of letters, digits, - and _, with dots between.
type Message struct {
	Key        string
	Data       []byte
	Deliveries int // of a result: how often its task was given out, as far as is known; 0 and 1 are the same
}

// deliveriesHeader has a message's Deliveries, if they are more than 1.
const deliveriesHeader = "Fianchetto-Deliveries"

// Enqueue puts tasks into the queue and returns when the broker has all of them. A task whose key is waiting or leased
// already is left as it is there.
func (q *Queue) Enqueue(ctx context.Context, tasks ...Message) error {
	return q.publish(ctx, taskStreams, tasks, func(key string) string { return q.subject("task", key) })
}

// Replace puts tasks into the queue in place of those with the same keys, whichever workers have them on lease: a result that is reported
// all the same does no harm. A broker counts the time of a lease by the wall clock, and if that is put back by an
// hour while a worker dies, it waits an hour for the task.
func (q *Queue) Replace(ctx context.Context, tasks ...Message) error {
	stream, err := q.broker.stream.Stream(ctx, taskStreams+q.job)
	if err != nil {
		return named(err)
	}
	for _, t := range tasks {
		there, err := stream.GetLastMsgForSubject(ctx, q.subject("task", t.Key))
		if err == nil {
			err = stream.DeleteMsg(ctx, there.Sequence)
		}
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			return named(err)
		}
	}
	return q.Enqueue(ctx, tasks...)
}

// Report puts results into the queue, under the name of this process' credential, and returns when the broker has all of them.
func (q *Queue) Report(ctx context.Context, results ...Message) error {
	return q.publish(ctx, resultStreams, results, func(key string) string { return q.subject("result", q.broker.user, key) })
}

// publish sends all messages before it waits for the broker to confirm the first. An error may be about any of them;
// the others may be there or not.
func (q *Queue) publish(ctx context.Context, stream string, messages []Message, subject func(key string) string) error {
	confirmations := make([]jetstream.PubAckFuture, 0, len(messages))
	for _, m := range messages {
		if limit := q.broker.connection.MaxPayload(); int64(len(m.Data)) > limit {
			return fmt.Errorf("%w: %s has %d bytes of at most %d", ErrTooLarge, subject(m.Key), len(m.Data), limit)
		}
		sent := &nats.Msg{Subject: subject(m.Key), Data: m.Data}
		if m.Deliveries > 1 {
			sent.Header = nats.Header{deliveriesHeader: {strconv.Itoa(m.Deliveries)}}
		}
		c, err := q.broker.stream.PublishMsgAsync(sent,
			jetstream.WithExpectStream(stream+q.job), jetstream.WithStallWait(callTimeout))
		if err != nil {
			return named(err)
		}
		confirmations = append(confirmations, c)
	}
	for _, c := range confirmations {
		select {
		case <-c.Ok():
		case err := <-c.Err():
			if !isThere(err) {
				return named(err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// isThere reports whether a message was refused because there is one of its subject.
func isThere(err error) bool {
	const maximumPerSubject = "maximum messages per subject exceeded" // it has no code of its own: 10077 is any failure to store
	var refusal *jetstream.APIError
	return errors.As(err, &refusal) && refusal.Description == maximumPerSubject
}

// Result is a result that the coordinator has taken from the queue. It comes again if it is not settled within half a
// minute.
type Result struct {
	Message
	Credential string // under which it was reported; "": by the coordinator's own process, or with a shared token
	message    jetstream.Msg
}

// Settle takes the result off the queue. If that is lost on the way, the result comes again.
func (r *Result) Settle() error { return named(r.message.Ack()) }

// Results takes up to limit results, passing each on as it comes, until there were limit results, a time is over, or ctx is
// done. It returns early, with an error, if the broker has lost the queue or cannot be reached.
func (q *Queue) Results(ctx context.Context, limit int, wait time.Duration, take func(Result)) error {
	batch, err := q.results.Fetch(limit, jetstream.FetchMaxWait(wait))
	if err != nil {
		return named(err)
	}
	each(ctx, batch, func(m jetstream.Msg) { take(resultOf(m)) })
	if ctx.Err() != nil {
		return nil
	}
	return quiet(batch.Error())
}

// maxDeliveries is the most that a result may report of its task.
const maxDeliveries = 1000

func resultOf(m jetstream.Msg) Result {
	deliveries, err := strconv.Atoi(m.Headers().Get(deliveriesHeader))
	if err != nil || deliveries < 1 || deliveries > maxDeliveries {
		deliveries = 1 // or a header that is not ours
	}
	user, key, _ := strings.Cut(keyOf(m), ".")
	return Result{Message{key, m.Data(), deliveries}, credentialOf(user), m}
}

// credentialOf returns the name of the credential of a user, "" for one who has none.
func credentialOf(user string) string {
	if user == coordinatorUser || user == sharedUser {
		return ""
	}
	return user
}

// keyOf returns what is in the subject of a message behind the root, the job and the kind.
func keyOf(m jetstream.Msg) string {
	words := strings.SplitN(m.Subject(), ".", 4)
	return words[len(words)-1]
}

// quiet returns the error of a fetch, if it is more than that nothing came.
func quiet(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
		return nil
	}
	return named(err)
}
