package coordinator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// TestBlocked has tasks wait that alpha counted first. As long as beta is here, or may count one
// of them now, the run goes on. Without beta it says once, within a lease, who may verify them.
func TestBlocked(t *testing.T) {
	cl := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 100, Verify: true})
	workers := []broker.Credential{{Name: "alpha", Token: "a"}, {Name: "beta", Token: "b"}, {Name: "gamma", Token: "c"}}
	cl.broker = must.Get(broker.Open(t.Context(), broker.Options{Listen: "127.0.0.1:0", Credentials: workers}))(t)
	t.Cleanup(cl.broker.Close)
	c := cl.coordinator(noJournal, Options{Lease: 10 * time.Second})
	now := time.Now()
	c.counted = now
	want := func(when string, blocked *Blocked) {
		t.Helper()
		must.Do(t, c.noteBlocked(now))
		if got := c.blocked; (got == nil) != (blocked == nil) || got != nil && (got.Tasks != blocked.Tasks ||
			!slices.Equal(got.Counted, blocked.Counted) || !slices.Equal(got.May, blocked.May)) {
			t.Errorf("%s: %+v, want %+v", when, got, blocked)
		}
	}
	beat := func(credential string) { c.members.member(credential+":p", credential, now).Threads = 2 }
	want("when tasks were never given out", nil)
	c.schedule.give(asker{"alpha", "alpha:p"}, now) // finds that none was
	for index := range 2 {
		c.schedule.report(index, "alpha", &job.Want{Index: index, Pass: 1, Avoid: []string{"alpha"}}, now)
	}
	beat("alpha")
	beat("beta")
	now = now.Add(6 * time.Second)
	beat("alpha")
	want("when beta was just here", nil)
	now = now.Add(3 * time.Second)
	beat("alpha")
	want("when beta has been silent for less than a lease", nil)
	now = now.Add(2 * time.Second)
	beat("alpha")
	both := &Blocked{Tasks: 2, Counted: []string{"alpha"}, May: []string{"beta", "gamma"}}
	want("when beta has been silent for a lease", both)
	want("again", both)
	const text = "the run cannot go on: 2 tasks are to be verified by another worker than alpha; " +
		"start a worker of beta, gamma"
	if s := c.Status(); s.Blocked.String() != text || !slices.Equal(cl.notices, []string{text}) {
		t.Errorf("status %v, notices %q, want %q once", s.Blocked, cl.notices, text)
	}
	c.schedule.report(1, "beta", &job.Want{Index: 1, Pass: 2, Avoid: []string{"alpha", "beta"}}, now)
	want("when beta and alpha differ", &Blocked{Tasks: 2, Counted: []string{"alpha", "beta"}, May: []string{"beta", "gamma"}})
	beat("gamma")
	want("when gamma is here", nil)
	if !strings.Contains((&Blocked{Tasks: 1, Counted: []string{"a", "b"}}).String(), "another name or credential") {
		t.Error("no credential is left, and the message asks for none")
	}
}
