package job

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// oneTask returns a job of one task of 20 positions.
func oneTask(t *testing.T, verify bool) *Job {
	t.Helper()
	j, err := New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 1, Split: 1, Batch: 20, Verify: verify}, nil)
	if err != nil || j.Tasks != 1 {
		t.Fatal(j.Tasks, err)
	}
	return j
}

// brief is a result in short.
type brief struct {
	worker string
	method perft.Method
	value  uint64
}

func (b brief) result(j *Job) *Result {
	r := &Result{Head: Head{Job: j.ID, Method: b.method}, Worker: b.worker}
	for range j.Positions {
		r.Counts = append(r.Counts, b.value)
	}
	return r
}

var allMethods = []perft.Method{perft.TwoPly, perft.Plain, perft.SIMD}

// add adds a result to those that a ledger has, and all again if it must.
func add(t testing.TB, l *Ledger, before []*Result, r *Result) []*Result {
	t.Helper()
	outcome := must.Get(l.Add(r))(t)
	if outcome != Duplicate {
		before = append(before, r)
	}
	for again := outcome == Reset; again; {
		again = false
		l.Reset()
		for _, r := range before {
			again = must.Get(l.Add(r))(t) == Reset || again
		}
	}
	return before
}

// machine is a worker as the test of every mix simulates it: one with SIMD need not be a machine
// that has it.
type machine struct {
	name   string
	method perft.Method // that it counts by if the task leaves it the choice
}

// fault is what is wrong with counts: by whom, by which method.
type fault struct {
	worker string       // "": all
	method perft.Method // Auto: all
	none   bool
}

func (f fault) count(worker string, method perft.Method) uint64 {
	if f.none || f.worker != "" && f.worker != worker || f.method != perft.Auto && f.method != method {
		return 7
	}
	return 8
}

// eachMix calls f with every mix of up to four workers that prefer one of the methods.
func eachMix(f func(mix []machine)) {
	names := []string{"ann", "bob", "cyd", "dan"}
	var extend func(mix []machine, first int)
	extend = func(mix []machine, first int) {
		if len(mix) > 0 {
			f(mix)
		}
		if len(mix) == len(names) {
			return
		}
		for i, m := range allMethods[first:] {
			extend(append(slices.Clone(mix), machine{names[len(mix)], m}), first+i)
		}
	}
	extend(nil, 0)
}

// simulate has the workers of a mix, some of them again, take a task that is wanted until it is
// done. It returns the results that were added; ok is false if all workers had to avoid it.
func simulate(t *testing.T, l *Ledger, mix []machine, f fault, random *rand.Rand) (results []brief, ok bool) {
	var stored []*Result
	for round := 0; !l.Done(); round++ {
		want, wanted := l.Wanted(0)
		if !wanted || round > 12 {
			t.Fatalf("%v, %+v: wanted %v, %v after %v", mix, f, want, wanted, results)
		}
		free := slices.DeleteFunc(slices.Clone(mix), func(m machine) bool { return slices.Contains(want.Avoid, m.name) })
		if len(free) == 0 {
			return results, false
		}
		for range 1 + random.IntN(4)/3 { // now and then the task goes to two, for the first was slow
			m := free[random.IntN(len(free))]
			method := want.Method
			if method == perft.Auto {
				method = m.method
			}
			b := brief{m.name, method, f.count(m.name, method)}
			results = append(results, b)
			stored = add(t, l, stored, b.result(l.job))
		}
	}
	return results, true
}

// TestEveryMixOfWorkersAndMethods plants a fault in one method, or in one worker: whatever the
// workers are, no wrong count is ever accepted, and the job comes to an end: a total, or no worker
// left to ask.
func TestEveryMixOfWorkersAndMethods(t *testing.T) {
	j := oneTask(t, true)
	faults := []fault{{none: true}, {worker: "ann"}, {worker: "bob"}, {worker: "ann", method: perft.TwoPly}}
	for _, m := range allMethods {
		faults = append(faults, fault{method: m})
	}
	random := rand.New(rand.NewPCG(1, 2))
	ends := make(map[string]int)
	eachMix(func(mix []machine) {
		for _, f := range faults {
			for range 50 {
				l := NewLedger(j, Rules{})
				results, asked := simulate(t, l, mix, f, random)
				switch s := l.Summary(); {
				case f.none && len(mix) > 1 && !l.Done():
					t.Fatalf("%v: nothing is wrong, and no total after %v", mix, results)
				case !asked:
					ends["no worker"]++
				case s.Nodes.Lo != 20*7:
					t.Fatalf("%v, %+v: %v is accepted after %v", mix, f, s.Nodes, results)
				default:
					ends["total"]++
					checkVerified(t, mix, results)
				}
			}
		}
	})
	if t.Logf("%v", ends); ends["total"] == 0 || ends["no worker"] == 0 {
		t.Errorf("%v: some end was never reached", ends)
	}
}

// checkVerified fails the test unless two of the right results are by different methods, and by
// different workers if there are two.
func checkVerified(t *testing.T, mix []machine, results []brief) {
	t.Helper()
	for _, a := range results {
		for _, b := range results {
			if a.value == 7 && b.value == 7 && a.method != b.method && a.worker != b.worker {
				return
			}
		}
	}
	t.Fatalf("%v: done after %v", mix, results)
}

// TestWantsCanBeMet has two workers, and three if they differ, take in turn whatever is wanted of
// those that need not avoid it: the task is done whoever is faulty, if two are not.
func TestWantsCanBeMet(t *testing.T) {
	j := oneTask(t, true)
	for _, first := range [][]brief{
		nil,
		{{"ann", perft.TwoPly, 7}},
		{{"ann", perft.SIMD, 7}},
		{{"ann", perft.TwoPly, 7}, {"bob", perft.TwoPly, 7}}, // given out again when ann was slow
		{{"ann", perft.TwoPly, 7}, {"ann", perft.Plain, 7}},
		{{"ann", perft.TwoPly, 7}, {"bob", perft.TwoPly, 8}},
		{{"ann", perft.TwoPly, 7}, {"bob", perft.Plain, 8}},
		{{"ann", perft.SIMD, 7}, {"bob", perft.Plain, 8}},
		{{"ann", perft.TwoPly, 7}, {"ann", perft.Plain, 8}}, // alone, and now there are more
	} {
		l := NewLedger(j, Rules{})
		var stored []*Result
		for _, b := range first {
			stored = add(t, l, stored, b.result(j))
		}
		for round := 0; !l.Done(); round++ {
			w, ok := l.Wanted(0)
			if !ok || round > 4 || w.Pass != len(first)+round {
				t.Fatalf("%v: wanted %v, %v after %d rounds", first, w, ok, round)
			}
			method := w.Method
			if method == perft.Auto {
				method = perft.SIMD
			}
			for _, worker := range []string{"ann", "bob", "cyd"} {
				if !slices.Contains(w.Avoid, worker) {
					stored = add(t, l, stored, brief{worker, method, 7}.result(j))
					break
				}
			}
		}
		if _, ok := l.Wanted(0); ok {
			t.Errorf("%v: a task that is done is wanted", first)
		}
		if n := slices.Collect(l.Wants()); len(n) != 0 {
			t.Errorf("%v: %v are wanted of a job that is done", first, n)
		}
	}
}

// TestUnverified adds results again, with another value, and those of no task.
func TestUnverified(t *testing.T) {
	j := oneTask(t, false)
	l := NewLedger(j, Rules{})
	if s := l.Summary(); s.Done || s.Nodes.Lo != 0 || s.Divide[0].Nodes.Lo != 0 {
		t.Errorf("a total before any result: %+v", s)
	}
	var stored []*Result
	good := brief{"ann", perft.TwoPly, 1}.result(j)
	for i := range 3 {
		if v, err := l.Add(good); err != nil || !l.Done() || v != Outcome(min(i, 1)) {
			t.Errorf("time %d: %v, %v", i, v, err)
		}
	}
	moved := brief{"bob", perft.TwoPly, 1}.result(j)
	moved.Counts[0], moved.Counts[1] = 2, 0
	stored = add(t, l, []*Result{good}, moved)
	if d := l.Disagreements(); l.Done() || len(d) != 1 || d[0].String() != "results of 1 task differ between ann and bob" {
		t.Errorf("other counts with the same sum: done %v, %v", l.Done(), d)
	}
	if w, ok := l.Wanted(0); !ok || !slices.Equal(w.Avoid, []string{"ann", "bob"}) {
		t.Errorf("%+v, %v is wanted of a third worker", w, ok)
	}
	add(t, l, stored, brief{"cyd", perft.TwoPly, 1}.result(j))
	if s := l.Summary(); !s.Done || s.Nodes.Lo != 20 || len(s.Mismatches) != 1 ||
		s.Mismatches[0].String() != "bob: 1 of 1 wrong; its results are counted again" {
		t.Errorf("after that: %+v", s)
	}
	for name, change := range map[string]func(r *Result){
		"job":   func(r *Result) { r.Job = "x" },
		"index": func(r *Result) { r.Index = 1 },
		"low":   func(r *Result) { r.Index = -1 },
		"short": func(r *Result) { r.Counts = r.Counts[:19] },
		"long":  func(r *Result) { r.Counts = append(r.Counts, 0) },
		"depth": func(r *Result) { r.Depth = 1 },
	} {
		r := brief{"ann", perft.TwoPly, 1}.result(j)
		change(r)
		if _, err := l.Add(r); !errors.Is(err, ErrJob) && !errors.Is(err, ErrTask) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSummary adds results of a verified job of 4 tasks: the estimate is of the results that are
// missing, if no two differ.
func TestSummary(t *testing.T) {
	spec := Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 100, Verify: true}
	j := must.Get(New(t.Context(), spec, nil))(t)
	l := NewLedger(j, Rules{})
	for _, step := range []struct {
		worker        string
		method        perft.Method
		task          int
		seconds       float64
		done          int
		spent, remain float64
	}{
		{"ann", perft.TwoPly, 0, 10, 0, 10, 70},
		{"ann", perft.TwoPly, 0, 99, 0, 10, 70}, // adds nothing
		{"bob", perft.Plain, 0, 20, 1, 30, 90},
		{"ann", perft.TwoPly, 1, 15, 1, 45, 75},
		{"bob", perft.TwoPly, 1, 15, 1, 60, 75}, // verifies nothing
		{"cyd", perft.Plain, 1, 15, 2, 75, 60},
	} {
		r := &Result{Head: Head{Job: j.ID, Index: step.task, Depth: 1, Method: step.method}, Worker: step.worker,
			Counts: make([]uint64, 100), Elapsed: time.Duration(step.seconds * float64(time.Second))}
		must.Get(l.Add(r))(t)
		s := l.Summary()
		if s.TasksDone != step.done || s.ThreadSeconds != step.spent || s.ThreadSecondsLeft != step.remain {
			t.Errorf("%+v: %d tasks, %v s, %v s left", step, s.TasksDone, s.ThreadSeconds, s.ThreadSecondsLeft)
		}
	}
}

// party is the workers of a simulated job of 400 tasks: by their names, whether they are wrong about a
// task, and with which value.
type party map[string]func(task int, random *rand.Rand) (value uint64)

func right(int, *rand.Rand) uint64 { return 7 }

// flaky is wrong about some of its tasks, each time otherwise.
func flaky(percent int) func(int, *rand.Rand) uint64 {
	return func(_ int, random *rand.Rand) uint64 {
		if random.IntN(100) < percent {
			return 100 + random.Uint64N(1<<40)
		}
		return 7
	}
}

// colluding is wrong about a third of the tasks, like all that collude.
func colluding(task int, _ *rand.Rand) uint64 {
	if task%3 == 0 {
		return 8
	}
	return 7
}

// count has random workers of a party bring what is wanted until the job is done. The arbiter brings
// what is disputed if it decides.
func (p party) count(t *testing.T, l *Ledger, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	var stored []*Result
	names := slices.Sorted(maps.Keys(p))
	for rounds := 0; !l.Done(); rounds++ {
		brought := false
		for index := range l.job.Tasks {
			want, ok := l.Wanted(index)
			name := names[random.IntN(len(names))]
			value := p[name](index, random)
			switch {
			case !ok && !l.isDecided(index):
				name, value, want.Index = Arbiter, 7, index
			case !ok || slices.Contains(want.Avoid, name):
				continue
			}
			method := cmp.Or(want.Method, perft.TwoPly)
			r := &Result{Head: Head{Job: l.job.ID, Index: index, Depth: 1, Method: method}, Worker: name,
				Counts: []uint64{value}}
			stored = add(t, l, stored, r)
			brought = true
		}
		if rounds > 1000 || !brought && rounds > 100 {
			t.Fatalf("%d of %d tasks are done, %v, %v", l.TasksDone(), l.job.Tasks, l.Faults(), l.Disagreements())
		}
	}
}

// TestParties holds that faulty workers neither end a job nor change its total, and that it names them
// and no others. Without an arbiter, a majority that lies wins, which the job says that it cannot know.
func TestParties(t *testing.T) {
	spec := Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 1, Verify: true}
	j := must.Get(New(t.Context(), spec, nil))(t)
	total := func(l *Ledger) string { return l.Summary().Nodes.String() }
	honest := NewLedger(j, Rules{})
	party{"ann": right, "bob": right}.count(t, honest, 0)
	contradicts := func(_ int, random *rand.Rand) uint64 { return 600 + random.Uint64N(2)*60 }
	for _, test := range []struct {
		name  string
		party party
		rules Rules
		wrong []string
	}{
		{"one contradicts itself", party{"ann": right, "bob": right, "zed": contradicts}, Rules{Arbiter: true}, []string{"zed"}},
		{"the same, by votes", party{"ann": right, "bob": right, "cyd": right, "zed": contradicts}, Rules{}, []string{"zed"}},
		{"two flaky", party{"ann": right, "bob": right, "x": flaky(5), "y": flaky(40)}, Rules{Arbiter: true}, []string{"x", "y"}},
		{"two flaky, by votes", party{"ann": right, "bob": right, "cyd": right, "x": flaky(5), "y": flaky(40)}, Rules{Crowd: true},
			[]string{"x", "y"}},
		{"three of seven collude", party{"a": right, "b": right, "c": right, "d": right, "x": colluding, "y": colluding,
			"z": colluding}, Rules{Arbiter: true}, []string{"x", "y", "z"}},
		{"four of six collude", party{"a": right, "b": right, "w": colluding, "x": colluding, "y": colluding, "z": colluding},
			Rules{Arbiter: true}, []string{"w", "x", "y", "z"}},
	} {
		for seed := range uint64(20) {
			l := NewLedger(j, test.rules)
			test.party.count(t, l, seed)
			if got := total(l); got != total(honest) || !slices.Equal(l.Quarantined(), test.wrong) {
				t.Errorf("%s: %s, named %v, want %s, %v", test.name, got, l.Quarantined(), total(honest), test.wrong)
			}
		}
	}
}

// TestMajority has three of seven collude where workers vote: the job mostly names them, and never
// hides that it depends on the majority.
func TestMajority(t *testing.T) {
	spec := Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 1, Verify: true}
	j := must.Get(New(t.Context(), spec, nil))(t)
	ends := make(map[string]int)
	for seed := range uint64(20) {
		l := NewLedger(j, Rules{Crowd: true})
		party{"a": right, "b": right, "c": right, "d": right, "x": colluding, "y": colluding, "z": colluding}.count(t, l, seed)
		right, doubts := l.Summary().Nodes.Lo == 400*7, len(l.Summary().Doubts)
		ends[fmt.Sprintf("right %v, doubts %v", right, doubts > 0)]++
		if !right && doubts == 0 {
			t.Errorf("seed %d: a wrong total, and no doubt; named %v", seed, l.Quarantined())
		}
	}
	t.Logf("%v", ends)
}
