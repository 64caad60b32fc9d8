package job

import (
	"fmt"
	"iter"
	"slices"
)

// Ledger is the account of a job's results: which are believed, what is still wanted, and who has lied. It is pure bookkeeping, without
// clock or network, and comes to the same end whatever the order of the results. It is for one goroutine at a time.
//
// Nothing is ever incremented by a result that is there already: a result again changes nothing, and one that differs is an
// error, or, in a job that is verified, a reason to ask a third worker.
type Ledger struct {
	job     *Job
	alone   bool
	entries []entry
	open    map[int][]testimony // what is known of tasks that have results, but none believed yet
	done    int
	counted int     // positions of tasks that are done
	totals  []Count // by root move, over the tasks that are done
	nodes   Count   // the sum of totals
	liars   []Lie
}

// entry is what stays of a task when a result is believed.
type entry struct {
	done   bool
	digest digest
	sum    Count
	worker string
}

// testimony is a result without its counts.
type testimony struct {
	Testimony
	digest digest
}

// Testimony is what a worker says of a task.
type Testimony struct {
	Worker    string `json:"worker"`
	Algorithm string `json:"algorithm"`
	Pass      int    `json:"pass"`
	Sum       Count  `json:"sum"` // of the counts of all positions, each once
}

// Want is a task that is to be counted, for the pass-th time, by a worker that has not counted it.
type Want struct {
	Index, Pass int
	Avoid       []string
}

// Lie is a result that is not that of the others.
type Lie struct {
	Index int       `json:"task"`
	Liar  Testimony `json:"liar"`
	Truth Count     `json:"truth"` // the sum that is believed
}

// String tells who has counted what.
func (l Lie) String() string {
	return fmt.Sprintf("task %d: worker %s (%s) counted %s, and the others %s", l.Index, l.Liar.Worker, l.Liar.Algorithm, l.Liar.Sum, l.Truth)
}

// Standing is what has become of a task.
type Standing uint8

const (
	Accepted  Standing = iota // the result is believed, and in the totals
	Duplicate                 // it adds nothing: it was there before
	Open                      // another result is wanted before one is believed
)

// Verdict is what Add has come to.
type Verdict struct {
	Standing Standing
	Want     *Want // if Open: what to ask for next
	Lies     []Lie // what has come out now
}

// ConflictError says that a task has results that differ, and nothing tells which of them is right. It is final.
type ConflictError struct {
	Index       int
	Testimonies []Testimony
}

// Error names the task, the values, and who counted them.
func (e *ConflictError) Error() string {
	text := fmt.Sprintf("task %d has results that differ:", e.Index)
	for i, t := range e.Testimonies {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s by worker %s (%s, pass %d)", t.Sum, t.Worker, t.Algorithm, t.Pass)
	}
	return text
}

// NewLedger returns the account of a job with no result. If the job is verified, two results confirm each other if workers and
// algorithms differ; alone says that there is one worker only, so that different algorithms must do.
func NewLedger(j *Job, alone bool) *Ledger {
	return &Ledger{
		job: j, alone: alone,
		entries: make([]entry, j.Tasks()),
		open:    make(map[int][]testimony),
		totals:  make([]Count, len(j.moves)),
	}
}

// Add takes note of a result. Its errors are ErrJob and ErrTask, for a result that is refused and changes nothing; and *ConflictError and
// ErrOverflow, after which the job cannot be finished.
func (l *Ledger) Add(r *Result) (Verdict, error) {
	if err := l.check(r); err != nil {
		return Verdict{}, err
	}
	sum, err := r.Sum()
	if err != nil {
		return Verdict{}, err
	}
	t := testimony{Testimony{r.Worker, r.Algorithm, r.Pass, sum}, r.digest()}
	switch e := &l.entries[r.Index]; {
	case e.done:
		return l.compare(r.Index, e, &t)
	case l.job.spec.Verify:
		return l.weigh(r, t)
	}
	return Verdict{Standing: Accepted}, l.accept(r, &t)
}

// check refuses what is no result of the job.
func (l *Ledger) check(r *Result) error {
	switch {
	case r.Job != l.job.id:
		return fmt.Errorf("%w: a result of job %.8s, this is %s", ErrJob, r.Job, l.job.Description())
	case r.Index < 0 || r.Index >= l.job.Tasks():
		return fmt.Errorf("%w: task %d of 0..%d", ErrTask, r.Index, l.job.Tasks()-1)
	case l.job.frontier != nil && len(r.Counts) != l.job.size(r.Index):
		return fmt.Errorf("%w: %d counts for the %d positions of task %d", ErrTask, len(r.Counts), l.job.size(r.Index), r.Index)
	case r.Depth != l.job.spec.Depth-l.job.spec.Split:
		return fmt.Errorf("%w: task %d counted to depth %d, not %d", ErrTask, r.Index, r.Depth, l.job.spec.Depth-l.job.spec.Split)
	}
	return nil
}

// compare holds a result against the one that is believed.
func (l *Ledger) compare(index int, e *entry, t *testimony) (Verdict, error) {
	switch {
	case t.digest == e.digest:
		return Verdict{Standing: Duplicate}, nil
	case l.job.spec.Verify:
		lie := Lie{index, t.Testimony, e.sum}
		if slices.Contains(l.liars, lie) {
			return Verdict{Standing: Duplicate}, nil
		}
		l.liars = append(l.liars, lie)
		return Verdict{Standing: Duplicate, Lies: []Lie{lie}}, nil
	}
	return Verdict{}, &ConflictError{index, []Testimony{{Worker: e.worker, Sum: e.sum}, t.Testimony}}
}

// weigh looks whether a result of a task that has none to be believed confirms another.
func (l *Ledger) weigh(r *Result, t testimony) (Verdict, error) {
	before := l.open[r.Index]
	if slices.Contains(before, t) {
		return Verdict{Standing: Duplicate, Want: l.next(r.Index)}, nil
	}
	for _, b := range before {
		if b.digest != t.digest && b.Worker == t.Worker && b.Algorithm == t.Algorithm {
			return Verdict{}, &ConflictError{r.Index, []Testimony{b.Testimony, t.Testimony}} // it contradicts itself
		}
	}
	all := append(before, t)
	confirmed := slices.ContainsFunc(before, func(b testimony) bool { return b.digest == t.digest && l.independent(&b, &t) })
	if confirmed {
		delete(l.open, r.Index)
		v := Verdict{Standing: Accepted}
		for _, other := range all {
			if other.digest != t.digest {
				v.Lies = append(v.Lies, Lie{r.Index, other.Testimony, t.Sum})
			}
		}
		l.liars = append(l.liars, v.Lies...)
		return v, l.accept(r, &t)
	}
	if opinions(all) > 2 {
		return Verdict{}, conflict(r.Index, all)
	}
	l.open[r.Index] = all
	return Verdict{Standing: Open, Want: l.next(r.Index)}, nil
}

// independent reports whether one of two equal results confirms the other.
func (l *Ledger) independent(a, b *testimony) bool {
	return a.Algorithm != b.Algorithm && (l.alone || a.Worker != b.Worker)
}

// opinions returns how many different results there are.
func opinions(all []testimony) int {
	different := make(map[digest]bool)
	for _, t := range all {
		different[t.digest] = true
	}
	return len(different)
}

func conflict(index int, all []testimony) error {
	e := &ConflictError{Index: index}
	for _, t := range all {
		e.Testimonies = append(e.Testimonies, t.Testimony)
	}
	return e
}

// next returns what to ask for of a task that is not done. A worker is to be avoided if its result might come to nothing: if, of
// what has been counted so far, it alone vouches for some value, which it then could not confirm.
func (l *Ledger) next(index int) *Want {
	w := &Want{Index: index}
	all := l.open[index]
	for i := range all {
		w.Pass = max(w.Pass, all[i].Pass+1)
		another := func(t testimony) bool { return t.digest == all[i].digest && t.Worker != all[i].Worker }
		if !l.alone && !slices.ContainsFunc(all, another) && !slices.Contains(w.Avoid, all[i].Worker) {
			w.Avoid = append(w.Avoid, all[i].Worker)
		}
	}
	return w
}

// accept puts a result into the totals.
func (l *Ledger) accept(r *Result, t *testimony) error {
	if l.job.frontier != nil {
		if err := l.addUp(r); err != nil {
			return err
		}
	}
	l.entries[r.Index] = entry{true, t.digest, t.Sum, t.Worker}
	l.done++
	l.counted += len(r.Counts)
	return nil
}

// addUp adds to the totals each count as often as there are ways to its position.
func (l *Ledger) addUp(r *Result) error {
	first := l.job.bounds[r.Index]
	return l.job.frontier.eachWays(first, l.job.bounds[r.Index+1], func(i int, ways []way) error {
		for _, w := range ways {
			product, err := r.Counts[i-first].Times(w.count)
			if err == nil {
				l.totals[w.root], err = l.totals[w.root].Add(product)
			}
			if err == nil {
				l.nodes, err = l.nodes.Add(product)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Done reports whether all tasks have a result that is believed.
func (l *Ledger) Done() bool { return l.done == len(l.entries) }

// Wants returns what is still to be counted, task by task.
func (l *Ledger) Wants() iter.Seq[Want] {
	return func(yield func(Want) bool) {
		for i := range l.entries {
			if !l.entries[i].done && !yield(*l.next(i)) {
				return
			}
		}
	}
}

// Wanted returns what is still to be counted of a task, and whether anything is.
func (l *Ledger) Wanted(index int) (Want, bool) {
	if l.entries[index].done {
		return Want{}, false
	}
	return *l.next(index), true
}

// Lies returns what has come out about workers, in the order in which it did.
func (l *Ledger) Lies() []Lie { return slices.Clone(l.liars) }
