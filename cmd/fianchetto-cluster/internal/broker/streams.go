package broker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The results of each run are a stream. The tasks of all runs of one build are a work queue in
// memory, which a coordinator fills again. The subjects:
//
//	perft.task.BUILD.RUN.TASK.PASS.COPY
//	perft.result.RUN.TASK.USER.WORKER
//	perft.here.USER
//
// USER is the sender's user of NATS. BUILD and WORKER are digests.
const (
	workers    = "workers"
	repeats    = 128 // of one subject, more than a quorum
	resultRoot = "perft.result."
	hereRoot   = "perft.here."
)

// digest makes a name fit for a subject.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%x", sum[:8])
}

func tasksStream(build string) string { return "perft-tasks-" + digest(build) }

// Run is the streams of a run.
type Run struct {
	broker  *Broker
	id      string
	build   string
	lease   time.Duration
	results jetstream.Stream
	tasks   jetstream.Stream
	workers jetstream.Consumer
	seen    time.Time // when the queue last answered
}

// OpenRun opens or makes the streams of a run, with lease 0 only the results.
func (b *Broker) OpenRun(ctx context.Context, id, build string, lease time.Duration) (*Run, error) {
	r := &Run{broker: b, id: id, build: build, lease: lease, seen: time.Now()}
	return r, retry(ctx, r.open)
}

func (r *Run) open(ctx context.Context) error {
	b, replicas, storage := r.broker, 1, jetstream.FileStorage
	if strings.Count(b.options.Connect, ",") >= 2 { // two could not go on when one of them fails
		replicas = 3
	}
	if b.server != nil && b.options.Store == "" {
		storage = jetstream.MemoryStorage
	}
	_, err := b.js.AccountInfo(ctx)
	if err == nil {
		r.results, err = b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: "perft-results-" + r.id, Subjects: []string{resultRoot + r.id + ".>"}, Storage: storage, Replicas: replicas,
			MaxMsgsPerSubject: repeats, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true})
	}
	if err != nil || r.lease == 0 {
		return err
	}
	queue := jetstream.StreamConfig{Name: tasksStream(r.build), Subjects: []string{"perft.task." + digest(r.build) + ".>"},
		Storage: jetstream.MemoryStorage, Replicas: replicas, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true}
	if time.Since(r.seen) > leaderlessTime {
		_ = b.js.DeleteStream(ctx, queue.Name)
	}
	r.tasks, err = b.js.CreateOrUpdateStream(ctx, queue)
	if lacksServers(err) { // a queue that is lost is filled again
		queue.Replicas = 1
		r.tasks, err = b.js.CreateOrUpdateStream(ctx, queue)
	}
	if err == nil {
		r.workers, err = r.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: r.lease, MaxAckPending: -1, MaxWaiting: maxSubscriptions})
	}
	if err == nil {
		r.seen = time.Now()
	}
	return err
}

// retry repeats a call that the loss of a server may have failed.
func retry(ctx context.Context, call func(context.Context) error) error {
	for begun := time.Now(); ; Pause(ctx, reconnectPause) {
		err := call(ctx)
		var refusal *jetstream.APIError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, jetstream.ErrJetStreamNotEnabled) && time.Since(begun) > callTimeout: // servers may start
			return fmt.Errorf("%w: it has no JetStream, which \"nats-server -js\" enables", ErrBroker)
		case errors.As(err, &refusal) && refusal.Code == 400 && !lacksServers(err), time.Since(begun) > retryTime:
			return named(err)
		}
	}
}

// lacksServers reports whether fewer servers are up than must store a stream.
func lacksServers(err error) bool {
	const code = 10005
	var refusal *jetstream.APIError
	return errors.As(err, &refusal) && refusal.ErrorCode == code
}

// retryTime is long, because a killed coordinator may come back.
const retryTime = 2 * time.Minute

// Pause waits unless ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// subjects returns the beginning of the subjects of the run's tasks.
func (r *Run) subjects() string { return "perft.task." + digest(r.build) + "." + r.id + "." }

// Give queues a message of tasks once, by the first of them, and returns its name there. Look tells
// whether it has arrived.
func (r *Run) Give(index, pass, copies int, tasks []byte) string {
	name := fmt.Sprintf("%s%d.%d.%d", r.subjects(), index, pass, copies)
	_ = r.broker.connection.Publish(name, tasks)
	return name
}

// Queue describes the queue of a run.
type Queue struct {
	Names  map[string]uint64 // of queued and taken messages
	Queued int               // the messages of all runs that no worker has
	Asking int               // the requests that wait for one
}

// leaderlessTime exceeds the time of an election. If one of three servers has gone for good and
// another has restarted, no election of the queue in memory ends, though its creation succeeds.
const leaderlessTime = 15 * time.Second

// Look returns the state of the queue. It makes a lost queue again, with an error.
func (r *Run) Look(ctx context.Context) (q Queue, err error) {
	var consumer *jetstream.ConsumerInfo
	info, err := r.tasks.Info(ctx, jetstream.WithSubjectFilter(r.subjects()+">"))
	if err == nil {
		consumer, err = r.workers.Info(ctx)
	}
	if err == nil {
		r.seen = time.Now()
		return Queue{info.State.Subjects, int(consumer.NumPending), consumer.NumWaiting}, nil
	}
	lost := errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) ||
		time.Since(r.seen) > leaderlessTime
	if fresh := *r; lost && fresh.open(ctx) == nil {
		r.tasks, r.workers, r.seen = fresh.tasks, fresh.workers, fresh.seen
	}
	if o := r.broker.options; o.Connect != "" && o.Patience > 0 && time.Since(r.seen) > o.Patience {
		r.broker.end(fmt.Errorf("%w: its streams have not answered for %v: %w", ErrBroker, o.Patience, err))
	}
	return Queue{}, named(err)
}

// Close takes the tasks of the run out of the queue. It removes an empty queue, of which its
// workers hear.
func (r *Run) Close(ctx context.Context) {
	_ = r.tasks.Purge(ctx, jetstream.WithPurgeSubject(r.subjects()+">"))
	if info, err := r.tasks.Info(ctx); err == nil && info.State.Msgs == 0 {
		_ = r.broker.js.DeleteStream(ctx, tasksStream(r.build)) // another run makes it again
	}
}

// Stored is a stored message of results.
type Stored struct {
	Last       bool   // none is stored after it; without data if there is none to send
	Credential string // of the sender, or ""
	Own        bool
	Data       []byte
}

// Results sends the stored results, and then those that follow, until ctx ends.
func (r *Run) Results(ctx context.Context) <-chan Stored {
	results := make(chan Stored, 1<<10)
	send := func(stored Stored) {
		select {
		case results <- stored:
		case <-ctx.Done():
		}
	}
	go func() {
		for next := uint64(1); ctx.Err() == nil; Pause(ctx, reconnectPause) {
			// A second attempt would have the same name, and ask the same server, which may have gone for good.
			consumer, err := r.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{MaxResetAttempts: 1,
				DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next})
			if err != nil {
				continue
			}
			if consumer.CachedInfo().NumPending == 0 {
				send(Stored{Last: true})
			}
			next = forward(ctx, consumer, next, send)
		}
	}()
	return results
}

// forward returns the number of the next result when the consumer ends.
func forward(ctx context.Context, consumer jetstream.Consumer, next uint64, send func(Stored)) uint64 {
	// Two missing heartbeats show that the server of the consumer has gone.
	messages, err := consumer.Messages(jetstream.PullMaxMessages(1<<10), jetstream.PullExpiry(callTimeout),
		jetstream.PullHeartbeat(callTimeout/3))
	if err != nil {
		return next
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return next
		}
		about, err := m.Metadata()
		words := strings.Split(m.Subject(), ".")
		if err != nil || len(words) != 6 {
			continue
		}
		next = about.Sequence.Stream + 1
		send(Stored{about.NumPending == 0, credentialOf(words[4]), words[4] == coordinatorUser, m.Data()})
	}
}

// Discard removes the results of a user or worker.
func (r *Run) Discard(ctx context.Context, name string) error {
	subjects := []string{resultRoot + r.id + ".*.*." + digest(name)}
	if strings.Trim(name, nameLetters) == "" {
		subjects = append(subjects, resultRoot+r.id+".*."+name+".*")
	}
	return retry(ctx, func(ctx context.Context) (err error) {
		for _, subject := range subjects {
			err = cmp.Or(err, r.results.Purge(ctx, jetstream.WithPurgeSubject(subject)))
		}
		return err
	})
}

// Report stores results, the first of which is of the task. It tries until they are safe.
func (b *Broker) Report(ctx context.Context, run string, task int, worker string, results []byte) error {
	subject := fmt.Sprintf("%s%s.%d.%s.%s", resultRoot, run, task, b.user, digest(worker))
	return retry(ctx, func(ctx context.Context) error {
		_, err := b.js.Publish(ctx, subject, results)
		var refusal *jetstream.APIError
		if errors.As(err, &refusal) && strings.Contains(refusal.Description, "per subject") {
			return nil // it has stored so many results of the task
		}
		return err
	})
}

// Here sends a text to the coordinators, which may be lost.
func (b *Broker) Here(text []byte) { _ = b.connection.Publish(hereRoot+b.user, text) }

// Flush waits until the server has all sent messages.
func (b *Broker) Flush() { _ = b.connection.FlushTimeout(takeTime) }

// Hear calls hear with each text of Here.
func (b *Broker) Hear(hear func(credential string, text []byte)) (stop func(), err error) {
	s, err := b.connection.Subscribe(hereRoot+"*", func(m *nats.Msg) {
		hear(credentialOf(strings.TrimPrefix(m.Subject, hereRoot)), m.Data)
	})
	return func() { _ = s.Unsubscribe() }, named(err)
}

// takeTime is the time of a request. It is short, because a leaving worker waits for its end.
// Otherwise it would lose a task.
const takeTime = time.Second

// Take waits for a message of tasks, which its thread has until it answers it or lets the lease
// pass. It returns nil if none came, ErrGone if the queue was removed, and ErrNone if there is none.
func (b *Broker) Take(build string) (*nats.Msg, error) {
	request := fmt.Appendf(nil, `{"batch":1,"expires":%d}`, takeTime)
	m, err := b.connection.Request("$JS.API.CONSUMER.MSG.NEXT."+tasksStream(build)+"."+workers, request, 2*takeTime)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, ErrNone
	case err != nil:
		return nil, named(err)
	}
	switch status, description := m.Header.Get("Status"), m.Header.Get("Description"); {
	case status == "":
		return m, nil
	case status == "408": // the request has expired
		return nil, nil
	case description == "Consumer Deleted":
		return nil, ErrGone
	default:
		return nil, fmt.Errorf("%w: %s", ErrBroker, description)
	}
}
