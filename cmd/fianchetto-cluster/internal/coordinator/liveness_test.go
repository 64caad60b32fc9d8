package coordinator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestEveryRunEnds simulates runs without processes: workers ask, report, die, leave, come back,
// lose their connection, lie and hoard at random, with and without verification. After that, enough
// honest workers keep asking, always after the others. The run must then end within a time that
// depends on the amount of work only. Rapid keeps the seeds of failures in testdata/rapid, and runs
// them first.
func TestEveryRunEnds(t *testing.T) {
	wanted, events, runs := 1_000_000, 0, 0
	if testing.Short() {
		wanted = 100_000
	}
	for events < wanted && !t.Failed() {
		rapid.Check(t, func(t *rapid.T) {
			s := newSimulation(t)
			for n := rapid.IntRange(0, 5000).Draw(t, "events"); n > 0 && !s.ledger.Done(); n-- {
				s.act()
			}
			s.finish()
			events, runs = events+s.events, runs+1
		})
	}
	t.Logf("%d events in %d runs", events, runs)
}

// simulation is a run with a simulated clock and workers that do what rapid draws.
type simulation struct {
	*rapid.T
	*schedule
	ledger  *job.Ledger
	workers []*simulated
	now     time.Time
	events  int
	total   int           // the number of tasks
	stored  []*job.Result // that the journal has
	liars   int
}

// rests returns a function that returns the tasks in their order.
func (s *simulation) rests() func() (job.Want, bool) {
	next := 0
	return func() (job.Want, bool) {
		for ; next < s.total; next++ {
			if want, ok := s.ledger.Wanted(next); ok {
				next++
				return want, true
			}
		}
		return job.Want{}, false
	}
}

// simulated is a process of one thread.
type simulated struct {
	asker
	kind    workerKind
	speed   time.Duration // of a task
	tasks   []taken       // that it has, or believes to have
	dead    bool
	cut     bool // its messages do not arrive
	started int  // how often
}

// taken is a task that a worker has taken.
type taken struct {
	want job.Want
	at   time.Time
}

type workerKind int

const (
	honest  workerKind = iota
	liar               // reports wrong counts of every third task
	hoarder            // keeps what it gets, and sends heartbeats
	silent             // keeps what it gets
	kinds
)

const simulatedLease = 10 * time.Second

func newSimulation(t *rapid.T) *simulation {
	verify := rapid.Bool().Draw(t, "verify")
	spec := job.Spec{Depth: 2, Split: 1, Verify: verify}
	tasks := rapid.IntRange(1, 500).Draw(t, "tasks")
	ledger := job.NewLedger(job.Outline(job.Description{Spec: spec, Tasks: tasks}), job.Rules{})
	s := &simulation{T: t, ledger: ledger, now: time.Unix(1e6, 0)}
	s.total = tasks
	s.schedule = newSchedule(simulatedLease, s.rests())
	add := func(kind workerKind) {
		name := fmt.Sprintf("w%d", len(s.workers))
		if rapid.Bool().Draw(t, "has a credential") {
			s.workers = append(s.workers, &simulated{asker: asker{name, name + ":p"}, kind: kind})
		} else {
			s.workers = append(s.workers, &simulated{asker: asker{name + "/1", name}, kind: kind})
		}
		worker := s.workers[len(s.workers)-1]
		worker.speed = time.Duration(rapid.SampledFrom([]int{10, 300, 2000, 20_000}).Draw(t, "ms")) * time.Millisecond
	}
	for range rapid.IntRange(0, 12).Draw(t, "others") {
		kind := workerKind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind"))
		if add(kind); kind == liar {
			s.liars++
		}
	}
	enough := 1 // workers that can end the run by themselves
	if verify {
		enough = 2
	}
	for range enough {
		add(honest)
	}
	return s
}

// act draws one event.
func (s *simulation) act() {
	s.events++
	w := rapid.SampledFrom(s.workers).Draw(s.T, "worker")
	switch rapid.IntRange(0, 15).Draw(s.T, "event") {
	case 0:
		w.dead = true
	case 1:
		s.restart(w)
	case 2:
		if !w.dead && !w.cut {
			s.leave(w.process, s.now)
		}
		w.tasks = nil
	case 3:
		w.cut = !w.cut
	case 4: // the answer is lost
		kept := w.tasks
		s.ask(w, 3)
		w.tasks = kept
	case 5: // this process was stopped
		s.now = s.now.Add(2 * simulatedLease)
	case 6, 7, 8, 9:
		s.ask(w, rapid.IntRange(1, 64).Draw(s.T, "limit"))
	case 10, 11, 12:
		s.bring(w)
	default:
		s.pass(time.Duration(rapid.IntRange(1, 3000).Draw(s.T, "ms")) * time.Millisecond)
	}
}

// restart starts a worker that has died. Without a credential it has another name then.
func (s *simulation) restart(w *simulated) {
	if !w.dead {
		return
	}
	w.started++
	w.dead, w.cut, w.tasks = false, false, nil
	if w.owner == w.process+"/1" {
		w.process = fmt.Sprintf("%s-%d", w.process[:2], w.started)
		w.owner = w.process + "/1"
	} else {
		w.process = fmt.Sprintf("%s:%d", w.owner, w.started)
	}
}

// ask has a worker take up to limit tasks.
func (s *simulation) ask(w *simulated, limit int) {
	for range limit {
		if w.dead || w.cut {
			return
		}
		s.events++
		want, ok := s.give(w.asker, s.now)
		if !ok {
			return
		}
		if wanted, open := s.ledger.Wanted(want.Index); !open || wanted.Pass != want.Pass ||
			slices.Contains(wanted.Avoid, w.owner) {
			s.Fatalf("%s gets %+v, wanted is %+v", w.owner, want, wanted)
		}
		if n := s.held[w.owner]; n > maxHeld || n > 1 && s.probation[w.owner] {
			s.Fatalf("%s holds %d tasks", w.owner, n)
		}
		w.tasks = append(w.tasks, taken{want, s.now})
	}
}

// bring has a worker report its first task, as the coordinator takes it in.
func (s *simulation) bring(w *simulated) {
	if w.dead || w.cut || len(w.tasks) == 0 {
		return
	}
	task := w.tasks[0]
	w.tasks = w.tasks[1:]
	count := uint64(1)
	if w.kind == liar && task.want.Index%3 == 0 {
		count = 2
	}
	method := task.want.Method
	if method == perft.Auto {
		method = perft.TwoPly
	}
	r := &job.Result{Head: job.Head{Index: task.want.Index, Depth: 1, Method: method}, Worker: w.owner,
		Counts: []uint64{count}}
	outcome, err := s.ledger.Add(r)
	if err != nil {
		s.Fatal(err)
	}
	s.events++
	if outcome.IsNews() {
		s.stored = append(s.stored, r)
	}
	if outcome.Reset {
		s.replay()
	}
	var next *job.Want
	if want, ok := s.ledger.Wanted(task.want.Index); ok {
		next = &want
	}
	s.report(task.want.Index, w.owner, next, s.now)
	if !outcome.Duplicate {
		s.credit(w.owner, w.speed)
	}
}

// replay has the ledger read all results again, as the coordinator does.
func (s *simulation) replay() {
	for again := true; again; {
		again = false
		s.ledger.Reset()
		for _, r := range s.stored {
			outcome, err := s.ledger.Add(r)
			if err != nil {
				s.Fatal(err)
			}
			again = again || outcome.Reset
		}
	}
	times, redeliveries := s.times, s.redeliveries
	s.schedule = newSchedule(simulatedLease, s.rests())
	s.times, s.redeliveries, s.reviewed = times, redeliveries, s.now
}

// pass lets time pass, with a review at its end.
func (s *simulation) pass(d time.Duration) {
	s.now = s.now.Add(d)
	for _, w := range s.workers {
		if w.dead || w.cut || w.kind == silent {
			continue
		}
		var indices []int
		for _, t := range w.tasks {
			indices = append(indices, t.want.Index)
		}
		s.heard(w.process, indices, s.now)
	}
	s.review(s.now)
}

// admitHonest has as many honest workers join as can decide against all liars, as the run asks its
// user to.
func (s *simulation) admitHonest() {
	trusted := make(map[workerKind]int)
	for _, w := range s.workers {
		if !slices.Contains(s.ledger.Quarantined(), w.owner) {
			trusted[w.kind]++
		}
	}
	for n := trusted[honest]; n < 2+2*trusted[liar]; n++ {
		name := fmt.Sprintf("w%d", len(s.workers))
		s.workers = append(s.workers, &simulated{asker: asker{name + "/1", name}, speed: 10 * time.Millisecond})
	}
}

// finish brings all workers back and lets the honest ones count what is left. All others ask before
// them.
func (s *simulation) finish() {
	s.review(s.now) // which makes the median
	slowest := 2 * tick
	for _, w := range s.workers {
		s.restart(w)
		w.cut = false
		slowest = max(slowest, w.speed, s.median)
	}
	var bound time.Time
	for faults := -1; !s.ledger.Done(); {
		if n := len(s.ledger.Quarantined()); n > faults { // all may have to be counted again, by other workers
			faults = n
			s.admitHonest()
			results := time.Duration(3 * s.total)
			bound = s.now.Add(results*slowest + time.Duration(2*len(s.workers)+20)*(10*slowest+2*simulatedLease))
		}
		if s.now.After(bound) {
			s.Fatalf("%d of %d tasks are done, held %v, probation %v, waiting %d queues", s.ledger.TasksDone(),
				s.ledger.Summary().Job.Tasks, s.held, s.probation, len(s.queues))
		}
		for _, w := range s.workers {
			switch {
			case w.kind == hoarder || w.kind == silent:
				s.ask(w, 64)
			case len(w.tasks) == 0:
				s.ask(w, 1)
			case s.now.Sub(w.tasks[0].at) >= w.speed:
				s.bring(w)
				s.ask(w, 1)
			}
		}
		s.pass(tick)
	}
	if len(s.tasks) > 0 || len(s.held) > 0 || len(s.counting) > 0 {
		s.Fatalf("after the end there are tasks %v, held %v, counting %v", s.tasks, s.held, s.counting)
	}
}
