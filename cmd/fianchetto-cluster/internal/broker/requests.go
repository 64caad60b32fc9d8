package broker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrClaimed reports another coordinator of the job, which it names.
const ErrClaimed fianchetto.Problem = "broker: the job has another coordinator"

// Kind is a kind of request to the coordinator of a job.
type Kind string

// The kinds of requests. A heartbeat gets no answer and may be lost.
const (
	Take      Kind = "take"
	Report    Kind = "result"
	Heartbeat Kind = "heartbeat"
)

// The subject "fianchetto.jobs" asks all coordinators for their jobs. Requests use the subject
// "fianchetto.JOB.KIND.USER". server.conf says who may use which.
const (
	jobsSubject = "fianchetto.jobs"
	subjectRoot = "fianchetto."
)

// Job is a job that a coordinator offers.
type Job struct {
	Name        string        `json:"name"` // letters, digits, - and _
	About       string        `json:"about"`
	Coordinator string        `json:"coordinator"` // the name of its process
	Lease       time.Duration `json:"lease_ns"`    // the silence after which a worker's tasks go to others
	Tasks       bool          `json:"tasks"`       // whether tasks wait for a worker
}

// Request is a request from a worker.
type Request struct {
	Kind       Kind
	Credential string // the worker's; "" for a shared token or the coordinator's own process
	Data       []byte
	message    *nats.Msg
	came       time.Time
}

// Answer answers the request. If the answer is lost, the worker asks again.
func (r *Request) Answer(data []byte) { _ = r.message.Respond(data) }

// The limits in bytes of requests that wait for the coordinator. Each request counts for its length
// plus requestCost. A request beyond the limits is dropped unread, and its sender repeats it.
const (
	maxWaiting     = 64 << 20
	maxWaitingEach = 16 << 20 // for one credential, so that it cannot take all the room
	requestCost    = 16 << 10
)

// Offer is a job offered to workers.
type Offer struct {
	Requests chan *Request // the waiting requests; call Done with each request received

	subscriptions []*nats.Subscription
	mutex         sync.Mutex
	waiting       int            // the cost of all waiting requests
	each          map[string]int // their cost by credential
}

// Offer offers a job until Close is called. Workers see the description returned by job, and their
// requests arrive in Requests. Offer returns ErrClaimed if another coordinator of the job answers.
// Two coordinators that do not know of each other do no harm, because each receives all results.
func (b *Broker) Offer(ctx context.Context, job func() Job) (*Offer, error) {
	name := job().Name
	if name == "" || strings.Trim(name, nameLetters) != "" {
		return nil, fmt.Errorf("%w: %s cannot be the name of a job", ErrOptions, quote.Text(name, 0))
	}
	others, err := b.Jobs(ctx)
	switch limit := b.connection.MaxPayload(); { // a suspended coordinator exceeds the deadline, which is no error
	case err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)):
		return nil, err
	case limit < maxMessage:
		return nil, fmt.Errorf("%w: the server takes messages of %d bytes only, and needs max_payload: %d", ErrOptions,
			limit, maxMessage)
	}
	for _, other := range others {
		if other.Name == name {
			return nil, fmt.Errorf("%w on this broker: %.64q", ErrClaimed, other.Coordinator)
		}
	}
	describe := func(m *nats.Msg) {
		own := job()
		own.Coordinator = b.connection.Opts.Name
		text, _ := json.Marshal(own)
		_ = m.Respond(text) // if it fails, the worker asks again
	}
	o := &Offer{Requests: make(chan *Request, maxWaiting/requestCost), each: make(map[string]int)}
	jobs, err := b.connection.Subscribe(jobsSubject, describe)
	requests, failure := b.connection.Subscribe(subjectRoot+name+".*.*", o.put)
	o.subscriptions = []*nats.Subscription{jobs, requests}
	if err = cmp.Or(err, failure, b.connection.FlushTimeout(callTimeout)); err != nil {
		o.Close()
		return nil, named(err)
	}
	return o, nil
}

// put queues a request if there is room.
func (o *Offer) put(m *nats.Msg) {
	words := strings.Split(m.Subject, ".")
	r := &Request{Kind(words[2]), credentialOf(words[3]), m.Data, m, time.Now()}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	cost := requestCost + len(r.Data)
	if o.waiting+cost <= maxWaiting && (r.Credential == "" || o.each[r.Credential]+cost <= maxWaitingEach) {
		o.waiting += cost
		o.each[r.Credential] += cost
		o.Requests <- r
	}
}

// Done frees the room of a request and reports whether its sender still waits for an answer.
func (o *Offer) Done(r *Request) (awaited bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	cost := requestCost + len(r.Data)
	o.waiting -= cost
	if o.each[r.Credential] -= cost; o.each[r.Credential] == 0 {
		delete(o.each, r.Credential)
	}
	return time.Since(r.came) < callTimeout
}

// Close ends the offer.
func (o *Offer) Close() {
	for _, s := range o.subscriptions {
		_ = s.Unsubscribe() // fails only after the connection has ended
	}
}

// answerTime is the wait for further coordinators after the first answer.
const answerTime = 100 * time.Millisecond

// Jobs returns the jobs on offer.
func (b *Broker) Jobs(ctx context.Context) (jobs []Job, err error) {
	inbox := b.connection.NewInbox()
	s, err := b.connection.SubscribeSync(inbox)
	if err != nil {
		return nil, named(err)
	}
	defer s.Unsubscribe()
	if err := b.connection.PublishRequest(jobsSubject, inbox, nil); err != nil {
		return nil, named(err)
	}
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for {
		m, err := s.NextMsgWithContext(limited)
		switch {
		case errors.Is(err, nats.ErrNoResponders), err != nil && len(jobs) > 0:
			return jobs, nil
		case err != nil:
			return nil, named(err)
		}
		var j Job
		if json.Unmarshal(m.Data, &j) == nil && j.Lease > 0 {
			jobs = append(jobs, j)
		}
		limited, cancel = context.WithTimeout(ctx, answerTime)
		defer cancel()
	}
}

// Ask sends a request to the coordinator of a job and returns the answer, or ErrGone without a
// coordinator.
func (b *Broker) Ask(ctx context.Context, job string, kind Kind, data []byte) ([]byte, error) {
	subject := subjectRoot + job + "." + string(kind) + "." + b.user
	if kind == Heartbeat {
		return nil, named(b.connection.Publish(subject, data))
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	m, err := b.connection.RequestWithContext(ctx, subject, data)
	if err != nil {
		return nil, named(err)
	}
	return m.Data, nil
}
