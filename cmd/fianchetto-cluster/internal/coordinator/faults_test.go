package coordinator

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// startFaulty employs so many processes, of which one is wrong by one.
func (c *cluster) startFaulty(workers int, thread string) {
	c.startWorkers(workers, func(ctx context.Context, name string, t *job.Task) (*job.Result, error) {
		r, err := c.counter.Count(ctx, name, t)
		if err == nil && name == thread {
			r.Counts[len(r.Counts)-1]--
		}
		return r, err
	})
}

func TestFaultyWorkerIsNamed(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 40, Verify: true})
	c.startFaulty(3, "w2/1")
	c.wantTotal("197281", c.run(noJournal, Options{Workers: threadNames(3)}))
	for _, f := range c.ledger.Faults() {
		if f.Worker != "w2/1" {
			t.Errorf("a worker that is right was named: %v", f)
		}
	}
	if wrong := len(c.ledger.Faults()) > 0; wrong != c.noticed("faulty worker: ") {
		t.Errorf("faults %v, and notices %q", c.ledger.Faults(), c.notices)
	}
}

// TestNobodyToAsk has one of two workers be wrong, and no other that could decide which.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 100, Verify: true})
	c.startFaulty(2, "w2/1")
	err := c.run(noJournal, Options{Workers: threadNames(2)})
	if !errors.Is(err, ErrNobody) || !strings.Contains(err.Error(), "w1/1") || !strings.Contains(err.Error(), "w2/1") {
		t.Errorf("%v, want ErrNobody, with both names", err)
	}
	if c.ledger.Done() {
		t.Error("there is a total")
	}
}

// TestArbiter has two of four workers be wrong alike: the coordinator counts what differs, and the
// total is right.
func TestArbiter(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 2, Verify: true})
	c.ledger = job.NewLedger(c.job, job.Rules{Arbiter: true})
	c.startWorkers(4, func(ctx context.Context, name string, t *job.Task) (*job.Result, error) {
		r, err := c.counter.Count(ctx, name, t)
		if err == nil && (name == "w1/1" || name == "w2/1") && t.Index%2 == 0 {
			r.Counts[0]++
		}
		return r, err
	})
	c.wantTotal("197281", c.run(noJournal, Options{Checks: 1, Count: c.counter.Count}))
	got := slices.DeleteFunc(c.ledger.Quarantined(), func(owner string) bool { return owner == "w1/1" || owner == "w2/1" })
	if len(got) > 0 || len(c.ledger.Quarantined()) == 0 {
		t.Errorf("named %v", c.ledger.Quarantined())
	}
}

// TestChecks has a worker of an unverified run be wrong about all its tasks: the checks find it.
func TestChecks(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 2, Batch: 20})
	c.ledger = job.NewLedger(c.job, job.Rules{Arbiter: true})
	c.startWorkers(2, func(ctx context.Context, name string, t *job.Task) (*job.Result, error) {
		time.Sleep(5 * time.Millisecond) // so that both get tasks
		r, err := c.counter.Count(ctx, name, t)
		if err == nil && name == "w1/1" {
			r.Counts[0]--
		}
		return r, err
	})
	c.wantTotal("197281", c.run(noJournal, Options{Checks: 1, Count: c.counter.Count}))
	if got := c.ledger.Quarantined(); !slices.Equal(got, []string{"w1/1"}) {
		t.Errorf("named %v", got)
	}
}

// TestNobodyElse goes on with a task that was counted by a worker whose name is that of the only
// one there is now.
func TestNobodyElse(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 3, Split: 2, Batch: 400, Verify: true})
	r := must.Get(c.counter.Count(t.Context(), "w1/1", c.job.Task(job.Want{Method: perft.TwoPly})))(t)
	must.Get(c.ledger.Add(r))(t)
	c.startWorkers(1, nil)
	if err := c.run(noJournal, Options{Workers: threadNames(1)}); !errors.Is(err, ErrNobody) ||
		!strings.Contains(err.Error(), "another worker than w1/1") {
		t.Errorf("%v, want ErrNobody, with who has counted what", err)
	}
}

// keptJournal keeps results in memory, or fails beyond some.
type keptJournal struct {
	most    int // 0: there is no limit
	results []*job.Result
}

var errFull = errors.New("no space left")

func (j *keptJournal) Append(results ...*job.Result) error {
	if j.results = append(j.results, results...); j.most > 0 && len(j.results) > j.most {
		return errFull
	}
	return nil
}

func TestBrokenJournalEndsTheRun(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 3, Batch: 50})
	c.startWorkers(1, nil)
	if err := c.run((&keptJournal{most: 20}).Append, Options{}); !errors.Is(err, errFull) {
		t.Errorf("%v, want that the journal failed", err)
	}
}

// TestStatus looks at a run from outside while it is under way.
func TestStatus(t *testing.T) {
	t.Parallel()
	c := newCluster(t, job.Spec{Depth: 4, Split: 3, Batch: 50})
	coordinator := c.coordinator(noJournal, Options{Workers: threadNames(1)})
	c.startWorkers(1, nil)
	go func() {
		for t.Context().Err() == nil {
			if s := coordinator.Status(); s.TasksDone > c.job.Tasks {
				t.Errorf("%d tasks are done", s.TasksDone)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	c.wantTotal("197281", coordinator.Run(t.Context()))
	end := coordinator.Status()
	if end.TasksDone != c.job.Tasks || end.Nodes.String() != "197281" || end.Counted() != 197281 {
		t.Errorf("at the end %+v", end)
	}
	if len(end.Workers) != 1 || end.Workers[0].Name != "w1" || end.Workers[0].Tasks != c.job.Tasks ||
		end.Workers[0].Rate <= 0 {
		t.Errorf("workers %+v, want w1 with all tasks", end.Workers)
	}
	dir := t.TempDir()
	must.Do(t, SaveStatus(dir, end))
	if read, err := ReadStatus(dir); err != nil || read.TasksDone != end.TasksDone || read.Nodes != end.Nodes {
		t.Errorf("read again %+v, %v", read, err)
	}
	RemoveStatus(dir)
	if _, err := ReadStatus(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was removed: %v", err)
	}
}

// TestKept keeps each result that is new, or shows a faulty worker for the first time, and no
// other.
func TestKept(t *testing.T) {
	t.Parallel()
	cl := newCluster(t, job.Spec{Depth: 2, Split: 1, Batch: 20, Verify: true})
	c := cl.coordinator(noJournal, Options{})
	for i, test := range []struct {
		worker string
		method perft.Method
		nodes  uint64
		kept   bool
	}{
		{"ann/1", perft.TwoPly, 20, true}, {"ann/1", perft.TwoPly, 20, false}, {"bob/1", perft.Plain, 20, true},
		{"bob/1", perft.Plain, 20, false}, {"cyd/1", perft.Plain, 21, true}, {"cyd/1", perft.Plain, 22, false},
	} {
		r := &job.Result{Head: job.Head{Job: cl.job.ID, Depth: 1, Method: test.method, Build: job.Build()},
			Worker: test.worker, Counts: slices.Repeat([]uint64{test.nodes}, 20), Elapsed: 300 * 24 * time.Hour}
		kept, fresh, err := c.addOne(&broker.Request{Data: job.Line(r)})
		if err != nil || fresh.IsNews() != test.kept {
			t.Errorf("result %d: kept %v, %v", i, fresh, err)
		}
		if fresh.IsNews() {
			must.Do(t, c.keep([]*job.Result{kept}, fresh.Reset))
		}
		if kept.Elapsed > time.Minute {
			t.Errorf("result %d: it took %v in a run of a moment", i, kept.Elapsed)
		}
	}
}
