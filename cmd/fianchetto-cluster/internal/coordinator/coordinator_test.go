package coordinator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// cluster is a broker and a job in this process, for one test.
type cluster struct {
	t      testing.TB
	broker *broker.Broker
	job    *job.Job
	ledger *job.Ledger

	mutex   sync.Mutex
	notices []string
}

// noJournal keeps nothing.
var noJournal = (*journal.Journal)(nil)

func newCluster(t testing.TB, spec job.Spec) *cluster {
	t.Helper()
	if spec.FEN == "" {
		start := fianchetto.StartPosition()
		spec.FEN = start.FEN()
	}
	j, err := job.New(t.Context(), spec, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := broker.Open(t.Context(), broker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return &cluster{t: t, broker: b, job: j, ledger: job.NewLedger(j)}
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

// threadNames returns the names of the threads of so many workers.
func threadNames(workers int) []string {
	var names []string
	for i := range workers {
		names = append(names, worker.ThreadName(fmt.Sprintf("w%d", i+1), 0))
	}
	return names
}

// startWorkers has workers of one thread each count in the background until the test ends, by counters that change,
// unless nil, makes of the product's.
func (c *cluster) startWorkers(workers int, change func(name string, counter worker.Counter) worker.Counter) {
	memory, err := job.NewMemory(1)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			err := worker.Run(ctx, c.broker, worker.Options{
				Name: fmt.Sprintf("w%d", i+1), Threads: 1, Notice: c.notice,
				NewCounter: func(name string) worker.Counter {
					counter := memory.NewCounter(name, perft.Auto)
					if change == nil {
						return counter
					}
					return change(name, counter)
				},
			})
			if err != nil {
				c.t.Errorf("worker %d: %v", i+1, err)
			}
		})
	}
	c.t.Cleanup(func() { cancel(); all.Wait() })
}

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = 3 * time.Minute

// run runs the job, for a generous time at most.
func (c *cluster) run(journal Journal, o Options) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), generous)
	defer cancel()
	o.Notice = c.notice
	return New(c.broker, c.job, c.ledger, journal, o).Run(ctx)
}

// wantTotal fails the test unless the job has come to a total.
func (c *cluster) wantTotal(want string) {
	c.t.Helper()
	s := c.ledger.Summary()
	if s.Nodes == nil || s.Nodes.String() != want {
		c.t.Errorf("%s: %v, want %s", s.Description, s.Nodes, want)
	}
}

func TestTotals(t *testing.T) {
	for _, spec := range []job.Spec{
		{Depth: 1, Split: 1},
		{Depth: 4, Split: 4},
		{Depth: 5, Split: 2, Batch: 1},
		{Depth: 5, Split: 3, Batch: 7, Verify: true},
		{Depth: 5, Split: 3, Batch: 1000},
		{Depth: 5},
	} {
		want := map[int]string{1: "20", 4: "197281", 5: "4865609"}[spec.Depth]
		for _, workers := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%+v %d", spec, workers), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, spec)
				if err := c.run(noJournal, Options{Workers: threadNames(workers),
					Ready: func() { c.startWorkers(workers, nil) }}); err != nil {
					t.Fatal(err)
				}
				c.wantTotal(want)
				if jobs, err := c.broker.Jobs(t.Context()); err != nil || len(jobs) != 0 {
					t.Errorf("the broker still has %v, %v", jobs, err)
				}
			})
		}
	}
}
