package job

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Ledger keeps account of a job's results: the accepted ones, the missing ones, and those that
// differ. It uses neither clock nor network. Its totals depend only on the results and their order,
// so that every reader of a job's results gets the same totals. Only one goroutine may use a Ledger
// at a time.
//
// A task is decided when enough independent owners agree. An owner that contradicts itself, or that
// differs from a decided result, is quarantined, and none of its results counts any longer. Because
// earlier decisions may rest on it, the caller then adds all results again, after Reset.
type Ledger struct {
	job   *Job
	rules Rules

	// Reset keeps these.
	known       map[int]digest  // the results of the arbiter
	contested   map[int]bool    // the tasks that were decided before a trusted owner differed
	quarantined map[string]bool // owners
	doubts      []string        // the votes against several trusted owners

	decided []digest            // the accepted result of each task, or zero
	open    map[int][]candidate // the results of undecided tasks
	rated   map[string]*rating  // by owner
	done    int
	divide  []Nodes // the leaves of done tasks by root move
	nodes   Count   // the sum of divide

	results int           // the results without duplicates
	spent   time.Duration // their time on one thread
}

// Rules say when a task is decided.
type Rules struct {
	Arbiter bool // a count by the Arbiter decides between results that differ, and no vote
	Crowd   bool // among results that differ, most of the known owners must agree
}

// Arbiter is the worker whose results are right by definition: the coordinator, when it checks the
// count of a worker.
const Arbiter = "coordinator:check"

// rating counts the results of an owner.
type rating struct{ results, wrong int }

// candidate is a result of an undecided task.
type candidate struct {
	owner  string
	method perft.Method
	digest digest
}

// Want asks for a result of a task.
type Want struct {
	Index  int
	Pass   int          // the number of results that the undecided task has
	Method perft.Method // the method to use; Auto lets the worker choose
	Avoid  []string     // owners whose workers must not count it
}

// Fault describes a quarantined owner.
type Fault struct {
	Worker  string `json:"worker"` // the owner
	Wrong   int    `json:"wrong"`  // its results that differ from decided ones or contradict each other
	Results int    `json:"results"`
}

// String returns the line that names a faulty owner.
func (f Fault) String() string {
	return fmt.Sprintf("%s: %s of %s wrong; its results are counted again", f.Worker, format.Count(f.Wrong),
		format.Count(f.Results))
}

// Outcome is the effect of Add.
type Outcome int

const (
	News      Outcome = iota // the result must be kept
	Duplicate                // it was there before, or its task is decided
	Reset                    // it must be kept, and the caller must add all results again, after Reset
)

// NewLedger returns the ledger of a job without results.
func NewLedger(j *Job, rules Rules) *Ledger {
	l := &Ledger{job: j, rules: rules, known: make(map[int]digest), contested: make(map[int]bool),
		quarantined: make(map[string]bool)}
	l.Reset()
	return l
}

// Reset takes all results out. It keeps the quarantined owners and the arbiter's counts.
func (l *Ledger) Reset() {
	l.decided, l.open, l.rated = make([]digest, l.job.Tasks), make(map[int][]candidate), make(map[string]*rating)
	l.done, l.nodes, l.results, l.spent = 0, Count{}, 0, 0
	l.divide = make([]Nodes, 0, len(l.job.moves))
	for _, move := range l.job.moves {
		l.divide = append(l.divide, Nodes{Move: move})
	}
}

// Add adds a result. It returns ErrJob or ErrTask for a refused result, which changes nothing.
func (l *Ledger) Add(r *Result) (Outcome, error) {
	if err := l.check(r); err != nil {
		return Duplicate, err
	}
	c := candidate{Owner(r.Worker), r.Method, r.digest()}
	if r.Worker == Arbiter {
		return l.arbitrate(r, c.digest), nil
	}
	if l.decided[r.Index] == c.digest || slices.Contains(l.open[r.Index], c) {
		return Duplicate, nil
	}
	if l.rated[c.owner] == nil {
		l.rated[c.owner] = new(rating)
	}
	l.rated[c.owner].results++
	if !l.isDecided(r.Index) {
		l.results++
		l.spent += r.Elapsed
	}
	known, isKnown := l.known[r.Index]
	contradicts := slices.ContainsFunc(l.open[r.Index], func(a candidate) bool {
		return a.owner == c.owner && a.method == c.method // and another digest
	})
	switch {
	case isKnown && c.digest != known, contradicts:
		return l.blame(c.owner), nil
	case l.isDecided(r.Index):
		return l.contest(r.Index, c.owner), nil
	}
	l.open[r.Index] = append(l.open[r.Index], c)
	if l.decides(r.Index, c.digest) {
		return l.accept(r, c.digest), nil
	}
	return News, nil
}

// check returns an error for a result of something else.
func (l *Ledger) check(r *Result) error {
	switch depth := l.job.Spec.Depth - l.job.Spec.Split; {
	case r.Job != l.job.ID:
		return fmt.Errorf("%w: a result of job %.8s, this is %s", ErrJob, r.Job, l.job.Description)
	case r.Index < 0 || r.Index >= l.job.Tasks:
		return fmt.Errorf("%w: task %d of 0..%d", ErrTask, r.Index, l.job.Tasks-1)
	case len(r.Counts) != l.job.pieces[r.Index].size():
		return fmt.Errorf("%w: %d counts for the %d positions of task %d", ErrTask, len(r.Counts),
			l.job.pieces[r.Index].size(), r.Index)
	case r.Depth != depth:
		return fmt.Errorf("%w: task %d counted to depth %d, not %d", ErrTask, r.Index, r.Depth, depth)
	}
	return nil
}

func (l *Ledger) isDecided(index int) bool { return l.decided[index] != digest{} }

// arbitrate adds a result of the arbiter, the first of which is right.
func (l *Ledger) arbitrate(r *Result, d digest) Outcome {
	if known, isKnown := l.known[r.Index]; isKnown && d != known {
		return Duplicate
	}
	l.known[r.Index] = d
	switch {
	case l.decided[r.Index] == d:
		return Duplicate
	case l.isDecided(r.Index):
		return Reset
	}
	return l.accept(r, d)
}

// blame counts a wrong result of an owner, and quarantines it at the first.
func (l *Ledger) blame(owner string) Outcome {
	l.rated[owner].wrong++
	if l.quarantined[owner] {
		return Duplicate
	}
	l.quarantined[owner] = true
	return Reset
}

// contest handles a result that differs from the decided one. The first one of a trusted owner
// opens the task again, because those who decided it may be the wrong ones.
func (l *Ledger) contest(index int, owner string) Outcome {
	if l.quarantined[owner] || l.contested[index] {
		return l.blame(owner)
	}
	l.contested[index] = true
	return Reset
}

// accept decides a task, adds each count to the totals, multiplied by the paths to its position, and
// blames the owners of other results.
func (l *Ledger) accept(r *Result, d digest) Outcome {
	outcome := News
	for _, a := range l.open[r.Index] {
		if a.digest != d && l.blame(a.owner) == Reset {
			outcome = Reset
		}
	}
	p, paths := &l.job.pieces[r.Index], []pathCount(nil)
	for i, n := range r.Counts {
		paths = l.job.frontier.blocks[p.block].appendPathsOf(paths[:0], int(p.first)+i)
		for _, path := range paths {
			hi, lo := bits.Mul64(n, path.count)
			l.nodes = l.nodes.Add(Count{hi, lo})
			move := &l.divide[path.root]
			move.Nodes = move.Nodes.Add(Count{hi, lo})
		}
	}
	delete(l.open, r.Index)
	l.decided[r.Index] = d
	l.done++
	return outcome
}

// votes are the trusted results of one value for a task.
type votes struct {
	digest  digest
	owners  []string
	methods []perft.Method
}

// votes returns the votes for each value of an undecided task, the most first.
func (l *Ledger) votes(index int) (values []votes) {
	for _, c := range l.open[index] {
		if l.quarantined[c.owner] {
			continue
		}
		i := slices.IndexFunc(values, func(v votes) bool { return v.digest == c.digest })
		if i < 0 {
			i = len(values)
			values = append(values, votes{digest: c.digest})
		}
		v := &values[i]
		if !slices.Contains(v.owners, c.owner) {
			v.owners = append(v.owners, c.owner)
		}
		v.methods = append(v.methods, c.method)
	}
	slices.SortStableFunc(values, func(a, b votes) int { return len(b.owners) - len(a.owners) })
	return values
}

// mostOwners limits the votes that a majority needs.
const mostOwners = 4

// need returns the number of owners that must agree on the first value, given the votes.
func (l *Ledger) need(index int, values []votes) int {
	need, rivals := l.job.Spec.Owners(), 0
	for _, v := range values[1:] {
		rivals += len(v.owners)
	}
	if rivals == 0 && !l.contested[index] {
		return need
	}
	if l.rules.Crowd {
		trusted := len(l.rated) - len(l.quarantined)
		need = max(need, min(trusted/2+1, mostOwners))
	}
	return max(need, rivals+1, 2)
}

// decides reports whether the votes decide that a value is right. A faulty method affects all
// workers, and a faulty machine affects all methods, so a verified job needs different ones of both.
func (l *Ledger) decides(index int, value digest) bool {
	if known, isKnown := l.known[index]; isKnown {
		return known == value
	}
	values := l.votes(index)
	if len(values) == 0 || values[0].digest != value || l.rules.Arbiter && l.Disputed(index) {
		return false
	}
	first := &values[0]
	if l.job.Spec.Verify && len(slices.Compact(slices.Sorted(slices.Values(first.methods)))) < 2 ||
		len(first.owners) < l.need(index, values) {
		return false
	}
	if len(values) > 1 && len(values[1].owners) > 1 { // the majority may lie
		text := fmt.Sprintf("%s agree on other counts than %s: if the majority lies, the total is wrong, and the run "+
			"cannot know it", listed(values[1].owners), listed(first.owners))
		if !slices.Contains(l.doubts, text) {
			l.doubts = append(l.doubts, text)
		}
	}
	return true
}

// listed lists owners in alphabetical order.
func listed(owners []string) string {
	return strings.Join(slices.Sorted(slices.Values(owners)), " and ")
}

// Done reports whether all tasks are decided.
func (l *Ledger) Done() bool { return l.done == l.Tasks() }

// Tasks returns the number of tasks.
func (l *Ledger) Tasks() int { return l.job.Tasks }

// TasksDone returns the number of decided tasks.
func (l *Ledger) TasksDone() int { return l.done }

// Mean returns the time that a result took on the mean, on one thread.
func (l *Ledger) Mean() time.Duration { return l.spent / time.Duration(max(1, l.results)) }

// Wants yields the missing results in the order of the tasks.
func (l *Ledger) Wants() iter.Seq[Want] {
	return func(yield func(Want) bool) {
		for i := range l.Tasks() {
			if want, ok := l.Wanted(i); ok && !yield(want) {
				return
			}
		}
	}
}

// Wanted returns the missing result of a task, if workers are to bring one.
func (l *Ledger) Wanted(index int) (w Want, ok bool) {
	all := l.open[index]
	if l.isDecided(index) || l.Disputed(index) && l.rules.Arbiter {
		return w, false
	}
	w = Want{Index: index, Pass: len(all), Avoid: l.Quarantined()}
	values := l.votes(index)
	if len(values) == 0 {
		return w, true
	}
	if l.job.Spec.Verify { // by the methods that all machines have, the faster first
		counted := map[perft.Method]int{}
		for _, v := range values {
			for _, m := range v.methods {
				counted[m]++
			}
		}
		w.Method = perft.TwoPly
		if counted[perft.Plain] < counted[perft.TwoPly] {
			w.Method = perft.Plain
		}
	}
	lacking := len(values[0].owners) < l.need(index, values)
	for _, c := range all {
		if (c.method == w.Method || lacking) && !slices.Contains(w.Avoid, c.owner) {
			w.Avoid = append(w.Avoid, c.owner)
		}
	}
	return w, true
}

// Disputed reports whether trusted results of an undecided task differ.
func (l *Ledger) Disputed(index int) bool {
	return !l.isDecided(index) && (l.contested[index] || len(l.open[index]) > 1 && len(l.votes(index)) > 1)
}

// Disputes yields the undecided tasks with results that differ and no count of the arbiter.
func (l *Ledger) Disputes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for index := range l.open {
			if !l.Known(index) && l.Disputed(index) && !yield(index) {
				return
			}
		}
	}
}

// Known reports whether the arbiter has counted a task.
func (l *Ledger) Known(index int) bool {
	_, known := l.known[index]
	return known
}

// Quarantined returns the quarantined owners, sorted.
func (l *Ledger) Quarantined() []string { return slices.Sorted(maps.Keys(l.quarantined)) }

// Faults describes the quarantined owners.
func (l *Ledger) Faults() (faults []Fault) {
	for _, owner := range l.Quarantined() {
		if rated := l.rated[owner]; rated != nil {
			faults = append(faults, Fault{owner, max(rated.wrong, 1), rated.results})
		}
	}
	return faults
}

// Disagreement is a set of owners whose results of undecided tasks differ.
type Disagreement struct {
	Between []string `json:"between"` // the owners, sorted
	Tasks   int      `json:"tasks"`
}

// String returns the number of tasks and the owners.
func (d Disagreement) String() string {
	return fmt.Sprintf("results of %s differ between %s", format.Things(d.Tasks, "task"), strings.Join(d.Between, " and "))
}

// Disagreements returns the disagreements, the one about the most tasks first.
func (l *Ledger) Disagreements() (all []Disagreement) {
	for index := range l.open {
		values := l.votes(index)
		if len(values) < 2 {
			continue
		}
		var d Disagreement
		for _, v := range values {
			d.Between = append(d.Between, v.owners...)
		}
		slices.Sort(d.Between)
		d.Between = slices.Compact(d.Between)
		i := slices.IndexFunc(all, func(o Disagreement) bool { return slices.Equal(o.Between, d.Between) })
		if i < 0 {
			i, all = len(all), append(all, d)
		}
		all[i].Tasks++
	}
	slices.SortFunc(all, func(a, b Disagreement) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), slices.Compare(a.Between, b.Between))
	})
	return all
}

// Summary describes the progress of a job and, if it is done, its result.
type Summary struct {
	Job           Description    `json:"job"`
	TasksDone     int            `json:"tasks_done"`
	Done          bool           `json:"done"`
	Nodes         Count          `json:"nodes,omitzero"`   // the leaves of the done tasks
	Divide        []Nodes        `json:"divide,omitempty"` // the same by root move, in the order of generation
	Mismatches    []Fault        `json:"mismatches,omitzero"`
	Disagreements []Disagreement `json:"disagreements,omitzero"` // between results of tasks that are not done
	Doubts        []string       `json:"doubts,omitzero"`        // what only a lying majority would explain

	// Seconds on one thread of all results, and estimated from their mean for the missing results.
	// Both are 0 before the first result.
	ThreadSeconds     float64 `json:"thread_seconds"`
	ThreadSecondsLeft float64 `json:"thread_seconds_left"`
}

// Nodes is a root move in UCI notation and the leaves below it.
type Nodes struct {
	Move  string `json:"move"`
	Nodes Count  `json:"nodes"`
}

// Summary returns the progress of the job.
func (l *Ledger) Summary() Summary {
	s := Summary{
		Job:           l.job.Description,
		TasksDone:     l.done,
		Done:          l.Done(),
		Nodes:         l.nodes,
		Divide:        slices.Clone(l.divide),
		Mismatches:    l.Faults(),
		Disagreements: l.Disagreements(),
		Doubts:        slices.Clone(l.doubts),
		ThreadSeconds: l.spent.Seconds(),
	}
	if l.results > 0 { // if no more results differ
		undecided := l.Tasks() - l.done
		missing := max(undecided*l.job.Spec.Owners()-len(l.open), undecided)
		s.ThreadSecondsLeft = s.ThreadSeconds / float64(l.results) * float64(missing)
	}
	return s
}
