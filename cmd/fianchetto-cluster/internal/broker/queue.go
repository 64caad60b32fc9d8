package broker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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

// Each job has streams, and consumers of them, of these names. Its subjects are task.KEY, result.USER.KEY and
// heartbeat.USER; see access for who may use them.
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
	return subjectRoot + strings.Join(append([]string{q.job, kind}, words...), ".")
}

// Make makes the queue of a job, or takes over the one that the broker has. The name may have letters, digits, - and _;
// about is for Jobs. A task whose worker sends no heartbeat for the time of the lease goes to another.
func (b *Broker) Make(ctx context.Context, name, about string, lease time.Duration) (*Queue, error) {
	if name == "" || strings.Trim(name, nameLetters) != "" {
		return nil, fmt.Errorf("%w: %s cannot be the name of a job", ErrOptions, quote.Text(name, 0))
	}
	q := &Queue{broker: b, job: name, lease: lease, held: make(map[*Lease]bool)}
	tasks := jetstream.StreamConfig{ // at most one message for each subject: a task that is there is not taken again
		Name: taskStreams + name, Subjects: []string{q.subject("task", ">")},
		Metadata:          map[string]string{aboutKey: about},
		MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
	}
	results := jetstream.StreamConfig{ // of the same task they all stay, to be compared
		Name: resultStreams + name, Subjects: []string{q.subject("result", ">")}, MaxAge: resultAge,
	}
	for _, c := range []jetstream.StreamConfig{tasks, results} {
		c.Storage, c.Replicas, c.Retention = jetstream.MemoryStorage, b.replicas, jetstream.WorkQueuePolicy
		c.Discard, c.MaxBytes, c.MaxMsgSize = jetstream.DiscardNew, maxStream, maxMessage
		if _, err := b.stream.CreateOrUpdateStream(ctx, c); err != nil {
			return nil, named(err)
		}
	}
	var err error
	if q.tasks, err = b.makeConsumer(ctx, tasks.Name, workers, lease, maxTaken); err != nil {
		return nil, err
	}
	q.results, err = b.makeConsumer(ctx, results.Name, coordinator, settling, 0)
	return q, err
}

// makeConsumer makes the consumer of a stream, from which up to limit messages can be taken at a time, each for the
// time of wait.
func (b *Broker) makeConsumer(ctx context.Context, stream, name string, wait time.Duration,
	limit int) (jetstream.Consumer, error) {
	consumer, err := b.stream.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: wait, MaxAckPending: -1,
		Replicas: b.replicas, MemoryStorage: true, MaxRequestBatch: limit,
	})
	return consumer, named(err)
}

// Jobs returns the jobs that the broker has now.
func (b *Broker) Jobs(ctx context.Context) ([]Job, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var jobs []Job
	list := b.stream.ListStreams(ctx, jetstream.WithStreamListSubject(subjectRoot+"*.task.>"))
	for info := range list.Info() {
		if name, ok := strings.CutPrefix(info.Config.Name, taskStreams); ok {
			jobs = append(jobs, Job{name, info.Config.Metadata[aboutKey]})
		}
	}
	return jobs, named(list.Err())
}

// Find returns the queue of a job for a worker to take tasks from; ErrGone if there is none.
func (b *Broker) Find(ctx context.Context, name string) (*Queue, error) {
	tasks, err := b.stream.Consumer(ctx, taskStreams+name, workers)
	if err != nil {
		return nil, named(err)
	}
	return &Queue{broker: b, job: name, tasks: tasks, lease: tasks.CachedInfo().Config.AckWait,
		held: make(map[*Lease]bool)}, nil
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
	Waiting int // tasks that no worker has
	Leased  int // tasks that workers have
	Results int // results that the coordinator has not taken or not settled
}

// State returns what the queue has; ErrGone if the broker has lost it.
func (q *Queue) State(ctx context.Context) (State, error) {
	tasks, err := q.tasks.Info(ctx)
	if err != nil {
		return State{}, named(err)
	}
	state := State{Waiting: int(tasks.NumPending), Leased: tasks.NumAckPending}
	if q.results == nil {
		return state, nil
	}
	results, err := q.results.Info(ctx)
	if err != nil {
		return State{}, named(err)
	}
	state.Results = int(results.NumPending) + results.NumAckPending
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
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound),
		errors.Is(err, jetstream.ErrConsumerDeleted),
		errors.Is(err, jetstream.ErrConsumerDoesNotExist), errors.Is(err, jetstream.ErrNoStreamResponse),
		errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%w: %w", ErrGone, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}

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
	return q.publish(ctx, taskStreams, q.subject("task"), tasks)
}

// Replace puts tasks into the queue in place of those with the same keys, whichever workers have them on lease: a
// result that is reported all the same does no harm. A broker counts the time of a lease by the wall clock, and if that
// is put back by an hour while a worker dies, it waits an hour for the task.
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
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) &&
			!errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			return named(err)
		}
	}
	return q.Enqueue(ctx, tasks...)
}

// Report puts results into the queue, under the name of this process' credential, and returns when the broker has all
// of them.
func (q *Queue) Report(ctx context.Context, results ...Message) error {
	return q.publish(ctx, resultStreams, q.subject("result", q.broker.user), results)
}

// publish sends all messages before it waits for the broker to confirm the first. An error may be about any of them;
// the others may be there or not.
func (q *Queue) publish(ctx context.Context, stream, subject string, messages []Message) error {
	confirmations := make([]jetstream.PubAckFuture, 0, len(messages))
	for _, m := range messages {
		if limit := q.broker.connection.MaxPayload(); int64(len(m.Data)) > limit {
			return fmt.Errorf("%w: %s.%s has %d bytes of at most %d", ErrTooLarge, subject, m.Key, len(m.Data), limit)
		}
		sent := &nats.Msg{Subject: subject + "." + m.Key, Data: m.Data}
		if m.Deliveries > 1 {
			sent.Header = nats.Header{deliveriesHeader: {strconv.Itoa(m.Deliveries)}}
		}
		c, err := q.broker.stream.PublishMsgAsync(sent, jetstream.WithExpectStream(stream+q.job),
			jetstream.WithStallWait(callTimeout))
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
	// It has no code of its own: 10077 is any failure to store.
	const maximumPerSubject = "maximum messages per subject exceeded"
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

// Results takes up to limit results, passing each on as it comes, until there were limit results, a time is over, or
// ctx is done. It returns early, with an error, if the broker has lost the queue or cannot be reached.
func (q *Queue) Results(ctx context.Context, limit int, wait time.Duration, take func(Result)) error {
	batch, err := q.results.Fetch(limit, jetstream.FetchMaxWait(wait))
	if err != nil {
		return named(err)
	}
	each(ctx, batch, func(m jetstream.Msg) { take(resultOf(m)) })
	return quiet(ctx, batch.Error())
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
	return strings.SplitN(m.Subject(), ".", 4)[3]
}

// quiet returns the error of a fetch, if it is more than that nothing came, and nil when ctx is done.
func quiet(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, nats.ErrTimeout) {
		return nil
	}
	return named(err)
}

// beats is the number of heartbeats in the time of a lease: two may be lost.
const beats = 3

// Lease is a task that this worker has for now.
type Lease struct {
	Message // its Deliveries are how often the task was given out, this time included

	queue   *Queue
	message jetstream.Msg
}

// Take leases up to limit tasks: those there are, or, if there is none, the first that comes within a time. It returns
// none without an error if none came, or ctx is done.
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
	return q.hold(ctx, batch), quiet(ctx, batch.Error())
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
		q.mutex.Lock()
		defer q.mutex.Unlock()
		q.held[l] = true
	})
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

// Beat keeps all leases until ctx is done. A heartbeat may be lost if the next is not.
func (q *Queue) Beat(ctx context.Context) {
	tick := time.NewTicker(q.lease / beats)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			q.mutex.Lock()
			for l := range q.held {
				_ = l.message.InProgress()
			}
			q.mutex.Unlock()
		case <-ctx.Done():
			return
		}
	}
}
