package job

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
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

// TestOneFault has up to four workers, which prefer some method, take a verified task as long as it
// is wanted. One worker or one method is faulty, or one worker with one method. No wrong count is
// ever accepted, two workers and two methods agree on the right one, and the job comes to an end: a
// total, or no worker left to ask.
func TestOneFault(t *testing.T) {
	j, ends := oneTask(t, true), make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]perft.Method{perft.TwoPly, perft.Plain, perft.SIMD})
		preferred := make(map[string]perft.Method)
		for _, name := range []string{"ann", "bob", "cyd", "dan"}[:rapid.IntRange(1, 4).Draw(t, "workers")] {
			preferred[name] = method.Draw(t, name)
		}
		isFaulty := rapid.IntRange(0, 3).Draw(t, "fault") // bit 0: of worker ann; bit 1: of a method
		faulty := method.Draw(t, "faulty method")
		l, right := NewLedger(j, false), []brief(nil)
		for round := 0; !l.Done(); round++ {
			want, wanted := l.Wanted(0)
			if !wanted || round > 12 {
				t.Fatalf("wanted %v, %v after %d rounds", want, wanted, round)
			}
			free := slices.DeleteFunc(slices.Sorted(maps.Keys(preferred)), func(n string) bool { return slices.Contains(want.Avoid, n) })
			if len(free) == 0 {
				if ends["no worker"]++; isFaulty == 0 && len(preferred) > 1 {
					t.Fatal("nothing is wrong, and no total")
				}
				return
			}
			for range rapid.IntRange(1, 2).Draw(t, "copies") { // now and then the first was slow
				name := rapid.SampledFrom(free).Draw(t, "name")
				b := brief{name, cmp.Or(want.Method, preferred[name]), 7}
				if isFaulty > 0 && (isFaulty&1 == 0 || name == "ann") && (isFaulty&2 == 0 || b.method == faulty) {
					b.value = 8
				}
				if _, err := l.Add(b.result(j)); err != nil {
					t.Fatal(err)
				}
				if b.value == 7 {
					right = append(right, b)
				}
			}
		}
		ends["total"]++
		if l.Summary().Nodes.Lo != 20*7 || !slices.ContainsFunc(right, func(a brief) bool {
			return slices.ContainsFunc(right, func(b brief) bool { return a.method != b.method && a.worker != b.worker })
		}) {
			t.Fatalf("%v is accepted, and right are %v", l.Summary().Nodes, right)
		}
	})
	if t.Logf("%v", ends); ends["total"] == 0 || ends["no worker"] == 0 {
		t.Errorf("%v: some end was never reached", ends)
	}
}

// TestUnverified adds results again, with another value, and those of no task.
func TestUnverified(t *testing.T) {
	j := oneTask(t, false)
	l := NewLedger(j, false)
	if s := l.Summary(); s.Done || s.Nodes.Lo != 0 || s.Divide[0].Nodes.Lo != 0 {
		t.Errorf("a total before any result: %+v", s)
	}
	good := brief{"ann", perft.TwoPly, 1}.result(j)
	for i := range 3 {
		if v, err := l.Add(good); err != nil || !l.Done() || v != (i == 0) {
			t.Errorf("time %d: %v, %v", i, v, err)
		}
	}
	moved := brief{"bob", perft.TwoPly, 1}.result(j)
	moved.Counts[0], moved.Counts[1] = 2, 0
	must.Get(l.Add(moved))(t)
	if d := l.Disagreements(); l.Done() || len(d) != 1 || d[0].String() != "results of 1 task differ between ann and bob" {
		t.Errorf("other counts with the same sum: done %v, %v", l.Done(), d)
	}
	if w, ok := l.Wanted(0); !ok || !slices.Equal(w.Avoid, []string{"ann", "bob"}) {
		t.Errorf("%+v, %v is wanted of a third worker", w, ok)
	}
	must.Get(l.Add(brief{"cyd", perft.TwoPly, 1}.result(j)))(t)
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
	l := NewLedger(j, false)
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

// party is the workers of a simulated job of 400 tasks: by their names, whether they are wrong
// about a task, and with which value.
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

// count has random workers of a party bring what is wanted until the job is done. The arbiter
// brings what is disputed if it decides.
func (p party) count(t *testing.T, l *Ledger, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	names := slices.Sorted(maps.Keys(p))
	for rounds := 0; !l.Done(); rounds++ {
		brought := false
		for index := range l.Tasks {
			want, ok := l.Wanted(index)
			name := names[random.IntN(len(names))]
			value := p[name](index, random)
			switch {
			case !ok && l.accounts[index].accepted == "":
				name, value, want.Index = Arbiter, 7, index
			case !ok || slices.Contains(want.Avoid, name):
				continue
			}
			method := cmp.Or(want.Method, perft.TwoPly)
			r := &Result{Head: Head{Job: l.ID, Index: index, Depth: 1, Method: method}, Worker: name,
				Counts: []uint64{value}}
			must.Get(l.Add(r))(t)
			brought = true
		}
		if rounds > 1000 || !brought && rounds > 100 {
			t.Fatalf("%d of %d tasks are done, %v, %v", l.summary.TasksDone, l.Tasks, l.Faults(), l.Disagreements())
		}
	}
}

// TestParties holds that faulty workers neither end a job nor change its total, and that it names
// them and no others. Without an arbiter, a majority that lies wins, which the job says that it
// cannot know.
func TestParties(t *testing.T) {
	spec := Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 2, Batch: 1, Verify: true}
	j := must.Get(New(t.Context(), spec, nil))(t)
	total := func(l *Ledger) string { return l.Summary().Nodes.String() }
	honest := NewLedger(j, false)
	party{"ann": right, "bob": right}.count(t, honest, 0)
	contradicts := func(_ int, random *rand.Rand) uint64 { return 600 + random.Uint64N(2)*60 }
	for _, test := range []struct {
		name    string
		party   party
		arbiter bool
		wrong   []string
	}{
		{"one contradicts itself", party{"ann": right, "bob": right, "zed": contradicts}, true, []string{"zed"}},
		{"the same, by votes", party{"ann": right, "bob": right, "cyd": right, "zed": contradicts}, false, []string{"zed"}},
		{"two flaky", party{"ann": right, "bob": right, "x": flaky(5), "y": flaky(40)}, true, []string{"x", "y"}},
		{"two flaky, by votes", party{"ann": right, "bob": right, "cyd": right, "x": flaky(5), "y": flaky(40)}, false,
			[]string{"x", "y"}},
		{"three of seven collude", party{"a": right, "b": right, "c": right, "d": right, "x": colluding, "y": colluding,
			"z": colluding}, true, []string{"x", "y", "z"}},
		{"four of six collude", party{"a": right, "b": right, "w": colluding, "x": colluding, "y": colluding, "z": colluding},
			true, []string{"w", "x", "y", "z"}},
		{"three of seven collude, by votes", party{"a": right, "b": right, "c": right, "d": right, "x": colluding, "y": colluding,
			"z": colluding}, false, nil},
	} {
		for seed := range uint64(20) {
			l := NewLedger(j, test.arbiter)
			test.party.count(t, l, seed)
			if test.wrong == nil && (total(l) == total(honest) || len(l.Summary().Doubts) > 0) {
				continue // the job mostly names them, and never hides that it depends on the majority
			}
			if got := total(l); got != total(honest) || !slices.Equal(slices.Sorted(slices.Values(l.Quarantined())), test.wrong) {
				t.Errorf("%s: %s, named %v, want %s, %v", test.name, got, l.Quarantined(), total(honest), test.wrong)
			}
		}
	}
}
