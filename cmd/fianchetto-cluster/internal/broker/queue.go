package broker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Queue is what a broker has of one job: a stream of tasks, which workers share, and one of results.
type Queue struct {
	broker  *Broker
	job     string
	lease   time.Duration
	tasks   jetstream.Consumer
	results jetstream.Consumer // nil for workers

	mutex sync.Mutex
	held  map[*Lease]bool // whose heartbeats are due
}

// Job is a job that a broker has tasks of.
type Job struct {
	Name  string
	About string // as given to Make
}

// Each job has streams, and consumers of them, of these names. Its subjects are task.KEY, result.USER.KEY and heartbeat.USER;
// see access for who may use them.
const (
	taskStreams   = "FIANCHETTO-TASKS-"
	resultStreams = "FIANCHETTO-RESULTS-"
	workers       = "workers"
	coordinator   = "coordinator"
	subjectRoot   = "fianchetto."

	aboutKey = "fianchetto-job" // in the metadata of a stream of tasks
)

// resultAge is how long a broker keeps results that no coordinator takes, so that abandoned jobs do not fill it.
const resultAge = 24 * time.Hour

// settling is how long a result is held for the coordinator that took it before it is delivered again.
const settling = 30 * time.Second

// subject returns the subject of a task, result or heartbeat.
func (q *Queue) subject(kind string, words ...string) string {
	return subjectRoot + q.job + "." + kind + "." + strings.Join(words, ".")
}

// Make makes the queue of a job, or takes over the one that the broker has. The name may have letters, digits, - and _;
// about is for Jobs. A task whose worker sends no heartbeat for the time of the lease goes to another.
func (e *Broker) Make(ctx context.Context, name, about string, lease time.Duration) (*Queue, error) {
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return nil, fmt.Errorf("%w: %s cannot be the name of a job", ErrOptions, quote.Text(name, 0))
	}
	q := &Queue{broker: e, job: name, lease: lease, held: make(map[*Lease]bool)}
	// At most one message for each subject: a task that is there is not taken again.
	_, err := e.stream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: taskStreams + name, Subjects: []string{q.subject("task", ">")}, Metadata: map[string]string{aboutKey: about},
		Storage: jetstream.MemoryStorage, Replicas: e.replicas, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxBytes: maxStream, MaxMsgSize: maxMessage,
	})
	if err != nil {
		return nil, named(err)
	}
	// Results of the same task all stay, to be compared.
	_, err = e.stream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: resultStreams + name, Subjects: []string{q.subject("result", ">")}, MaxAge: resultAge,
		Storage: jetstream.MemoryStorage, Replicas: e.replicas, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		MaxBytes: maxStream, MaxMsgSize: maxMessage,
	})
	if err != nil {
		return nil, named(err)
	}
	if q.tasks, err = e.makeConsumer(ctx, taskStreams+name, workers, lease, maxTaken); err != nil {
		return nil, err
	}
	q.results, err = e.makeConsumer(ctx, resultStreams+name, coordinator, settling, 0)
	return q, err
}

// makeConsumer makes the consumer of a stream, from which up to limit messages can be taken at a time, each for the time of wait.
func (e *Broker) makeConsumer(ctx context.Context, stream, name string, wait time.Duration, limit int) (jetstream.Consumer, error) {
	consumer, err := e.stream.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: wait, MaxAckPending: -1,
		Replicas: e.replicas, MemoryStorage: true, MaxRequestBatch: limit,
	})
	return consumer, named(err)
}

// Jobs returns the jobs that the broker has now.
func (e *Broker) Jobs(ctx context.Context) ([]Job, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var jobs []Job
	list := e.stream.ListStreams(ctx, jetstream.WithStreamListSubject(subjectRoot+"*.task.>"))
	for info := range list.Info() {
		if name, ok := strings.CutPrefix(info.Config.Name, taskStreams); ok {
			jobs = append(jobs, Job{name, info.Config.Metadata[aboutKey]})
		}
	}
	return jobs, named(list.Err())
}

// Find returns the queue of a job for a worker to take tasks from; ErrGone if there is none.
func (e *Broker) Find(ctx context.Context, name string) (*Queue, error) {
	tasks, err := e.stream.Consumer(ctx, taskStreams+name, workers)
	if err != nil {
		return nil, named(err)
	}
	return &Queue{broker: e, job: name, tasks: tasks, lease: tasks.CachedInfo().Config.AckWait, held: make(map[*Lease]bool)}, nil
}

// Job returns the name of the job.
func (q *Queue) Job() string { return q.job }

// Remove takes the queue off the broker, with all that is in it.
func (q *Queue) Remove(ctx context.Context) error {
	var errs []error
	for _, stream := range []string{taskStreams + q.job, resultStreams + q.job} {
		if err := named(q.broker.stream.DeleteStream(ctx, stream)); err != nil && !errors.Is(err, ErrGone) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// State is what a queue has.
type State struct {
	Waiting     int // tasks that no worker has
	Leased      int // tasks that workers have
	Redelivered int // those of them that another worker had before
	Results     int // results that the coordinator has not taken or not settled
}

// State returns what the queue has; ErrGone if the broker has lost it.
func (q *Queue) State(ctx context.Context) (State, error) {
	tasks, err := q.tasks.Info(ctx)
	if err != nil {
		return State{}, named(err)
	}
	state := State{Waiting: int(tasks.NumPending), Leased: tasks.NumAckPending, Redelivered: tasks.NumRedelivered}
	if q.results != nil {
		results, err := q.results.Info(ctx)
		if err != nil {
			return State{}, named(err)
		}
		state.Results = int(results.NumPending) + results.NumAckPending
	}
	return state, nil
}

// Heartbeat is what a worker sends now and then, and may be lost.
type Heartbeat struct {
	Credential string // under which it came, "" for a shared token
	Data       []byte
}

// SendHeartbeat sends a heartbeat to those who watch the job.
func (q *Queue) SendHeartbeat(data []byte) error {
	return named(q.broker.connection.Publish(q.subject("heartbeat", q.broker.user), data))
}

// The most heartbeats that may wait to be taken; others are lost.
const (
	maxHeartbeats     = 4096
	maxHeartbeatBytes = 16 << 20
)

// Watch calls take with heartbeats, one call at a time, until the returned function is called.
func (q *Queue) Watch(take func(Heartbeat)) (stop func(), err error) {
	s, err := q.broker.connection.Subscribe(q.subject("heartbeat", "*"), func(m *nats.Msg) {
		take(Heartbeat{credentialOf(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]), m.Data})
	})
	if err == nil {
		err = s.SetPendingLimits(maxHeartbeats, maxHeartbeatBytes)
	}
	if err != nil {
		return nil, named(err)
	}
	return func() { _ = s.Unsubscribe() }, nil // which fails only if the connection has ended
}

// named gives an error of the broker one of the names that this package has.
func named(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrConsumerDeleted),
		errors.Is(err, jetstream.ErrConsumerDoesNotExist), errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%w: %w", ErrGone, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}
