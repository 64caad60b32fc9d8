package coordinator

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// planner is a schedule and the time that a test gives it.
type planner struct {
	*testing.T
	*schedule
	now time.Time
}

const planLease = 10 * time.Second

func newPlanner(t *testing.T, tasks int) *planner {
	i := -1
	rest := func() (job.Want, bool) { i++; return job.Want{Index: i}, i < tasks }
	return &planner{t, newSchedule(planLease, rest), time.Unix(1e6, 0)}
}

func who(name string) asker { return asker{name, name} }

// take gives up to limit tasks to a worker.
func (p *planner) take(a asker, limit int) (wants []job.Want) {
	for range limit {
		if w, ok := p.give(a, p.now); ok {
			wants = append(wants, w)
		}
	}
	return wants
}

// want fails the test unless a worker gets some tasks.
func (p *planner) want(name string, limit int, want ...int) {
	p.Helper()
	var got []int
	for _, w := range p.take(who(name), limit) {
		got = append(got, w.Index)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		p.Errorf("%s gets %v, want %v", name, got, want)
	}
}

// pass lets time pass, with heartbeats of some processes for all tasks every second.
func (p *planner) pass(d time.Duration, beating ...string) {
	for end := p.now.Add(d); p.now.Before(end); {
		p.now = p.now.Add(time.Second)
		for _, name := range beating {
			for index := range p.tasks {
				p.heard(name, []int{index}, p.now)
			}
		}
		p.review(p.now)
	}
}

// TestLease gives a task to another when heartbeats end, not before, and at once when its worker
// leaves.
func TestLease(t *testing.T) {
	p := newPlanner(t, 3)
	p.median = time.Hour
	p.want("ann", 2, 0, 1)
	p.pass(planLease, "ann")
	p.want("bob", 2, 2)
	p.pass(planLease, "bob")
	p.want("cyd", 2)
	p.pass(time.Second, "bob")
	p.want("cyd", 2, 0, 1)
	if p.redeliveries != 2 {
		t.Errorf("%d redeliveries, want 2", p.redeliveries)
	}
	p.leave("cyd", p.now)
	p.want("cyd", 3, 0, 1)
}

// TestDeaf was stopped for some time: heartbeats that could not come are no reason to give tasks
// out again.
func TestDeaf(t *testing.T) {
	p := newPlanner(t, 3)
	p.median = time.Hour
	p.want("ann", 1, 0)
	p.pass(time.Second, "ann")
	p.now = p.now.Add(2 * planLease)
	p.review(p.now)
	p.want("bob", 1, 1)
	if len(p.tasks[0].holders) != 1 {
		t.Error("a task was taken from its worker")
	}
	p.pass(planLease)
	p.want("bob", 1, 2)
	p.pass(time.Second)
	p.want("cyd", 2, 0, 1)
}

// TestLimit takes a task from a worker that holds it forever, although its heartbeats come. The
// limit is ten times the median, and at least the lease. Another worker gets the task first.
func TestLimit(t *testing.T) {
	for median, limit := range map[time.Duration]time.Duration{time.Second: planLease,
		3 * time.Second: 30 * time.Second} {
		p := newPlanner(t, 100)
		p.want("bob", 1, 0)
		p.report(0, "bob", nil, p.now)
		p.credit("bob", median)
		p.review(p.now)
		p.want("ann", 1, 1)
		p.pass(limit, "ann")
		p.want("ann", 1, 2)
		p.pass(time.Second, "ann")
		p.want("ann", 1) // it lost task 1, and still holds task 2
		p.want("bob", 1, 1)
		p.report(1, "ann", nil, p.now) // is done after all
		if p.tasks[1] != nil || len(p.held) != 1 || p.held["ann"] != 1 {
			t.Errorf("limit %v: %v, held %v", limit, p.tasks[1], p.held)
		}
	}
}

// TestProbation lets an owner that lost tasks hold one at a time, until it brings a result. It gets
// a lost task again if no other owner takes it.
func TestProbation(t *testing.T) {
	p := newPlanner(t, 4)
	p.credit("bob", time.Second)
	p.want("ann", 2, 0, 1)
	p.pass(planLease+time.Second, "ann")
	p.want("ann", 2, 2)
	p.report(2, "ann", nil, p.now)
	p.credit("ann", time.Second)
	p.want("ann", 3, 3)
	p.pass(2*time.Second, "ann")
	p.want("ann", 3, 0, 1)
}

// TestNoLimitBeforeResults leaves tasks with a worker whose heartbeats come as long as nothing
// tells how long a task takes, and gives them to a second one that asks in vain.
func TestNoLimitBeforeResults(t *testing.T) {
	p := newPlanner(t, 1)
	p.want("ann", 1, 0)
	p.pass(10*planLease, "ann")
	if len(p.tasks[0].holders) != 1 || p.redeliveries != 0 {
		t.Errorf("after %v: %+v", 10*planLease, p.tasks[0])
	}
	p.want("bob", 1)
	p.pass(time.Second, "ann")
	p.want("bob", 1, 0)
}

// TestLastTasks gives each of the last tasks to a second worker that asks, once it takes twice as
// long as most, and then to a third.
func TestLastTasks(t *testing.T) {
	p := newPlanner(t, 2)
	p.want("ann", 2, 0, 1)
	p.median = 2 * time.Second
	p.pass(10*time.Second, "ann")
	if p.redeliveries != 0 {
		t.Error("a task is given out again, and no worker asked for it")
	}
	p.want("bob", 2)
	p.pass(time.Second, "ann")
	p.want("ann", 2)
	p.want("bob", 2, 0, 1)
	p.want("cyd", 2)
	p.pass(4*time.Second, "ann", "bob")
	p.want("cyd", 2)
	p.pass(time.Second, "ann", "bob")
	p.want("cyd", 2, 0, 1)
}

// TestVerification gives a task of which the ledger wants another result to another worker only.
func TestVerification(t *testing.T) {
	p := newPlanner(t, 2)
	p.want("ann", 1, 0)
	again := &job.Want{Index: 0, Pass: 1, Avoid: []string{"ann"}}
	p.report(0, "ann", again, p.now)
	p.report(0, "ann", again, p.now) // twice is once
	p.want("ann", 2, 1)
	p.want("bob", 2, 0)
	p.report(0, "cyd", again, p.now) // adds nothing
	p.want("ann", 2)
	p.report(0, "bob", again, p.now) // adds nothing either, and has been given up
	p.want("ann", 2)
	p.want("bob", 2) // others first
	p.pass(least, "ann")
	p.want("ann", 2)
	p.want("bob", 2, 0)
	p.report(7, "ann", &job.Want{Index: 7, Pass: 2, Avoid: []string{"ann"}}, p.now) // of a run before
	p.want("bob", 2, 7)
}

// TestHeld bounds what one credential has.
func TestHeld(t *testing.T) {
	p := newPlanner(t, 2*maxHeld)
	alpha := asker{"alpha", "alpha:p"}
	if n := len(p.take(alpha, 2*maxHeld)); n != maxHeld {
		t.Errorf("%d tasks, want %d", n, maxHeld)
	}
	p.report(0, "alpha", nil, p.now)
	if n := len(p.take(alpha, 2)); n != 1 {
		t.Errorf("%d tasks, want 1", n)
	}
}

// TestHoarderCostsLittle has a credential ask without end for all that there is, hold it and send
// heartbeats: an honest worker beside it, which counts one task after the other, takes less than
// twice its time alone.
func TestHoarderCostsLittle(t *testing.T) {
	for _, test := range []struct {
		tasks int
		each  time.Duration
	}{{100, time.Second}, {200, 100 * time.Millisecond}, {4, 10 * time.Second}, {30, time.Minute}} {
		p := newPlanner(t, test.tasks)
		begun, counting, until, done := p.now, -1, p.now, 0
		hoarder := asker{"alpha", "alpha:p"}
		for done < test.tasks && p.now.Sub(begun) < time.Hour {
			for len(p.take(hoarder, 1)) > 0 {
			}
			if counting >= 0 && !p.now.Before(until) {
				p.report(counting, "beta", nil, p.now)
				p.credit("beta", test.each)
				counting, done = -1, done+1
			}
			if counting < 0 {
				for _, want := range p.take(asker{"beta", "beta:p"}, 1) {
					counting, until = want.Index, p.now.Add(test.each)
				}
			}
			p.now = p.now.Add(min(test.each, 250*time.Millisecond))
			all := slices.Collect(maps.Keys(p.tasks))
			p.heard("alpha:p", all, p.now)
			p.heard("beta:p", all, p.now)
			p.review(p.now)
		}
		if took, alone := p.now.Sub(begun), time.Duration(test.tasks)*test.each; took >= 2*alone {
			t.Errorf("%d tasks of %v took %v, and %v alone", test.tasks, test.each, took, alone)
		}
	}
}

// TestMedian takes the median of the last times, however many there were before.
func TestMedian(t *testing.T) {
	p := newPlanner(t, 1)
	for _, seconds := range []int{1, 9, 2, 8, 5, 7, 3} {
		p.credit("ann", time.Duration(seconds)*time.Second)
	}
	if p.review(p.now); p.median != 5*time.Second {
		t.Errorf("median %v, want 5s", p.median)
	}
	for range 2 * timesKept {
		p.credit("ann", time.Minute)
	}
	if p.review(p.now); p.median != time.Minute || len(p.times) > 2*timesKept {
		t.Errorf("median %v of %d times", p.median, len(p.times))
	}
}
