package broker

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"
)

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = 2 * time.Minute

// shortLease is the lease of tests that wait for its end: a busy machine must not be late with a heartbeat by two
// thirds of it.
const shortLease = 2 * time.Second

// open returns a broker that the test closes.
func open(t testing.TB, o Options) *Broker {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	e, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func makeQueue(t testing.TB, e *Broker, lease time.Duration) *Queue {
	t.Helper()
	q, err := e.Make(t.Context(), "job", "what it is", lease)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// take takes up to limit tasks, waiting at most for patience.
func take(t testing.TB, q *Queue, limit int, patience time.Duration) []*Lease {
	t.Helper()
	leases, err := q.Take(t.Context(), limit, patience)
	if err != nil {
		t.Fatal(err)
	}
	return leases
}

// takeAll takes as many tasks as there should be, which may come one after the other.
func takeAll(t testing.TB, q *Queue, n int) (all []*Lease) {
	t.Helper()
	for len(all) < n {
		leases := take(t, q, n-len(all), generous)
		if all = append(all, leases...); len(leases) == 0 {
			t.Fatalf("%d tasks taken, want %d", len(all), n)
		}
	}
	return all
}

func enqueue(t testing.TB, q *Queue, keys ...string) {
	t.Helper()
	var tasks []Message
	for _, key := range keys {
		tasks = append(tasks, Message{Key: key, Data: []byte("task " + key)})
	}
	if err := q.Enqueue(t.Context(), tasks...); err != nil {
		t.Fatal(err)
	}
}

// results takes as many results as there should be.
func results(t testing.TB, q *Queue, n int) []Result {
	t.Helper()
	var all []Result
	if err := q.Results(t.Context(), n, generous, func(r Result) { all = append(all, r) }); err != nil {
		t.Fatal(err)
	}
	if len(all) != n {
		t.Fatalf("%d results, want %d", len(all), n)
	}
	return all
}

func TestTaskToResult(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	enqueue(t, q, "0.1", "0.2", "1.1")
	for _, l := range takeAll(t, q, 3) {
		if want := "task " + l.Key; string(l.Data) != want || l.Deliveries != 1 {
			t.Errorf("%s has %q, delivery %d, want %q, delivery 1", l.Key, l.Data, l.Deliveries, want)
		}
		if err := errors.Join(q.Report(t.Context(), Message{Key: l.Key, Data: []byte("done"),
			Deliveries: l.Deliveries}), l.Finish()); err != nil {
			t.Fatal(err)
		}
	}
	var keys []string
	for _, r := range results(t, q, 3) {
		keys = append(keys, r.Key)
		if err := r.Settle(); err != nil || string(r.Data) != "done" {
			t.Errorf("%s has %q, settled with %v", r.Key, r.Data, err)
		}
	}
	if want := []string{"0.1", "0.2", "1.1"}; !slices.Equal(keys, want) {
		t.Errorf("results %q, want %q", keys, want)
	}
	awaitState(t, q, State{})
}

// awaitState waits until the queue has what it should: what is settled is on its way for a moment.
func awaitState(t testing.TB, q *Queue, want State) {
	t.Helper()
	for deadline := time.Now().Add(generous); ; time.Sleep(5 * time.Millisecond) {
		state, err := q.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if state == want {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("the queue has %+v, want %+v", state, want)
			return
		}
	}
}

// TestEnqueueTwice shows that a task is not there twice, whether it waits or is leased, and may come again when it is
// done.
func TestEnqueueTwice(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	enqueue(t, q, "7", "8")
	enqueue(t, q, "7", "8", "7")
	awaitState(t, q, State{Waiting: 2})
	leases := takeAll(t, q, 2)
	enqueue(t, q, "7", "8")
	awaitState(t, q, State{Leased: 2})
	for _, l := range leases {
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	awaitState(t, q, State{})
	enqueue(t, q, "7")
	awaitState(t, q, State{Waiting: 1})
}

func TestResultsOfATaskAreAllKept(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	for _, text := range []string{"one", "two", "one"} {
		if err := q.Report(t.Context(), Message{Key: "5", Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	var texts []string
	for _, r := range results(t, q, 3) {
		texts = append(texts, string(r.Data))
	}
	if want := []string{"one", "two", "one"}; !slices.Equal(texts, want) {
		t.Errorf("results %q, want %q", texts, want)
	}
}

// TestLease shows that a task goes to another worker when heartbeats end, and not before.
func TestLease(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), shortLease)
	enqueue(t, q, "1")
	takeAll(t, q, 1)
	ctx, stopBeating := context.WithCancel(t.Context())
	go q.Beat(ctx)

	other, err := q.broker.Find(t.Context(), "job")
	if err != nil {
		t.Fatal(err)
	}
	if other.lease != shortLease {
		t.Errorf("the worker has a lease of %v, want %v", other.lease, shortLease)
	}
	if n := len(take(t, other, 1, shortLease+time.Second)); n != 0 {
		t.Fatal("another worker has the task although heartbeats came")
	}
	stopBeating()
	leases := takeAll(t, other, 1)
	if leases[0].Deliveries < 2 {
		t.Fatalf("delivery %d, want one after another", leases[0].Deliveries)
	}
	if err := q.Report(t.Context(), leases[0].Message); err != nil {
		t.Fatal(err)
	}
	if r := results(t, q, 1)[0]; r.Deliveries != leases[0].Deliveries {
		t.Errorf("the result has %d deliveries, want %d", r.Deliveries, leases[0].Deliveries)
	}
}

func TestReturn(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	enqueue(t, q, "1")
	for _, pause := range []time.Duration{0, 200 * time.Millisecond} {
		begin := time.Now()
		if err := takeAll(t, q, 1)[0].Return(pause); err != nil {
			t.Fatal(err)
		}
		again := takeAll(t, q, 1)
		if took := time.Since(begin); took < pause {
			t.Errorf("the task is there again after %v, want %v", took, pause)
		}
		if err := again[0].Return(0); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLeavingWhileTasksCome ends waits at the time when tasks come: each must be with another worker at once, not after
// the lease.
func TestLeavingWhileTasksCome(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Hour)
	for i := range 50 {
		key := strconv.Itoa(i)
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan []*Lease)
		go func() {
			leases, _ := q.Take(ctx, 1, time.Second)
			done <- leases
		}()
		go leave()
		enqueue(t, q, key)
		leases := <-done
		if len(leases) == 0 {
			leases = takeAll(t, q, 1)
		}
		if leases[0].Key != key {
			t.Fatalf("task %s taken, want %s", leases[0].Key, key)
		}
		if err := leases[0].Finish(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoss deletes all that the broker has: making the queue again, and the tasks, is all that is needed to go on.
func TestLoss(t *testing.T) {
	t.Parallel()
	e := open(t, Options{})
	q := makeQueue(t, e, time.Minute)
	enqueue(t, q, "1", "2")
	if err := q.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := q.Remove(t.Context()); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
	for name, call := range map[string]func() error{
		"Take":    func() error { _, err := q.Take(t.Context(), 1, 100*time.Millisecond); return err },
		"State":   func() error { _, err := q.State(t.Context()); return err },
		"Find":    func() error { _, err := e.Find(t.Context(), "job"); return err },
		"Results": func() error { return q.Results(t.Context(), 1, 100*time.Millisecond, func(Result) {}) },
		"Enqueue": func() error { return q.Enqueue(t.Context(), Message{Key: "1"}) },
	} {
		var err error
		for try := 0; try < 50 && err == nil; try++ { // a server that is busy lets the first calls wait for nothing
			err = call()
		}
		if !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v, want ErrGone", name, err)
		}
	}
	again := makeQueue(t, e, time.Minute)
	enqueue(t, again, "1", "2")
	takeAll(t, q, 2) // by a worker that knew the old queue
}

func TestJobs(t *testing.T) {
	t.Parallel()
	e := open(t, Options{})
	for _, name := range []string{"first", "second"} {
		q, err := e.Make(t.Context(), name, "about "+name, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		enqueue(t, q, name)
	}
	jobs, err := e.Jobs(t.Context())
	slices.SortFunc(jobs, func(a, b Job) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	if want := []Job{{"first", "about first"}, {"second", "about second"}}; err != nil || !slices.Equal(jobs, want) {
		t.Errorf("jobs %+v, %v, want %+v", jobs, err, want)
	}
	for _, name := range []string{"first", "second"} {
		q, err := e.Find(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		awaitState(t, q, State{Waiting: 1})
		if key := takeAll(t, q, 1)[0].Key; key != name {
			t.Errorf("%s has task %s, want its own", name, key)
		}
	}
	for _, name := range []string{"", "a.b", "a b", "*", ">"} {
		if _, err := e.Make(t.Context(), name, "", time.Minute); !errors.Is(err, ErrOptions) {
			t.Errorf("a job of name %q: %v, want ErrOptions", name, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	err := q.Enqueue(t.Context(), Message{Key: "1", Data: make([]byte, 2<<20)})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("2 MiB: %v, want ErrTooLarge", err)
	}
}

func TestHeartbeats(t *testing.T) {
	t.Parallel()
	q := makeQueue(t, open(t, Options{}), time.Minute)
	heartbeats := make(chan Heartbeat, 1)
	stop, err := q.Watch(func(h Heartbeat) { heartbeats <- h })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if err := q.SendHeartbeat([]byte("here")); err != nil {
		t.Fatal(err)
	}
	select {
	case h := <-heartbeats:
		if string(h.Data) != "here" || h.Credential != "" {
			t.Errorf("heartbeat %q of %q", h.Data, h.Credential)
		}
	case <-time.After(generous):
		t.Error("no heartbeat came")
	}
}
