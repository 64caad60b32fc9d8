package job

import (
	"cmp"
	"fmt"
	"iter"
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
	job    *Job
	rules  Rules
	ruling ruling
	tasks  []verdict
	open   map[int][]candidate // the results of undecided tasks
	rated  map[string]*rating  // by owner
	done   int
	divide []Nodes // the leaves of done tasks by root move; none in an outline
	nodes  Count   // the sum of divide

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

// ruling is the part of a ledger that Reset keeps.
type ruling struct {
	known       map[int]digest  // the results of the arbiter
	contested   map[int]bool    // the tasks that were decided before a trusted owner differed
	quarantined map[string]bool // owners
	doubts      []string        // the votes against several trusted owners
}

// verdict is the accepted result of a task, if it is decided.
type verdict struct {
	digest  digest
	decided bool
}

// rating counts the results of an owner.
type rating struct{ results, wrong int }

// candidate is a result of an undecided task.
type candidate struct {
	owner  string
	method perft.Method
	alone  bool
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
type Outcome struct {
	Duplicate bool // the result was there before, or its task is decided
	Reset     bool // the caller must add all results again, after Reset
}

// IsNews reports whether the result must be kept.
func (o *Outcome) IsNews() bool { return !o.Duplicate || o.Reset }

// NewLedger returns the ledger of a job without results.
func NewLedger(j *Job, rules Rules) *Ledger {
	l := &Ledger{job: j, rules: rules, ruling: ruling{known: make(map[int]digest), contested: make(map[int]bool),
		quarantined: make(map[string]bool)}}
	l.Reset()
	return l
}

// Reset takes all results out. It keeps the quarantined owners and the arbiter's counts.
func (l *Ledger) Reset() {
	l.tasks, l.open, l.rated = make([]verdict, l.job.Tasks), make(map[int][]candidate), make(map[string]*rating)
	l.done, l.nodes, l.results, l.spent = 0, Count{}, 0, 0
	l.divide = make([]Nodes, 0, len(l.job.moves))
	for _, move := range l.job.moves {
		l.divide = append(l.divide, Nodes{Move: move})
	}
}

// Add adds a result. It returns ErrJob or ErrTask for a refused result, which changes nothing, and
// ErrOverflow if the total is too large.
func (l *Ledger) Add(r *Result) (o Outcome, err error) {
	if err := l.check(r); err != nil {
		return o, err
	}
	c := candidate{Owner(r.Worker), r.Method, r.Alone, r.digest()}
	arbiter := r.Worker == Arbiter
	rated := l.rated[c.owner]
	if rated == nil && !arbiter {
		rated = new(rating)
		l.rated[c.owner] = rated
	}
	v := &l.tasks[r.Index]
	if !arbiter {
		if v.decided && v.digest == c.digest || slices.Contains(l.open[r.Index], c) {
			return Outcome{Duplicate: true}, nil
		}
		rated.results++
		if !v.decided {
			l.results++
			l.spent += r.Elapsed
		}
	}
	known, isKnown := l.ruling.known[r.Index]
	switch {
	case arbiter && !isKnown:
		l.ruling.known[r.Index] = c.digest
		if v.decided {
			return Outcome{Duplicate: true, Reset: v.digest != c.digest}, nil
		}
		return l.accept(r, c.digest)
	case isKnown && c.digest != known:
		return Outcome{Duplicate: true, Reset: l.blame(c.owner)}, nil
	case v.decided:
		return Outcome{Duplicate: true, Reset: v.digest != c.digest && l.contest(r.Index, c.owner)}, nil
	case isKnown:
		return l.accept(r, c.digest)
	}
	return l.vote(r, c)
}

// check returns an error for a result of something else.
func (l *Ledger) check(r *Result) error {
	switch depth := l.job.Spec.Depth - l.job.Spec.Split; {
	case r.Job != l.job.ID:
		return fmt.Errorf("%w: a result of job %.8s, this is %s", ErrJob, r.Job, l.job.Description)
	case r.Index < 0 || r.Index >= l.job.Tasks:
		return fmt.Errorf("%w: task %d of 0..%d", ErrTask, r.Index, l.job.Tasks-1)
	case l.job.frontier != nil && len(r.Counts) != l.job.size(r.Index):
		return fmt.Errorf("%w: %d counts for the %d positions of task %d", ErrTask, len(r.Counts), l.job.size(r.Index),
			r.Index)
	case r.Depth != depth:
		return fmt.Errorf("%w: task %d counted to depth %d, not %d", ErrTask, r.Index, r.Depth, depth)
	}
	return nil
}

// blame counts a wrong result of an owner, and reports whether that quarantines it.
func (l *Ledger) blame(owner string) bool {
	l.rated[owner].wrong++
	if l.ruling.quarantined[owner] {
		return false
	}
	l.ruling.quarantined[owner] = true
	return true
}

// contest handles a result that differs from the decided one. The first one of a trusted owner
// opens the task again, because those who decided it may be the wrong ones.
func (l *Ledger) contest(index int, owner string) bool {
	if l.ruling.quarantined[owner] || l.ruling.contested[index] {
		return l.blame(owner)
	}
	l.ruling.contested[index] = true
	return true
}

// vote adds a result of an undecided task, and decides the task if it can.
func (l *Ledger) vote(r *Result, c candidate) (o Outcome, err error) {
	for _, a := range l.open[r.Index] {
		if a.owner == c.owner && a.method == c.method { // and another digest
			return Outcome{Duplicate: true, Reset: l.blame(c.owner)}, nil
		}
	}
	all := append(l.open[r.Index], c)
	if votes := l.count(r.Index, all); len(votes) > 0 && votes[0].digest == c.digest && l.decides(r.Index, votes) {
		if len(votes) > 1 {
			l.doubt(votes)
		}
		l.open[r.Index] = all
		return l.accept(r, c.digest)
	}
	l.open[r.Index] = all
	return o, nil
}

// accept decides a task, adds its result to the totals, and blames those that differ.
func (l *Ledger) accept(r *Result, d digest) (o Outcome, err error) {
	for _, a := range l.open[r.Index] {
		if a.digest != d && l.blame(a.owner) {
			o.Reset = true
		}
	}
	if l.job.frontier != nil {
		if err := l.addUp(r); err != nil {
			return o, err
		}
	}
	delete(l.open, r.Index)
	l.tasks[r.Index] = verdict{d, true}
	l.done++
	return o, nil
}

// addUp adds each count to the totals, multiplied by the paths to its position.
func (l *Ledger) addUp(r *Result) error {
	first := l.job.bounds[r.Index]
	for i, paths := range l.job.frontier.eachPaths(first, l.job.bounds[r.Index+1]) {
		for _, p := range paths {
			hi, lo := bits.Mul64(r.Counts[i-first], p.count)
			nodes, err := l.nodes.Add(Count{hi, lo})
			if err != nil {
				return err
			}
			l.nodes = nodes
			move := &l.divide[p.root]
			move.Nodes, _ = move.Nodes.Add(Count{hi, lo}) // cannot overflow: it is no greater than nodes
		}
	}
	return nil
}

// votes are the trusted results of one value for a task.
type votes struct {
	digest  digest
	owners  []string
	methods []perft.Method
	alone   bool // there was only one worker
}

// count returns the votes for each value, the most first.
func (l *Ledger) count(index int, all []candidate) (values []votes) {
	for _, c := range all {
		if l.ruling.quarantined[c.owner] {
			continue
		}
		i := slices.IndexFunc(values, func(v votes) bool { return v.digest == c.digest })
		if i < 0 {
			i = len(values)
			values = append(values, votes{digest: c.digest, alone: true})
		}
		v := &values[i]
		if !slices.Contains(v.owners, c.owner) {
			v.owners = append(v.owners, c.owner)
		}
		if !slices.Contains(v.methods, c.method) {
			v.methods = append(v.methods, c.method)
		}
		v.alone = v.alone && c.alone
	}
	slices.SortStableFunc(values, func(a, b votes) int { return len(b.owners) - len(a.owners) })
	return values
}

// mostOwners limits the votes that a majority needs.
const mostOwners = 4

// need returns the number of owners that must agree on the first value, given the votes.
func (l *Ledger) need(index int, values []votes) int {
	need, rivals := l.job.Spec.quorum(), 0
	for _, v := range values[1:] {
		rivals += len(v.owners)
	}
	if rivals == 0 && !l.ruling.contested[index] {
		return need
	}
	if l.rules.Crowd {
		trusted := len(l.rated) - len(l.ruling.quarantined)
		need = max(need, min(trusted/2+1, mostOwners))
	}
	return max(need, rivals+1, 2)
}

// decides reports whether the votes decide a task. A faulty method affects all workers, and a
// faulty machine affects all methods, so a verified job needs different ones of both.
func (l *Ledger) decides(index int, values []votes) bool {
	first := &values[0]
	if l.rules.Arbiter && (len(values) > 1 || l.ruling.contested[index]) ||
		l.job.Spec.Verify && len(first.methods) < 2 {
		return false
	}
	return len(first.owners) >= l.need(index, values) || l.job.Spec.Verify && first.alone && len(values) == 1
}

// doubt remembers that several trusted owners were outvoted together, because the majority may lie.
func (l *Ledger) doubt(values []votes) {
	if len(values[1].owners) < 2 {
		return
	}
	slices.Sort(values[1].owners)
	slices.Sort(values[0].owners)
	text := fmt.Sprintf("%s agree on other counts than %s: if the majority lies, the total is wrong, and the run "+
		"cannot know it", strings.Join(values[1].owners, " and "), strings.Join(values[0].owners, " and "))
	if !slices.Contains(l.ruling.doubts, text) {
		l.ruling.doubts = append(l.ruling.doubts, text)
	}
}

// Done reports whether all tasks are decided.
func (l *Ledger) Done() bool { return l.done == len(l.tasks) }

// Tasks returns the number of tasks.
func (l *Ledger) Tasks() int { return len(l.tasks) }

// TasksDone returns the number of decided tasks.
func (l *Ledger) TasksDone() int { return l.done }

// Wants yields the missing results in the order of the tasks.
func (l *Ledger) Wants() iter.Seq[Want] {
	return func(yield func(Want) bool) {
		for i := range l.tasks {
			if want, ok := l.Wanted(i); ok && !yield(want) {
				return
			}
		}
	}
}

// Wanted returns the missing result of a task, if workers are to bring one.
func (l *Ledger) Wanted(index int) (w Want, ok bool) {
	all := l.open[index]
	if l.tasks[index].decided || l.Disputed(index) && l.rules.Arbiter {
		return w, false
	}
	w = Want{Index: index, Pass: len(all), Avoid: l.Quarantined()}
	values := l.count(index, all)
	if len(values) == 0 {
		return w, true
	}
	counted := func(m perft.Method) (n int) {
		for _, c := range all {
			if c.method == m && !l.ruling.quarantined[c.owner] {
				n++
			}
		}
		return n
	}
	if l.job.Spec.Verify { // by the methods that all machines have, the faster first
		w.Method = perft.TwoPly
		if counted(perft.Plain) < counted(perft.TwoPly) {
			w.Method = perft.Plain
		}
	}
	lacking := len(values[0].owners) < l.need(index, values)
	for _, c := range all {
		if (c.method == w.Method || lacking && !c.alone) && !slices.Contains(w.Avoid, c.owner) {
			w.Avoid = append(w.Avoid, c.owner)
		}
	}
	return w, true
}

// Disputed reports whether trusted results of an undecided task differ.
func (l *Ledger) Disputed(index int) bool {
	all := l.open[index]
	return !l.tasks[index].decided && (l.ruling.contested[index] || len(all) > 1 && len(l.count(index, all)) > 1)
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
	_, known := l.ruling.known[index]
	return known
}

// Quarantined returns the quarantined owners, sorted.
func (l *Ledger) Quarantined() (owners []string) {
	for owner := range l.ruling.quarantined {
		owners = append(owners, owner)
	}
	slices.Sort(owners)
	return owners
}

// Faults describes the quarantined owners.
func (l *Ledger) Faults() (faults []Fault) {
	for _, owner := range l.Quarantined() {
		if rated := l.rated[owner]; rated != nil {
			faults = append(faults, Fault{owner, max(rated.wrong, 1), rated.results})
		}
	}
	return faults
}

// missing returns the number of missing results, assuming no further disagreement.
func (l *Ledger) missing() int {
	missing := (len(l.tasks) - l.done) * l.job.Spec.quorum()
	return max(missing-len(l.open), len(l.tasks)-l.done)
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
	tasks := make(map[string]int) // by the owners, one a line
	for index, candidates := range l.open {
		if values := l.count(index, candidates); len(values) > 1 {
			var owners []string
			for _, v := range values {
				owners = append(owners, v.owners...)
			}
			slices.Sort(owners)
			tasks[strings.Join(slices.Compact(owners), "\n")]++
		}
	}
	for owners, n := range tasks {
		all = append(all, Disagreement{strings.Split(owners, "\n"), n})
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
	Nodes         Count          `json:"nodes,omitzero"`   // the leaves of the done tasks, except of an outline
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
		Doubts:        slices.Clone(l.ruling.doubts),
		ThreadSeconds: l.spent.Seconds(),
	}
	if l.results > 0 {
		s.ThreadSecondsLeft = s.ThreadSeconds / float64(l.results) * float64(l.missing())
	}
	return s
}
