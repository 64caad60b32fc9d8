package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// cluster is a broker and a job in this process, for one test.
type cluster struct {
	*testing.T
	broker  *broker.Broker
	job     *job.Job
	counter *job.Counter

	mutex   sync.Mutex
	notices []string
}

// newCluster opens a broker. With names of credentials it listens for their workers.
func newCluster(t *testing.T, spec job.Spec, names ...string) *cluster {
	t.Helper()
	c := &cluster{T: t, job: jobOf(t, spec), counter: must.Get(job.NewCounter(perft.Auto, 0))(t)}
	c.open("127.0.0.1:0", names...)
	return c
}

// open opens the broker, which listens at an address if there are credentials.
func (c *cluster) open(address string, names ...string) {
	c.Helper()
	var o broker.Options
	for _, name := range names {
		o.Listen, o.Credentials = address, append(o.Credentials, credential(name))
	}
	c.broker = must.Get(broker.Open(c.Context(), o))(c.T)
	c.Cleanup(c.broker.Close)
}

// credential returns the one of a name, or without a name the token that all share.
func credential(name string) broker.Credential {
	return broker.Credential{Name: name, Token: "token-of-" + name}
}

// joining returns the options of a worker with a credential.
func (c *cluster) joining(name string) broker.Options {
	return broker.Options{Connect: c.broker.Address(), Worker: true, Credentials: []broker.Credential{credential(name)}}
}

// join connects a worker with a credential.
func (c *cluster) join(name string) *broker.Broker {
	c.Helper()
	b := must.Get(broker.Open(c.Context(), c.joining(name)))(c.T)
	c.Cleanup(b.Close)
	return b
}

func (c *cluster) notice(text string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.notices = append(c.notices, text)
}

// noticed reports whether there was a notice with a text.
func (c *cluster) noticed(text string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.ContainsFunc(c.notices, func(n string) bool { return strings.Contains(n, text) })
}

// employ has a process of one thread count in the background until the test ends or leave is called.
func (c *cluster) employ(b *broker.Broker, name string, count CountFunc) (leave func()) {
	return c.work(b, Options{Name: name, Threads: 1, Count: count})
}

func (c *cluster) work(b *broker.Broker, o Options) (leave func()) {
	ctx, cancel := context.WithCancel(c.Context())
	done := make(chan bool)
	go func() {
		defer close(done)
		if err := Work(ctx, b, c.complete(o)); err != nil {
			c.Errorf("worker %s: %v", o.Name, err)
		}
	}()
	leave = func() {
		cancel()
		<-done
	}
	c.Cleanup(leave)
	return leave
}

// complete has notices kept, and tasks counted by the product's counter, unless another is given.
func (c *cluster) complete(o Options) Options {
	if o.Notice = c.notice; o.Count == nil {
		o.Count = c.counter.Count
	}
	return o
}

// wrong returns a counter that is wrong about the results for which choose reports true.
func (c *cluster) wrong(choose func(*job.Task) bool) CountFunc {
	return func(ctx context.Context, name string, t *job.Task) (*job.Result, error) {
		r, err := c.counter.Count(ctx, name, t)
		if err == nil && choose(t) {
			r.Counts[0]++
		}
		return r, err
	}
}

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = time.Minute

// run runs the job, for a generous time at most.
func (c *cluster) run(o Options) (*Coordinator, error) {
	ctx, cancel := context.WithTimeout(c.Context(), generous)
	defer cancel()
	coordinator := c.coordinator(o)
	if err := coordinator.Load(ctx); err != nil {
		return coordinator, err
	}
	return coordinator, coordinator.Run(ctx)
}

// coordinator returns a coordinator of the job, whose notices are kept.
func (c *cluster) coordinator(o Options) *Coordinator {
	o.Lease = cmp.Or(o.Lease, time.Second)
	return New(c.broker, c.job, c.complete(o))
}

// totals are the totals of the start position by depth.
var totals = map[int]string{1: "20", 2: "400", 3: "8902", 4: "197281", 5: "4865609"}

// wantTotal fails the test unless a run has ended well.
func (c *cluster) wantTotal(o Options) *Coordinator {
	c.Helper()
	coordinator, err := c.run(o)
	if s := coordinator.ledger.Summary(); err != nil || !s.Done || s.Nodes.String() != totals[c.job.Spec.Depth] {
		c.Fatalf("%s: %v, %v of %d tasks, %v\n%q", s.Job, err, s.TasksDone, s.Job.Tasks, s.Nodes, c.notices)
	}
	return coordinator
}

// TestFaultyOwners has some of several owners be wrong. The total is right, and the run names the
// faulty owners and no others.
func TestFaultyOwners(t *testing.T) {
	everySecond := func(t *job.Task) bool { return t.Index%2 == 0 }
	one := func(part int) func(*job.Task) bool {
		n := 0
		return func(*job.Task) bool { n++; return n%part == 0 }
	}
	type faults []func(*job.Task) bool
	for name, test := range map[string]struct {
		verify bool
		honest int
		faulty faults
		checks float64
		named  int // at least
	}{
		"one of three":             {true, 2, faults{everySecond}, 0.01, 1},
		"one of three, by votes":   {true, 2, faults{everySecond}, 0, 1},
		"two flaky of four":        {true, 2, faults{one(20), one(3)}, 0.01, 2},
		"three colluding of seven": {true, 4, faults{everySecond, everySecond, everySecond}, 0, 3},
		"most collude":             {true, 2, faults{everySecond, everySecond, everySecond}, 1, 2},
		"unverified, by checks":    {false, 1, faults{one(1)}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 4, Verify: test.verify})
			var ready sync.WaitGroup // until each has a task, because the machine may be busy
			ready.Add(test.honest + len(test.faulty))
			slow := func(choose func(*job.Task) bool) CountFunc {
				begin := sync.OnceFunc(func() { ready.Done(); ready.Wait() })
				return c.wrong(func(t *job.Task) bool {
					begin()
					time.Sleep(3 * time.Millisecond) // so that each gets more
					return choose(t)
				})
			}
			for i := range test.honest {
				c.employ(c.broker, fmt.Sprint("honest", i), slow(func(*job.Task) bool { return false }))
			}
			for i, choose := range test.faulty {
				c.employ(c.broker, fmt.Sprint("faulty", i), slow(choose))
			}
			done := c.wantTotal(Options{Checks: test.checks})
			named := done.ledger.Quarantined()
			if len(named) < test.named || slices.ContainsFunc(named, func(owner string) bool { return owner >= "h" }) {
				t.Errorf("named %v", named)
			}
			again := c.coordinator(Options{Checks: test.checks})
			must.Do(t, again.Load(t.Context()))
			if !again.ledger.Done() || len(again.ledger.Quarantined()) < len(named) {
				t.Errorf("%d of %d tasks are done after a restart, named %v", again.ledger.Summary().TasksDone, c.job.Tasks,
					again.ledger.Quarantined())
			}
			for _, f := range done.ledger.Faults() {
				if !c.noticed("faulty worker: " + f.Worker + "; ") {
					t.Errorf("no notice of %v", f)
				}
			}
		})
	}
}

// TestContradiction has a credential report two different counts of each task, from the first on.
func TestContradiction(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 10, Verify: true}, "alpha", "beta", "gamma")
	b, n := c.join("alpha"), uint64(0)
	c.employ(b, "p", func(ctx context.Context, name string, t *job.Task) (*job.Result, error) {
		r, err := c.counter.Count(ctx, name, t)
		if err == nil {
			n++
			r.Counts[0] = n
			err = b.Report(ctx, t.Job, t.Index, name, job.Line(r))
			r.Counts[0] += 60
		}
		return r, err
	})
	c.employ(c.join("beta"), "p", nil)
	c.employ(c.join("gamma"), "p", nil)
	named := c.wantTotal(Options{}).ledger.Quarantined()
	if !slices.Equal(named, []string{"alpha"}) {
		t.Errorf("named %v", named)
	}
}

// TestBlocked has two of three owners be present who have counted a task and differ about it: the
// run goes on with the others, says whom it waits for, and ends when the third comes.
func TestBlocked(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 10, Verify: true}, "alpha", "beta", "gamma")
	c.employ(c.join("alpha"), "p", nil)
	c.employ(c.join("beta"), "p", c.wrong(func(t *job.Task) bool { return t.Index == 7 }))
	coordinator := c.coordinator(Options{})
	must.Do(t, coordinator.Load(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- coordinator.Run(t.Context()) }()
	const text = "1 task waits for a worker of gamma"
	waits := func(s Status) bool { // while the others are done
		return s.TasksDone == s.Job.Tasks-1 && s.Blocked != nil && s.Blocked.String() == text && c.noticed(text)
	}
	for deadline := time.Now().Add(generous); !waits(coordinator.Status()); time.Sleep(10 * time.Millisecond) {
		if s := coordinator.Status(); time.Now().After(deadline) {
			t.Fatalf("%d of %d tasks are done, blocked %v, notices %q", s.TasksDone, s.Job.Tasks, s.Blocked, c.notices)
		}
	}
	c.employ(c.join("gamma"), "p", nil)
	if err := <-ended; err != nil || coordinator.Status().Nodes.String() != "8902" {
		t.Errorf("%v, %v", err, coordinator.Status().Nodes)
	}
}

// TestBehind has all tasks counted before the coordinator takes a result: it gives none again.
func TestBehind(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 10})
	coordinator := c.coordinator(Options{})
	must.Do(t, coordinator.Load(t.Context()))
	coordinator.over()
	c.employ(c.broker, "p", nil)
	for len(must.Get(coordinator.streams.Look(t.Context()))(t).Names) > 0 {
		time.Sleep(time.Millisecond)
	}
	for !coordinator.over() {
		coordinator.tick(t.Context())
		coordinator.take(<-coordinator.results)
	}
	if n := coordinator.Status().Redeliveries; n > 0 {
		t.Errorf("%d tasks were given again", n)
	}
}

// TestForgedResults has a worker report results under another's name, of another job, and damaged:
// they are refused, and named once.
func TestForgedResults(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 40}, "alpha", "beta")
	b := c.join("alpha")
	coordinator := c.coordinator(Options{})
	must.Do(t, coordinator.Load(t.Context()))
	r := must.Get(c.counter.Count(t.Context(), "beta:p/1", c.job.Task(job.Want{})))(t)
	other := *r
	other.Worker, other.Job = "alpha:p/1", "another"
	arbiter := *r
	arbiter.Worker = job.Arbiter
	for _, data := range [][]byte{job.Line(r), job.Line(&other), job.Line(&arbiter), []byte("result\n"), nil} {
		for i := range 5 {
			must.Do(t, b.Report(t.Context(), c.job.ID, i, string(data), data))
		}
	}
	c.employ(c.join("beta"), "p", nil)
	if faults := c.wantTotal(Options{}).ledger.Faults(); len(faults) > 0 {
		t.Errorf("named %v", faults)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if n := len(c.notices); n != 1 || !strings.Contains(c.notices[0], "beta:p/1 has the credential alpha; others") {
		t.Errorf("%d notices %q", n, c.notices)
	}
}

// TestEstimate has workers come, count and fall silent: the time that is left is that of the
// missing results on the threads that were heard of.
func TestEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := jobOf(t, job.Spec{Depth: 3, Split: 2, Batch: 40})
		counter := must.Get(job.NewCounter(perft.Plain, 0))(t)
		c := New(new(broker.Broker), j, Options{Lease: time.Second})
		here := func(name string, threads int) {
			t.Helper()
			c.hear("", must.Get(json.Marshal(Here{Name: name, Threads: threads, Redelivered: 1}))(t))
		}
		count := func(index int) {
			r := must.Get(counter.Count(t.Context(), "p/1", j.Task(job.Want{Index: index})))(t)
			r.Elapsed = 15 * time.Second
			_, _, err := c.Add(job.Line(r))
			must.Do(t, err)
		}
		count(0)
		count(1)
		count(1) // is a duplicate
		for _, step := range []struct {
			name    string
			threads int
			silent  time.Duration // before
			all     int
			left    float64
		}{{"p", 2, 0, 2, 15 * 8 / 2.}, {"q", 6, 0, 8, 15}, {"q", 6, silentTime + 1, 6, 20}, {"q", 0, 0, 0, 0}} {
			time.Sleep(step.silent)
			here(step.name, step.threads)
			if s := c.Status(); s.Threads != step.all || math.Abs(s.Left-step.left) > 1e-9 {
				t.Errorf("%+v: %d threads, %v s left", step, s.Threads, s.Left)
			}
		}
		if s := c.Status(); s.ThreadSeconds != 30 || s.Redeliveries != 2 || math.Abs(s.Workers[0].Rate*30-s.Nodes.Float()) > 1 {
			t.Errorf("at the end %+v", s)
		}
	})
}

// TestNames has processes claim names without end: each credential keeps so many, and a silent one
// makes room.
func TestNames(t *testing.T) {
	c := New(new(broker.Broker), jobOf(t, job.Spec{Depth: 1}), Options{})
	now := time.Now()
	for i := range 2 * maxNames {
		c.member(fmt.Sprint("alpha:", i), "alpha", now).Threads = 1
		c.member(fmt.Sprint("beta:", i%10), "beta", now).Threads = 1
	}
	if n := len(c.members); n != maxNames+10 {
		t.Errorf("%d names, want %d of alpha and 10 of beta", n, maxNames)
	}
	c.member("alpha:new", "alpha", now.Add(2*silentTime))
	c.member("alpha:new", "alpha", now.Add(2*silentTime))
	if c.members["alpha:new"] == nil || len(c.members) != 1+10 {
		t.Errorf("silent processes make no room, of %d names", len(c.members))
	}
	for _, text := range []string{"", "{}", `{"name":"a","threads":-1}`, `{"name":"beta:a","threads":1}`} {
		before := len(c.members)
		if c.hear("alpha", []byte(text)); len(c.members) != before {
			t.Errorf("%s makes a member", text)
		}
	}
}
