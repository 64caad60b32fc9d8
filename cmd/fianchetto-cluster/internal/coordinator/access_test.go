package coordinator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// listen lets workers with credentials of their own join.
func (c *cluster) listen(names ...string) {
	c.t.Helper()
	o := broker.Options{Listen: "127.0.0.1:0"}
	for _, name := range names {
		o.Workers = append(o.Workers, broker.Credential{Name: name, Token: "of-" + name})
	}
	c.broker.Close()
	var err error
	if c.broker, err = broker.Open(c.t.Context(), o); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(c.broker.Close)
}

// join returns a broker for a worker with a credential.
func (c *cluster) join(name string) *broker.Broker {
	c.t.Helper()
	e, err := broker.Open(c.t.Context(), broker.Options{
		Connect: c.broker.Address(), Worker: true,
		Credential: func() (broker.Credential, error) {
			return broker.Credential{Name: name, Token: "of-" + name},
				nil
		},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(e.Close)
	return e
}

// count has a process of a name count with a credential until the test ends.
func (c *cluster) count(credential, process string) {
	c.t.Helper()
	memory, err := job.NewMemory(0)
	if err != nil {
		c.t.Fatal(err)
	}
	e := c.join(credential)
	go worker.Run(c.t.Context(), e, worker.Options{
		Name: process, Threads: 2, Notice: c.notice,
		NewCounter: func(name string) worker.Counter { return memory.NewCounter(name, perft.Auto) },
	})
}

// TestOneCredentialIsOneWorker has a worker invent names: what it counts is verified when another has counted it, and
// not before.
func TestOneCredentialIsOneWorker(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 40, Verify: true})
	c.listen("alpha", "beta")
	for i := range 3 {
		c.count("alpha", fmt.Sprintf("invented-%d", i))
	}
	coordinator := New(c.broker, c.job, c.ledger, nil, Options{Notice: c.notice})
	done := make(chan error, 1)
	go func() { done <- coordinator.Run(t.Context()) }()
	counted := func() (tasks int) {
		for _, w := range coordinator.Status().Workers {
			tasks += w.Tasks
		}
		return tasks
	}
	for deadline := time.Now().Add(generous); counted() < c.job.Tasks(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d results of %d", counted(), c.job.Tasks())
		}
	}
	time.Sleep(500 * time.Millisecond)
	if s := coordinator.Status(); s.TasksDone != 0 {
		t.Fatalf("%d tasks are verified by one credential", s.TasksDone)
	}
	c.count("beta", "honest")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	c.wantTotal("197281")
	for _, w := range coordinator.Status().Workers {
		if !strings.HasPrefix(w.Name, "alpha:invented-") && w.Name != "beta:honest" {
			t.Errorf("worker %q", w.Name)
		}
	}
}

// TestForgedResults sends results that are not taken in: the run goes on, and reports who sent them.
func TestForgedResults(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 100})
	c.listen("alpha", "beta")
	q := make(chan *broker.Queue, 1)
	forge := func(change func(r *job.Result)) {
		r := &job.Result{Job: c.job.ID(), Depth: 1, Method: perft.Plain, Worker: "alpha:host/1", Build: job.Build(),
			Counts: make([]job.Count, 100)}
		change(r)
		found := <-q
		if err := found.Report(t.Context(), broker.Message{Key: "0.0", Data: r.Append(nil)}); err != nil {
			t.Error(err)
		}
		q <- found
	}
	ready := func() {
		found, err := c.join("alpha").Find(t.Context(), c.job.ID().String())
		if err != nil {
			t.Error(err)
			return
		}
		q <- found
		forge(func(r *job.Result) { r.Worker = "beta:host/1" })
		forge(func(r *job.Result) { r.Worker = "host/1" })
		forge(func(r *job.Result) { r.Worker = "alpha:" + strings.Repeat("n", 65) })
		forge(func(r *job.Result) { r.Worker = "alpha:\x1b[2J" })
		forge(func(r *job.Result) { r.Job[0]++ })
		forge(func(r *job.Result) { r.Index = c.job.Tasks() })
		forge(func(r *job.Result) { r.Counts = r.Counts[:99] })
		forge(func(r *job.Result) { r.Depth = 2 })
		forge(func(r *job.Result) { r.Counts[0].Hi = 1 << 63 })
		forge(func(r *job.Result) { r.Build = "another" })
		for range 100 {
			forge(func(r *job.Result) { r.Build = strings.Repeat("b", 300) })
		}
		c.count("beta", "host")
	}
	journal := &keptJournal{kept: func() {}}
	if err := c.run(journal, Options{Ready: func() { go ready() }}); err != nil {
		t.Fatal(err)
	}
	c.wantTotal("8902")
	for _, r := range journal.results {
		if r.Worker != "beta:host/1" && r.Worker != "beta:host/2" {
			t.Errorf("the journal has a result of %q", r.Worker)
		}
	}
	for _, want := range []string{
		`refused result "0.0" of alpha: beta:host/1 has the credential alpha`, "host/1 has the credential alpha", `\x1b[2J" cannot be shown`,
		"task 4 of 0..3", "99 counts", "counted to depth 2, not 1", `this is build "`, "others are not reported",
	} {
		if !c.noticed(want) {
			t.Errorf("no notice of %q", want)
		}
	}
	if n := len(c.notices); n > 15 {
		t.Errorf("%d notices", n)
	}
}

// TestHeartbeatsAreBounded sends what takes memory if it is remembered.
func TestHeartbeatsAreBounded(t *testing.T) {
	t.Parallel()
	var w watch
	w.begin(newCluster(t, job.Spec{Depth: 2, Split: 1}).ledger)
	send := func(p worker.Heartbeat) {
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		w.heartbeat(broker.Heartbeat{Data: data})
	}
	long := strings.Repeat("n", 100_000)
	for _, p := range []worker.Heartbeat{
		{Name: long, Threads: 1}, {Name: "long", Threads: 1,
			Tasks: []string{long}}, {Name: ""}, {Name: "\x1b[2J"}, {Name: "of:another"}, {Name: "negative", Threads: -1}, {Name: "many", Threads: perft.MaxThreads + 1},
		{Name: "tasks", Threads: 1, Tasks: make([]string, maxHeld+1)},
	} {
		send(p)
	}
	if n := len(w.workers); n != 0 {
		t.Errorf("%d workers are remembered of heartbeats that are not ours", n)
	}
	tasks := make([]string, maxHeld)
	for i := range tasks {
		tasks[i] = fmt.Sprintf("1.%d", i)
	}
	for i := range 2*maxWorkers - 1 {
		send(worker.Heartbeat{Name: fmt.Sprint("worker-", i), Threads: 1})
	}
	send(worker.Heartbeat{Name: fmt.Sprint("worker-", 2*maxWorkers-1), Threads: 1, Tasks: tasks})
	if n := len(w.workers); n != maxWorkers {
		t.Errorf("%d workers are remembered, want %d", n, maxWorkers)
	}
	if w.workers[fmt.Sprint("worker-", 2*maxWorkers-1)] == nil || w.workers["worker-0"] != nil {
		t.Error("the workers that were heard of last are not those that are remembered")
	}
	if held := w.held(time.Minute); len(held) != maxHeld || !held[taskKey{1, 0}] {
		t.Errorf("%d tasks are held, want %d", len(held), maxHeld)
	}
}
