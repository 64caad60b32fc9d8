package coordinator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// listen lets workers with credentials of their own join.
func (c *cluster) listen(names ...string) {
	c.t.Helper()
	o := broker.Options{Listen: "127.0.0.1:0"}
	for _, name := range names {
		o.Credentials = append(o.Credentials, broker.Credential{Name: name, Token: "of-" + name})
	}
	c.broker.Close()
	c.broker = must.Get(broker.Open(c.t.Context(), o))(c.t)
	c.t.Cleanup(c.broker.Close)
}

// join returns a broker for a worker with a credential.
func (c *cluster) join(name string) *broker.Broker {
	c.t.Helper()
	e := must.Get(broker.Open(c.t.Context(), broker.Options{
		Connect: c.broker.Address(), Worker: true, Credentials: []broker.Credential{{Name: name, Token: "of-" + name}},
	}))(c.t)
	c.t.Cleanup(e.Close)
	return e
}

// count has a process of a name count with a credential until the test ends.
func (c *cluster) count(credential, process string) { c.employ(c.join(credential), process, 2, nil) }

// TestOneCredentialIsOneWorker has a worker invent names: what it counts is verified when another
// has counted it, and not before.
func TestOneCredentialIsOneWorker(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 40, Verify: true})
	c.listen("alpha", "beta")
	for i := range 3 {
		c.count("alpha", fmt.Sprintf("invented-%d", i))
	}
	coordinator := c.coordinator(noJournal, Options{})
	done := make(chan error, 1)
	go func() { done <- coordinator.Run(t.Context()) }()
	counted := func() (tasks int) {
		for _, w := range coordinator.Status().Workers {
			tasks += w.Tasks
		}
		return tasks
	}
	for deadline := time.Now().Add(generous); counted() < c.job.Tasks; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d results of %d", counted(), c.job.Tasks)
		}
	}
	time.Sleep(500 * time.Millisecond)
	if s := coordinator.Status(); s.TasksDone != 0 {
		t.Fatalf("%d tasks are verified by one credential", s.TasksDone)
	}
	c.count("beta", "honest")
	c.wantTotal("197281", <-done)
	for _, w := range coordinator.Status().Workers {
		if !strings.HasPrefix(w.Name, "alpha:invented-") && w.Name != "beta:honest" {
			t.Errorf("worker %q", w.Name)
		}
	}
}

// TestForgedResults sends results that are not taken in: the run goes on, and reports who sent
// them.
func TestForgedResults(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 100})
	c.listen("alpha", "beta")
	forge := func() {
		alpha := c.join("alpha")
		report := func(data []byte) {
			if _, err := alpha.Ask(t.Context(), c.job.ID.String(), broker.Report, data); err != nil {
				t.Error(err)
			}
		}
		report([]byte{200})
		for _, change := range append([]func(r *job.Result){
			func(r *job.Result) { r.Worker = "beta:host/1" },
			func(r *job.Result) { r.Worker = "host/1" },
			func(r *job.Result) { r.Worker = "alpha:\x1b[2J" },
			func(r *job.Result) { r.Job[0]++ },
			func(r *job.Result) { r.Index = c.job.Tasks },
			func(r *job.Result) { r.Counts = r.Counts[:99] },
			func(r *job.Result) { r.Depth = 2 },
			func(r *job.Result) { r.Counts[0] = 1 << 63 },
			func(r *job.Result) { r.Build = "another" },
		}, slices.Repeat([]func(r *job.Result){func(r *job.Result) { r.Build = strings.Repeat("b", 300) }}, 100)...) {
			r := &job.Result{Head: job.Head{Job: c.job.ID, Depth: 1, Method: perft.Plain, Build: job.Build()},
				Worker: "alpha:host/1", Counts: make([]uint64, 100)}
			change(r)
			report(job.Line(r))
		}
		c.count("beta", "host")
	}
	journal := &keptJournal{}
	c.wantTotal("8902", c.run(journal.Append, Options{Ready: func() { go forge() }}))
	for _, r := range journal.results {
		if r.Worker != "beta:host/1" && r.Worker != "beta:host/2" {
			t.Errorf("the journal has a result of %q", r.Worker)
		}
	}
	for _, want := range []string{
		`refused result of alpha: beta:host/1 has the credential alpha`, "host/1 has the credential alpha", `\x1b[2J" cannot be shown`,
		"refused result of alpha: not a whole message", "task 4 of 0..3", "99 counts", "counted to depth 2, not 1", `this is build "`, "others are not reported",
	} {
		if !c.noticed(want) {
			t.Errorf("no notice of %q", want)
		}
	}
	if n := len(c.notices); n > 15 {
		t.Errorf("%d notices", n)
	}
}

// TestNames sends heartbeats of processes that claim what takes memory or time if it is remembered:
// of 5,000 names of a credential those are that came first, the others find room one by one when
// these have fallen silent, and names of other credentials always do.
func TestNames(t *testing.T) {
	t.Parallel()
	all, now := &Coordinator{members: newMembers(), schedule: newSchedule(time.Second, nil)}, time.Now()
	c := &all.members
	send := func(credential string, h worker.Heartbeat) {
		data := must.Get(json.Marshal(h))(t)
		all.hear(&broker.Request{Credential: credential, Data: data}, now)
	}
	for _, h := range []worker.Heartbeat{
		{Name: strings.Repeat("n", 100_000), Threads: 1}, {Name: ""}, {Name: "\x1b[2J"}, {Name: "of:another"},
		{Name: "negative", Threads: -1}, {Name: "many", Threads: perft.MaxThreads + 1},
		{Name: "tasks", Threads: 1, Tasks: make([]int, maxTasks+1)},
	} {
		if send("", h); len(c.known) != 0 {
			t.Errorf("%.100v is remembered", h)
		}
	}
	for i := range 5000 {
		send("alpha", worker.Heartbeat{Name: fmt.Sprint("alpha:", i), Threads: 1})
		send("", worker.Heartbeat{Name: fmt.Sprint("worker-", i), Threads: 1})
	}
	c.forget(now)
	send("beta", worker.Heartbeat{Name: "beta:1", Threads: 1})
	if len(c.known) != maxNames+maxSharedNames+1 || c.known["alpha:0"] == nil || c.known["beta:1"] == nil {
		t.Errorf("%d names are remembered", len(c.known))
	}
	now = now.Add(2 * silentTime)
	send("alpha", worker.Heartbeat{Name: "alpha:0", Threads: 1})
	c.forget(now)
	send("alpha", worker.Heartbeat{Name: "alpha:new", Threads: 1})
	if c.names["alpha"] != maxNames || c.known["alpha:0"] == nil || c.known["alpha:new"] == nil ||
		c.known["beta:1"] == nil {
		t.Errorf("when the others are silent %v are remembered", c.names)
	}
}

// TestPulls has a credential ask for tasks on 600 threads when there are none: so many requests
// wait as it may have, each a second, and no longer when the process leaves; an honest one beside
// it gets the next task.
func TestPulls(t *testing.T) {
	t.Parallel()
	cl := newCluster(t, job.Spec{Depth: 2, Split: 1, Batch: 20})
	c := cl.coordinator(noJournal, Options{})
	now := time.Now()
	ask := func(thread, credential string) {
		c.pull(&broker.Request{Credential: credential, Data: []byte(thread)}, now)
	}
	for i := range 600 {
		ask(fmt.Sprintf("alpha:p/%d", i), "alpha")
	}
	if n := len(c.pulls); n != maxPulls {
		t.Errorf("%d requests wait, want %d", n, maxPulls)
	}
	ask("beta:p/1", "beta")
	ask("beta:"+strings.Repeat("x", 2000), "beta")
	c.schedule.report(0, "gamma", &job.Want{Pass: 1, Avoid: []string{"alpha"}}, now)
	c.giveAll(now)
	if len(c.pulls) != maxPulls || c.schedule.held["beta"] != 1 {
		t.Errorf("%d requests wait, held %v", len(c.pulls), c.schedule.held)
	}
	leave, _ := json.Marshal(worker.Heartbeat{Name: "alpha:p"})
	ask("alpha:q/1", "alpha")
	c.hear(&broker.Request{Credential: "alpha", Data: leave}, now)
	ask("alpha:q/2", "alpha")
	if len(c.pulls) != 1 {
		t.Errorf("%d requests wait of a process that has left", len(c.pulls)-1)
	}
	now = now.Add(pullTime)
	if c.giveAll(now); len(c.pulls) != 0 {
		t.Errorf("%d requests wait for longer than %v", len(c.pulls), pullTime)
	}
}
