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

// ErrClaimed reports that another process coordinates the job, and names it.
const ErrClaimed fianchetto.Problem = "broker: the job has another coordinator"

// Kind is what a worker sends to the coordinator of a job.
type Kind string

// The kinds of requests. A heartbeat has no answer, and may be lost.
const (
	Take      Kind = "take"
	Report    Kind = "result"
	Heartbeat Kind = "heartbeat"
)

// The subjects are "fianchetto.jobs", which asks all coordinators for their jobs, and
// "fianchetto.JOB.KIND.USER"; see serverConfig for who may use them.
const (
	jobsSubject = "fianchetto.jobs"
	subjectRoot = "fianchetto."
)

// Job is a job that a coordinator offers.
type Job struct {
	Name        string        `json:"name"` // letters, digits, - and _
	About       string        `json:"about"`
	Coordinator string        `json:"coordinator"` // the name of its process
	Lease       time.Duration `json:"lease_ns"`    // how long a worker may send no heartbeat before its tasks go to others
	Tasks       bool          `json:"tasks"`       // whether some wait for a worker
}

// Request is what a worker has sent.
type Request struct {
	Kind       Kind
	Credential string // of the worker; "": the coordinator's own process, or one with a shared token
	Data       []byte
	message    *nats.Msg
	came       time.Time
}

// Answer answers the request. An answer may be lost: the worker then asks again.
func (r *Request) Answer(data []byte) { _ = r.message.Respond(data) }

// Limits of the requests that wait for the coordinator, in bytes, of which each counts as
// requestCost more than it has. A request beyond them is dropped, before it is read; its sender
// repeats it.
const (
	maxWaiting     = 64 << 20
	maxWaitingEach = 16 << 20 // of one credential, so that none takes all the room
	requestCost    = 16 << 10
)

// Offer is a job that this process offers to workers.
type Offer struct {
	Requests chan *Request // those that wait: Done must be called with each that is taken from there

	subscriptions []*nats.Subscription
	mutex         sync.Mutex
	waiting       int            // what the requests that wait count as
	each          map[string]int // the same by credential
}

// Offer offers a job until Close is called. Workers find it as job describes it, and Requests has
// what they ask. It returns ErrClaimed if the job has a coordinator that answers. Two that do not
// know of each other, for one was stopped when the other began, are no harm: each takes in all
// results.
func (b *Broker) Offer(ctx context.Context, job func() Job) (*Offer, error) {
	name := job().Name
	if name == "" || strings.Trim(name, nameLetters) != "" {
		return nil, fmt.Errorf("%w: %s cannot be the name of a job", ErrOptions, quote.Text(name, 0))
	}
	others, err := b.Jobs(ctx)
	switch limit := b.connection.MaxPayload(); {
	case err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)): // as of one that is stopped
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
		_ = m.Respond(text) // else the worker asks again
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

// put has a request wait, if there is room.
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

// Done makes room for another request of the same credential, and reports whether its sender still
// waits for an answer.
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
		_ = s.Unsubscribe() // which fails only if the connection has ended
	}
}

// answerTime is how long to wait for more coordinators after the first has described its job.
const answerTime = 100 * time.Millisecond

// Jobs returns the jobs that coordinators offer now.
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

// Ask sends a request to the coordinator of a job and returns the answer; ErrGone if there is no
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
