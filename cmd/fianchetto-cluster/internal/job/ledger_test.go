package job

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/core"
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
	alone  bool
}

func (b brief) result(j *Job) *Result {
	r := &Result{Head: Head{Job: j.ID, Method: b.method}, Worker: b.worker, Alone: b.alone}
	for range j.Positions {
		r.Counts = append(r.Counts, b.value)
	}
	return r
}

// outcome is what a verified task's results come to.
type outcome struct {
	value    uint64 // that is accepted
	accepted bool
	conflict bool
}

// specified returns by brute force what results come to. It is the definition of what verified
// means.
func specified(results []brief) outcome {
	var kept []brief
	for _, b := range results {
		var same, different, contradiction int
		for _, a := range kept {
			switch {
			case a.value != b.value:
				different++
				if a.worker == b.worker && a.method == b.method {
					contradiction++
				}
			case a.method != b.method && (a.worker != b.worker || a.alone && b.alone):
				return outcome{value: b.value, accepted: true}
			case a.method == b.method:
				same++
				if a.worker == b.worker {
					same = enough
				}
			}
		}
		if same >= enough {
			continue
		}
		kept = append(kept, b)
		if contradiction > 0 || isSplit(kept) {
			return outcome{conflict: true}
		}
	}
	return outcome{}
}

// isSplit reports whether there are more than two values, or two workers by one method contradict
// two by another, of those that all machines have.
func isSplit(results []brief) bool {
	all, twoPly, plain := make(map[uint64]int), make(map[uint64]int), make(map[uint64]int)
	for _, b := range results {
		all[b.value]++
		switch b.method {
		case perft.TwoPly:
			twoPly[b.value]++
		case perft.Plain:
			plain[b.value]++
		}
	}
	for v := range all {
		for w := range all {
			if v != w && twoPly[v] >= enough && plain[w] >= enough {
				return true
			}
		}
	}
	return len(all) > 2
}

var allMethods = []perft.Method{perft.TwoPly, perft.Plain, perft.SIMD}

// TestVerified adds every sequence of up to four results, of three workers, methods and values, and
// compares what the ledger makes of it with the definition. Workers and values are alike, so the
// first is always the same.
func TestVerified(t *testing.T) {
	j, depth := oneTask(t, true), 3
	if testing.Short() {
		depth = 2
	}
	for _, alone := range []bool{false, true} {
		var all []brief
		for _, worker := range []string{"ann", "bob", "cyd"} {
			for _, method := range allMethods {
				for value := range uint64(3) {
					all = append(all, brief{worker, method, value + 1, alone})
				}
			}
		}
		var sequence []brief
		var extend func(depth int)
		extend = func(depth int) {
			checkSequence(t, j, sequence)
			for _, b := range all {
				if depth > 0 && !t.Failed() {
					sequence = append(sequence, b)
					extend(depth - 1)
					sequence = sequence[:len(sequence)-1]
				}
			}
		}
		for _, method := range allMethods {
			sequence = []brief{{"ann", method, 1, alone}}
			extend(depth)
		}
	}
}

func checkSequence(t *testing.T, j *Job, sequence []brief) {
	l := NewLedger(j)
	var failure error
	var mismatches []Mismatch
	for _, b := range sequence {
		v, err := l.Add(b.result(j))
		mismatches = append(mismatches, v.Mismatches...)
		if failure = err; err != nil {
			break
		}
		if l.Done() == (v.Want != nil) {
			t.Fatalf("%v: done %v, want %v", sequence, l.Done(), v.Want)
		}
	}
	want := specified(sequence)
	switch s := l.Summary(); {
	case want.conflict != errors.Is(failure, ErrConflict) || want.conflict != (failure != nil):
		t.Fatalf("%v: %v, conflict: %v", sequence, failure, want.conflict)
	case want.conflict:
	case want.accepted != l.Done() || want.accepted != s.Done:
		t.Fatalf("%v: done %v, %v; want %v", sequence, l.Done(), s.Nodes, want.accepted)
	case want.accepted && s.Nodes != Count{Lo: 20 * want.value}:
		t.Fatalf("%v: %v, want 20 times %d", sequence, s.Nodes, want.value)
	}
	for _, b := range sequence {
		named := slices.ContainsFunc(mismatches, func(m Mismatch) bool {
			return m.Result.Worker == b.worker && m.Result.Method == b.method && m.Result.Sum.Lo == 20*b.value
		})
		if want.accepted && named && b.value == want.value {
			t.Fatalf("%v: %v is reported, and %d is accepted", sequence, b, want.value)
		}
	}
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
// done. It returns the results that were added, and the error; ok is false if all workers had to
// avoid it.
func simulate(t *testing.T, l *Ledger, mix []machine, f fault, random *rand.Rand) (results []brief, ok bool,
	err error) {
	for round := 0; !l.Done(); round++ {
		want, wanted := l.Wanted(0)
		if !wanted || round > 12 {
			t.Fatalf("%v, %+v: wanted %v, %v after %v", mix, f, want, wanted, results)
		}
		free := slices.DeleteFunc(slices.Clone(mix), func(m machine) bool {
			return slices.Contains(want.Avoid,
				m.name)
		})
		if len(free) == 0 {
			return results, false, nil
		}
		for range 1 + random.IntN(4)/3 { // now and then the task goes to two, for the first was slow
			m := free[random.IntN(len(free))]
			method := want.Method
			if method == perft.Auto {
				method = m.method
			}
			b := brief{m.name, method, f.count(m.name, method), len(mix) == 1}
			results = append(results, b)
			if _, err := l.Add(b.result(l.job)); err != nil {
				return results, true, err
			}
		}
	}
	return results, true, nil
}

// TestEveryMixOfWorkersAndMethods plants a fault in one method, or in one worker: whatever the
// workers are, no wrong count is ever accepted, and the job comes to an end: a total, a conflict,
// or no worker left to ask.
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
			if len(mix) == 1 && f == (fault{worker: mix[0].name}) {
				continue // no other worker is there to find that out
			}
			for range 50 {
				l := NewLedger(j)
				results, asked, err := simulate(t, l, mix, f, random)
				switch s := l.Summary(); {
				case err != nil && !errors.Is(err, ErrConflict):
					t.Fatalf("%v, %+v: %v", mix, f, err)
				case f.none && !l.Done():
					t.Fatalf("%v: nothing is wrong, and no total after %v: %v", mix, results, err)
				case err != nil:
					ends["conflict"]++
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
	if t.Logf("%v", ends); ends["total"] == 0 || ends["conflict"] == 0 || ends["no worker"] == 0 {
		t.Errorf("%v: some end was never reached", ends)
	}
}

// checkVerified fails the test unless two of the right results are by different methods, and by
// different workers if there are two.
func checkVerified(t *testing.T, mix []machine, results []brief) {
	t.Helper()
	for _, a := range results {
		for _, b := range results {
			if a.value == 7 && b.value == 7 && a.method != b.method && (len(mix) == 1 || a.worker != b.worker) {
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
		{{"ann", perft.TwoPly, 7, false}},
		{{"ann", perft.SIMD, 7, false}},
		{{"ann", perft.TwoPly, 7, false}, {"bob", perft.TwoPly, 7, false}}, // given out again when ann was slow
		{{"ann", perft.TwoPly, 7, false}, {"ann", perft.Plain, 7, false}},
		{{"ann", perft.TwoPly, 7, false}, {"bob", perft.TwoPly, 8, false}},
		{{"ann", perft.TwoPly, 7, false}, {"bob", perft.Plain, 8, false}},
		{{"ann", perft.SIMD, 7, false}, {"bob", perft.Plain, 8, false}},
		{{"ann", perft.TwoPly, 7, true}, {"ann", perft.Plain, 8, true}}, // alone, and now there are more
	} {
		l := NewLedger(j)
		for _, b := range first {
			must.Get(l.Add(b.result(j)))(t)
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
					must.Get(l.Add(brief{worker, method, 7, false}.result(j)))(t)
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
	l := NewLedger(j)
	if s := l.Summary(); s.Done || s.Nodes.Lo != 0 || s.Divide[0].Nodes.Lo != 0 {
		t.Errorf("a total before any result: %+v", s)
	}
	good := brief{"ann", perft.TwoPly, 1, false}.result(j)
	for i := range 3 {
		if v, err := l.Add(good); err != nil || v.Want != nil || v.Duplicate != (i > 0) {
			t.Errorf("time %d: %v, %v", i, v, err)
		}
	}
	_, err := l.Add(brief{"bob", perft.TwoPly, 2, false}.result(j))
	if want := "task 0 has results that differ: 20 by worker ann (two-ply), 40 by worker bob (two-ply)"; err == nil ||
		err.Error() != want || !errors.Is(err, ErrConflict) {
		t.Errorf("another value: %v", err)
	}
	moved := brief{"bob", perft.TwoPly, 1, false}.result(j)
	moved.Counts[0], moved.Counts[1] = 2, 0
	if _, err := l.Add(moved); !errors.Is(err, ErrConflict) {
		t.Errorf("other counts with the same sum: %v", err)
	}
	if s := l.Summary(); !s.Done || s.Nodes.String() != "20" || s.Nodes.Lo != 20 {
		t.Errorf("after that: %+v", s)
	}
	for name, change := range map[string]func(r *Result){
		"job":   func(r *Result) { r.Job[3]++ },
		"index": func(r *Result) { r.Index = 1 },
		"low":   func(r *Result) { r.Index = -1 },
		"short": func(r *Result) { r.Counts = r.Counts[:19] },
		"long":  func(r *Result) { r.Counts = append(r.Counts, 0) },
		"depth": func(r *Result) { r.Depth = 1 },
	} {
		r := brief{"ann", perft.TwoPly, 1, false}.result(j)
		change(r)
		if _, err := l.Add(r); !errors.Is(err, ErrJob) && !errors.Is(err, ErrTask) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOverflowIsNoTotal adds counts whose sum needs more than 128 bits, and some that need just so
// many.
func TestOverflowIsNoTotal(t *testing.T) {
	for _, test := range []struct {
		count, paths uint64
		want         error
	}{
		{math.MaxUint64, math.MaxUint64 / 20, nil}, {math.MaxUint64, math.MaxUint64 / 19, ErrOverflow},
	} {
		j := oneTask(t, false)
		var many block
		for range 20 {
			must.Do(t, many.add(core.State{}, []pathCount{{0, test.paths}}))
		}
		j.frontier.blocks[0] = many
		l := NewLedger(j)
		r := brief{"ann", perft.TwoPly, test.count, false}.result(j)
		want := new(big.Int).Mul(new(big.Int).SetUint64(test.paths), new(big.Int).SetUint64(test.count))
		want.Mul(want, big.NewInt(20))
		_, err := l.Add(r)
		if s := l.Summary(); err != test.want || err == nil && (s.Nodes.String() != want.String() ||
			s.Divide[0].Nodes != s.Nodes) || (err == nil) != l.Done() {
			t.Errorf("%d times 20 times %d: %v, %v", test.paths, test.count, s.Nodes, err)
		}
	}
}

// TestOutlineCountsTasks holds an outline to the same account of tasks, without a total.
func TestOutlineCountsTasks(t *testing.T) {
	j := oneTask(t, false)
	l := NewLedger(Outline(j.Description))
	must.Get(l.Add(brief{"ann", perft.TwoPly, 1, false}.result(j)))(t)
	if s := l.Summary(); !s.Done || s.Nodes.Lo != 0 || len(s.Divide) != 0 || s.Job.Tasks != 1 ||
		s.Job.Positions != 20 || s.Job.ID != j.ID {
		t.Errorf("%+v", s)
	}
}

// TestSummary adds results of a verified job of 4 tasks: the estimate is of the results that are
// missing, if no two differ.
func TestSummary(t *testing.T) {
	spec := Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 100, Verify: true}
	j := must.Get(New(t.Context(), spec, nil))(t)
	l := NewLedger(j)
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

// TestLiar has one credential report many values of a task that others have verified: one mismatch
// is kept of them.
func TestLiar(t *testing.T) {
	j := oneTask(t, true)
	l := NewLedger(j)
	found := 0
	for i, b := range []brief{{"ann", perft.TwoPly, 1, false}, {"bob", perft.Plain, 1, false},
		{"liar:a/1", perft.Plain, 2, false}, {"liar:b/2", perft.TwoPly, 3, false}, {"liar:a/1", perft.Plain, 4, false},
		{"cyd", perft.Plain, 2, false}} {
		v, err := l.Add(b.result(j))
		if err != nil {
			t.Fatalf("result %d: %v", i, err)
		}
		found += len(v.Mismatches)
	}
	if m := l.Mismatches(); found != 2 || len(m) != 2 || m[0].Result.Worker != "liar:a/1" || m[1].Result.Worker != "cyd" {
		t.Errorf("%d mismatches, %v, want one of the liar and one of cyd", found, m)
	}
}
