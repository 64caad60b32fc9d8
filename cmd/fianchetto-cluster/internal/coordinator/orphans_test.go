package coordinator

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// TestOrphans has a worker die whose leases last: the broker's clock was put back, or so it looks, for another
// connection goes on with the heartbeats. The others must get its tasks all the same.
func TestOrphans(t *testing.T) {
	if testing.Short() {
		t.Skip("a lease must end")
	}
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 50})
	taken := make(chan int, 1)
	err := c.run(nil, Options{Lease: 3 * time.Second, Ready: func() {
		ghost, err := c.broker.Find(t.Context(), c.job.ID().String())
		if err != nil {
			t.Error(err)
		}
		go func() {
			leases, err := ghost.Take(t.Context(), 3, generous)
			if err != nil {
				t.Error(err)
			}
			taken <- len(leases)
			go ghost.Beat(t.Context())
			c.startWorkers(2, nil)
		}()
	}})
	if err != nil {
		t.Fatal(err)
	}
	c.wantTotal("197281")
	if n := <-taken; n == 0 {
		t.Error("the dead worker had no task: nothing was shown")
	}
	if !c.noticed("no worker has ") {
		t.Errorf("no notice of it, but %q", c.notices)
	}
}

// TestFindOrphans gives a task up after a time without a word of it, not before, and not if there was one.
func TestFindOrphans(t *testing.T) { synctest.Test(t, testFindOrphans) }

func testFindOrphans(t *testing.T) {
	const patience = 10 * time.Second
	out := map[int]job.Want{1: {Index: 1}, 2: {Index: 2}}
	c := &Coordinator{out: out}
	if lost := c.findOrphans(map[taskKey]bool{{0, 2}: true}, patience); len(lost) != 0 {
		t.Errorf("%v are lost at once", lost)
	}
	time.Sleep(patience + time.Millisecond)
	lost := c.findOrphans(nil, patience)
	if !slices.EqualFunc(lost, []job.Want{{Index: 1}}, func(a, b job.Want) bool { return a.Index == b.Index }) {
		t.Errorf("%v are lost, want task 1, which no worker ever reported", lost)
	}
	if lost := c.findOrphans(nil, patience); len(lost) != 0 {
		t.Errorf("%v are lost again at once", lost)
	}
	delete(out, 2)
	c.findOrphans(nil, patience)
	if _, ok := c.orphans[taskKey{0, 2}]; ok {
		t.Error("a task that is done is still an orphan")
	}
}
