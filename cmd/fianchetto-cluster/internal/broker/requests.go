package broker

import (
	"context"
	"crypto/rand"
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

// The subjects are "fianchetto.jobs", which asks all coordinators for their jobs, "fianchetto.JOB.coordinator", on
// which coordinators hear of each other, and "fianchetto.JOB.KIND.USER"; see serverConfig for who may use them.
const (
	jobsSubject = "fianchetto.jobs"
	subjectRoot = "fianchetto."
	claimWord   = ".coordinator"
)

// Job is a job that a coordinator offers.
type Job struct {
	Name  string        `json:"name"` // letters, digits, - and _
	About string        `json:"about"`
	Lease time.Duration `json:"lease_ns"` // how long a worker may send no heartbeat before its tasks go to others
	Tasks bool          `json:"tasks"`    // whether some wait for a worker
}

// Request is what a worker has sent.
type Request struct {
	Kind       Kind
	Credential string // of the worker; "": the coordinator's own process, or one with a shared token
	Data       []byte
	message    *nats.Msg
}

// Answer answers the request. An answer may be lost: the worker then asks again.
func (r *Request) Answer(data []byte) { _ = r.message.Respond(data) }

// Limits of the requests that wait for the coordinator. A request beyond them is dropped; its sender repeats it.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 64 << 20
)

// claim is what coordinators tell each other. Of two that offer one job the one that began earlier gives up.
type claim struct {
	Name  string `json:"name"`
	Begun int64  `json:"begun_ns"`
	Nonce string `json:"nonce"` // distinguishes processes of one name
}

func (c *claim) error() error { return fmt.Errorf("%w on this broker: %.64q", ErrClaimed, c.Name) }

// Offer is a job that this process offers to workers, as its one coordinator.
type Offer struct {
	broker        *Broker
	job           func() Job
	claim         claim
	take          func(*Request)
	lost          context.CancelCauseFunc
	subscriptions []*nats.Subscription
	done          chan struct{}
	announcing    sync.WaitGroup
}

// maxLease is the longest time that a coordinator that is silent keeps a job from others.
const maxLease = time.Minute

// Offer offers a job until Close is called. Workers find it as job describes it; take is called with their requests,
// one call at a time. It returns ErrClaimed if the job has a coordinator already. A coordinator whose process was
// stopped answers too late; when it goes on, its function lost is called with ErrClaimed.
func (b *Broker) Offer(ctx context.Context, job func() Job, take func(*Request),
	lost context.CancelCauseFunc) (*Offer, error) {
	about := job()
	if about.Name == "" || strings.Trim(about.Name, nameLetters) != "" {
		return nil, fmt.Errorf("%w: %s cannot be the name of a job", ErrOptions, quote.Text(about.Name, 0))
	}
	o := &Offer{broker: b, job: job, take: take, lost: lost, done: make(chan struct{}),
		claim: claim{b.connection.Opts.Name, time.Now().UnixNano(), rand.Text()}}
	limited, cancel := context.WithTimeout(ctx, min(about.Lease, maxLease))
	defer cancel()
	m, err := b.connection.RequestWithContext(limited, subjectRoot+about.Name+claimWord, o.claim.text())
	if err == nil {
		var other claim
		_ = json.Unmarshal(m.Data, &other) // an answer that cannot be read is of another coordinator, too
		return nil, other.error()
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, named(err)
	}
	for subject, handle := range map[string]nats.MsgHandler{
		jobsSubject:                          o.describe,
		subjectRoot + about.Name + claimWord: o.hear,
		subjectRoot + about.Name + ".*.*":    o.request,
	} {
		s, err := b.connection.Subscribe(subject, handle)
		if err == nil {
			err = s.SetPendingLimits(maxWaiting, maxWaitingBytes)
			o.subscriptions = append(o.subscriptions, s)
		}
		if err != nil {
			o.Close()
			return nil, named(err)
		}
	}
	o.announcing.Go(func() { o.announce(subjectRoot+about.Name+claimWord, min(about.Lease, maxLease)/beats) })
	return o, named(b.connection.FlushTimeout(callTimeout))
}

// beats is the number of heartbeats in the time of a lease: two may be lost.
const beats = 3

func (c *claim) text() []byte {
	text, _ := json.Marshal(c) // which has nothing that could fail
	return text
}

// announce lets other coordinators of the job hear of this one.
func (o *Offer) announce(subject string, pause time.Duration) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		_ = o.broker.connection.Publish(subject, o.claim.text()) // it may be lost
		select {
		case <-o.done:
			return
		case <-tick.C:
		}
	}
}

// hear answers another coordinator that asks, and gives up the job to one that began later.
func (o *Offer) hear(m *nats.Msg) {
	var other claim
	switch err := json.Unmarshal(m.Data, &other); {
	case m.Reply != "":
		_ = m.Respond(o.claim.text())
	case err == nil && other.Nonce != o.claim.Nonce && (other.Begun > o.claim.Begun ||
		other.Begun == o.claim.Begun && other.Nonce > o.claim.Nonce):
		o.lost(other.error())
	}
}

func (o *Offer) describe(m *nats.Msg) {
	if text, err := json.Marshal(o.job()); err == nil {
		_ = m.Respond(text) // else the worker asks again
	}
}

func (o *Offer) request(m *nats.Msg) {
	words := strings.Split(m.Subject, ".")
	o.take(&Request{Kind(words[2]), credentialOf(words[3]), m.Data, m})
}

// Close ends the offer.
func (o *Offer) Close() {
	close(o.done)
	for _, s := range o.subscriptions {
		_ = s.Unsubscribe() // which fails only if the connection has ended
	}
	o.announcing.Wait()
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

// Ask sends a request to the coordinator of a job and returns the answer; ErrGone if there is no coordinator.
func (b *Broker) Ask(ctx context.Context, job string, kind Kind, data []byte) ([]byte, error) {
	subject := subjectRoot + job + "." + string(kind) + "." + b.user
	if limit := b.connection.MaxPayload(); int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: %s has %d bytes of at most %d", ErrTooLarge, kind, len(data), limit)
	}
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

// Connected reports whether a server answers now, as far as is known.
func (b *Broker) Connected() bool { return b.connection.IsConnected() }

// credentialOf returns the name of the credential of a user, "" for one who has none.
func credentialOf(user string) string {
	if user == coordinatorUser || user == sharedUser {
		return ""
	}
	return user
}

// named gives an error of the connection one of the names that this package has.
func named(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%w: %w", ErrGone, err)
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return fmt.Errorf("%w: no connection", ErrBroker)
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}
