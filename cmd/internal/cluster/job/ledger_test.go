package job

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// oneTask returns a job of one task of 20 positions.
func oneTask(t *testing.T, verify bool) *Job {
	t.Helper()
	j, err := New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 1, Split: 1, Batch: 20, Verify: verify}, Options{})
	if err != nil || j.Tasks() != 1 {
		t.Fatal(j.Tasks(), err)
	}
	return j
}

// said is a result in short.
type said struct {
	worker string
	pass   int
	value  uint64
}

func (s said) result(j *Job) *Result {
	r := &Result{Job: j.ID(), Pass: s.pass, Algorithm: fmt.Sprint("algorithm ", s.pass), Worker: s.worker}
	for range j.Positions() {
		r.Counts = append(r.Counts, Count{Lo: s.value})
	}
	return r
}

// believed says by brute force what a verified task's results come to: the value that is believed, whether any is, and whether they
// are in conflict before.
func believed(results []said, alone bool) (value uint64, ok, conflict bool) {
	for i, b := range results {
		values := map[uint64]bool{}
		for _, a := range results[:i] {
			if a.worker == b.worker && a.pass == b.pass && a.value != b.value {
				return 0, false, true
			}
			values[a.value] = true
		}
		for _, a := range results[:i] {
			if a.value == b.value && a.pass != b.pass && (alone || a.worker != b.worker) {
				return b.value, true, false
			}
		}
		values[b.value] = true
		if len(values) > 2 {
			return 0, false, true
		}
	}
	return 0, false, false
}

// TestVerified adds every sequence of up to four results, of two or three workers, passes and values, and holds what the ledger
// makes of it to the definition.
func TestVerified(t *testing.T) {
	var all []said
	for _, worker := range []string{"ann", "bob", "cyd"} {
		for pass := range 2 {
			for value := range uint64(3) {
				all = append(all, said{worker, pass, value + 1})
			}
		}
	}
	j := oneTask(t, true)
	var sequence []said
	var extend func(depth int)
	extend = func(depth int) {
		for _, alone := range []bool{false, true} {
			checkSequence(t, j, sequence, alone)
		}
		for _, s := range all {
			if depth > 0 && !t.Failed() {
				sequence = append(sequence, s)
				extend(depth - 1)
				sequence = sequence[:len(sequence)-1]
			}
		}
	}
	extend(3)
}

func checkSequence(t *testing.T, j *Job, sequence []said, alone bool) {
	l := NewLedger(j, alone)
	var failure error
	var lies []Lie
	for _, s := range sequence {
		v, err := l.Add(s.result(j))
		lies = append(lies, v.Lies...)
		if failure = err; err != nil {
			break
		}
		if v.Standing == Open != (v.Want != nil) && v.Standing != Duplicate {
			t.Fatalf("%v: standing %d, want %v", sequence, v.Standing, v.Want)
		}
	}
	value, ok, conflict := believed(sequence, alone)
	var e *ConflictError
	switch s := l.Summary(); {
	case conflict != errors.As(failure, &e) || conflict != (failure != nil):
		t.Fatalf("%v: %v, conflict: %v", sequence, failure, conflict)
	case conflict:
	case ok != l.Done() || ok != (s.Nodes != nil):
		t.Fatalf("%v, alone %v: done %v, %v; want %v", sequence, alone, l.Done(), s.Nodes, ok)
	case ok && *s.Nodes != Count{Lo: 20 * value}:
		t.Fatalf("%v: %v, want 20 times %d", sequence, s.Nodes, value)
	}
	for _, s := range sequence {
		named := slices.ContainsFunc(lies, func(l Lie) bool {
			return l.Liar.Worker == s.worker && l.Liar.Pass == s.pass && l.Liar.Sum.Lo == 20*s.value
		})
		if ok && named != (s.value != value) {
			t.Fatalf("%v: %v called a liar: %v; the truth is %d", sequence, s, named, value)
		}
	}
}

// TestWantsCanBeMet has two workers, and three if they differ, take in turn whatever is wanted of those that need not avoid it: the
// task is done whoever lies, if two do not.
func TestWantsCanBeMet(t *testing.T) {
	j := oneTask(t, true)
	for _, first := range [][]said{
		nil,
		{{"ann", 0, 7}},
		{{"ann", 0, 7}, {"bob", 0, 7}}, // given out again when ann was slow
		{{"ann", 0, 7}, {"bob", 0, 8}},
		{{"ann", 0, 7}, {"bob", 1, 8}},
	} {
		l := NewLedger(j, false)
		for _, s := range first {
			if _, err := l.Add(s.result(j)); err != nil {
				t.Fatal(err)
			}
		}
		for round := 0; !l.Done(); round++ {
			w, ok := l.Wanted(0)
			if !ok || round > 3 {
				t.Fatalf("%v: wanted %v, %v after %d rounds", first, w, ok, round)
			}
			for _, worker := range []string{"ann", "bob", "cyd"} {
				if !slices.Contains(w.Avoid, worker) {
					if _, err := l.Add(said{worker, w.Pass, 7}.result(j)); err != nil {
						t.Fatal(err)
					}
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
	l := NewLedger(j, false)
	if s := l.Summary(); s.Done || s.Nodes != nil || s.Divide != nil {
		t.Errorf("a total before any result: %+v", s)
	}
	good := said{"ann", 0, 1}.result(j)
	for i, want := range []Standing{Accepted, Duplicate, Duplicate} {
		if v, err := l.Add(good); err != nil || v.Standing != want {
			t.Errorf("time %d: %v, %v", i, v, err)
		}
	}
	_, err := l.Add(said{"bob", 0, 2}.result(j))
	var conflict *ConflictError
	if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "task 0") || !strings.Contains(err.Error(), "20 by worker ann") || !strings.Contains(err.Error(), "40 by worker bob") {
		t.Errorf("another value: %v", err)
	}
	moved := said{"bob", 0, 1}.result(j)
	moved.Counts[0], moved.Counts[1] = Count{Lo: 2}, Count{}
	if _, err := l.Add(moved); !errors.As(err, &conflict) {
		t.Errorf("other counts with the same sum: %v", err)
	}
	if s := l.Summary(); !s.Done || s.Nodes.String() != "20" || s.PositionsDone != 20 || s.Counted.Lo != 20 {
		t.Errorf("after that: %+v", s)
	}
	for name, change := range map[string]func(r *Result){
		"job":   func(r *Result) { r.Job[3]++ },
		"index": func(r *Result) { r.Index = 1 },
		"low":   func(r *Result) { r.Index = -1 },
		"short": func(r *Result) { r.Counts = r.Counts[:19] },
		"long":  func(r *Result) { r.Counts = append(r.Counts, Count{}) },
		"depth": func(r *Result) { r.Depth = 1 },
	} {
		r := said{"ann", 0, 1}.result(j)
		change(r)
		if _, err := l.Add(r); !errors.Is(err, ErrJob) && !errors.Is(err, ErrTask) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOverflowIsNoTotal adds counts whose sum needs more than 128 bits.
func TestOverflowIsNoTotal(t *testing.T) {
	j := oneTask(t, false)
	r := said{"ann", 0, 0}.result(j)
	for i := range r.Counts {
		r.Counts[i] = Count{Hi: 1 << 63}
	}
	l := NewLedger(j, false)
	if _, err := l.Add(r); !errors.Is(err, ErrOverflow) || l.Done() {
		t.Errorf("%v, done %v", err, l.Done())
	}
}

// TestOutlineCountsTasks holds an outline to the same account of tasks, without a total.
func TestOutlineCountsTasks(t *testing.T) {
	j := oneTask(t, false)
	l := NewLedger(Outline(j.Description()), true)
	if _, err := l.Add(said{"ann", 0, 1}.result(j)); err != nil {
		t.Fatal(err)
	}
	if s := l.Summary(); !s.Done || s.Nodes != nil || s.Tasks != 1 || s.Positions != 20 || s.ID != j.ID() {
		t.Errorf("%+v", s)
	}
}
