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
// differ. It uses neither clock nor network. Its totals depend only on the results, so that every
// reader of a job's journal gets the same totals. Only one goroutine may use a Ledger at a time.
//
// A repeated result changes nothing. A different result is an error or, in a verified job, a reason
// to ask another worker.
type Ledger struct {
	job        *Job
	entries    []entry
	workers    []string           // the workers with accepted results
	numbers    map[string]uint32  // their numbers, from 1
	open       map[int]candidates // the results of tasks without an accepted one
	disputed   map[int]bool       // the open tasks whose results differ
	done       int
	divide     []Nodes       // the leaves of done tasks by root move; none in an outline
	nodes      Count         // the sum of divide
	results    int           // the results without duplicates
	spent      time.Duration // their time on one thread
	mismatches []Mismatch
	known      map[mismatched]bool
}

// mismatched identifies a mismatch.
type mismatched struct {
	index int
	owner string
}

// entry is the accepted result of a task, in 32 bytes.
type entry struct {
	digest digest
	low    uint64 // the low word of the sum
	worker uint32 // the worker's number, from 1; 0 if no result is accepted
	high   uint16 // the high word of the sum, which has at most MaxBatch terms
	method uint8
	alone  bool
}

// info returns the accepted result.
func (l *Ledger) info(e *entry) ResultInfo {
	return ResultInfo{l.workers[e.worker-1], perft.Method(e.method), e.alone, Count{uint64(e.high), e.low}}
}

// ResultInfo is a result without its counts.
type ResultInfo struct {
	Worker string       `json:"worker"`
	Method perft.Method `json:"method"`
	Alone  bool         `json:"alone,omitzero"`
	Sum    Count        `json:"sum"` // the sum of the counts of all positions, each once
}

// String returns the sum, the worker and the method.
func (r ResultInfo) String() string {
	return fmt.Sprintf("%s by worker %s (%s)", r.Sum, r.Worker, r.Method)
}

// Want asks for a result of a task.
type Want struct {
	Index  int
	Pass   int          // the number of unaccepted results
	Method perft.Method // the method to use; Auto lets the worker choose
	Avoid  []string     // owners whose workers must not count it
}

// Mismatch is a result that differs from the accepted one.
type Mismatch struct {
	Index    int        `json:"task"`
	Result   ResultInfo `json:"result"`
	Accepted Count      `json:"accepted"` // the sum of the accepted result
}

// String returns the task, the worker and both sums.
func (m Mismatch) String() string {
	return fmt.Sprintf("task %d: worker %s (%s) counted %s, the others %s", m.Index, m.Result.Worker, m.Result.Method,
		m.Result.Sum, m.Accepted)
}

// Outcome is the effect of Add.
type Outcome struct {
	Duplicate  bool       // the result was there before and changes neither totals nor wants
	Want       *Want      // the next result to ask for, or nil if the task is done
	Mismatches []Mismatch // the mismatches shown by the result
}

// IsNews reports whether the result changed the ledger.
func (o *Outcome) IsNews() bool { return !o.Duplicate || len(o.Mismatches) > 0 }

// conflict returns ErrConflict with the task and its results.
func conflict(index int, results ...ResultInfo) error {
	var texts []string
	for _, r := range results {
		texts = append(texts, r.String())
	}
	return fmt.Errorf("task %d has %w: %s", index, ErrConflict, strings.Join(texts, ", "))
}

// NewLedger returns the ledger of a job without results.
func NewLedger(j *Job) *Ledger {
	l := &Ledger{
		divide:   make([]Nodes, 0, len(j.moves)),
		job:      j,
		entries:  make([]entry, j.Tasks),
		open:     make(map[int]candidates),
		disputed: make(map[int]bool),
		known:    make(map[mismatched]bool),
		numbers:  make(map[string]uint32),
	}
	for _, move := range j.moves {
		l.divide = append(l.divide, Nodes{Move: move})
	}
	return l
}

// Add adds a result. It returns ErrJob or ErrTask for a refused result, which changes nothing, and
// ErrConflict or ErrOverflow if the job can no longer be finished.
func (l *Ledger) Add(r *Result) (Outcome, error) {
	if err := l.check(r); err != nil {
		return Outcome{}, err
	}
	c := candidate{ResultInfo{r.Worker, r.Method, r.Alone, r.Sum()}, r.digest()}
	outcome, err := Outcome{}, error(nil)
	switch e := &l.entries[r.Index]; {
	case e.worker != 0:
		outcome, err = l.compare(r.Index, e, &c)
	case l.job.Spec.Verify:
		outcome, err = l.verify(r, c)
	default:
		err = l.accept(r, &c)
	}
	if err == nil && !outcome.Duplicate {
		l.results++
		l.spent += r.Elapsed
	}
	return outcome, err
}

// check returns an error for a result of something else.
func (l *Ledger) check(r *Result) error {
	switch {
	case r.Job != l.job.ID:
		return fmt.Errorf("%w: a result of job %.8s, this is %s", ErrJob, r.Job, l.job.Description)
	case r.Index < 0 || r.Index >= l.job.Tasks:
		return fmt.Errorf("%w: task %d of 0..%d", ErrTask, r.Index, l.job.Tasks-1)
	case l.job.frontier != nil && len(r.Counts) != l.job.size(r.Index):
		return fmt.Errorf("%w: %d counts for the %d positions of task %d", ErrTask, len(r.Counts), l.job.size(r.Index),
			r.Index)
	case r.Depth != l.job.Spec.Depth-l.job.Spec.Split:
		return fmt.Errorf("%w: task %d counted to depth %d, not %d", ErrTask, r.Index, r.Depth,
			l.job.Spec.Depth-l.job.Spec.Split)
	}
	return nil
}

// compare compares a result with the accepted one.
func (l *Ledger) compare(index int, e *entry, c *candidate) (Outcome, error) {
	switch {
	case c.digest == e.digest:
		return Outcome{Duplicate: true}, nil
	case l.job.Spec.Verify:
		return Outcome{Duplicate: true, Mismatches: l.differ(index, c.ResultInfo, l.info(e).Sum)}, nil
	}
	return Outcome{}, conflict(index, l.info(e), c.ResultInfo)
}

// differ stores a result that differs from the accepted one. It keeps one for each task and owner.
func (l *Ledger) differ(index int, r ResultInfo, accepted Count) []Mismatch {
	key := mismatched{index, Owner(r.Worker)}
	if l.known[key] {
		return nil
	}
	l.known[key] = true
	l.mismatches = append(l.mismatches, Mismatch{index, r, accepted})
	return l.mismatches[len(l.mismatches)-1:]
}

// verify adds a result of an open task. It accepts the result if that confirms an earlier one.
func (l *Ledger) verify(r *Result, c candidate) (Outcome, error) {
	before := l.open[r.Index]
	contradicts, alike := false, 0 // alike counts results of this value by this method
	for _, a := range before {
		switch {
		case a.digest != c.digest: // does a worker contradict itself?
			contradicts = contradicts || a.Worker == c.Worker && a.Method == c.Method
		case a.independent(&c):
			return Outcome{Mismatches: l.decide(r.Index, &c)}, l.accept(r, &c)
		case a.Method == c.Method && a.owner() == c.owner():
			alike = enough
		case a.Method == c.Method:
			alike++
		}
	}
	if alike >= enough {
		want, _ := before.want(r.Index)
		return Outcome{Duplicate: true, Want: &want}, nil
	}
	all := append(before, c)
	want, ok := all.want(r.Index)
	values := len(all.values(func(*candidate) bool { return true }))
	if !ok || contradicts || values > 2 {
		return Outcome{}, conflict(r.Index, all.infos()...)
	}
	l.open[r.Index] = all
	if values > 1 {
		l.disputed[r.Index] = true
	}
	return Outcome{Want: &want}, nil
}

// decide closes a task for which a result was confirmed, and returns the results that differ.
func (l *Ledger) decide(index int, c *candidate) (differ []Mismatch) {
	for _, a := range l.open[index] {
		if a.digest != c.digest {
			differ = append(differ, l.differ(index, a.ResultInfo, c.Sum)...)
		}
	}
	delete(l.open, index)
	delete(l.disputed, index)
	return differ
}

// accept adds a result to the totals.
func (l *Ledger) accept(r *Result, c *candidate) error {
	if l.job.frontier != nil {
		if err := l.addUp(r); err != nil {
			return err
		}
	}
	number := l.numbers[c.Worker]
	if number == 0 {
		l.workers = append(l.workers, c.Worker)
		number = uint32(len(l.workers))
		l.numbers[c.Worker] = number
	}
	l.entries[r.Index] = entry{c.digest, c.Sum.Lo, number, uint16(c.Sum.Hi), uint8(c.Method), c.Alone}
	l.done++
	return nil
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

// Done reports whether all tasks have an accepted result.
func (l *Ledger) Done() bool { return l.done == len(l.entries) }

// TasksDone returns the number of tasks with an accepted result.
func (l *Ledger) TasksDone() int { return l.done }

// Wants yields the missing results in the order of the tasks.
func (l *Ledger) Wants() iter.Seq[Want] {
	return func(yield func(Want) bool) {
		for i := range l.entries {
			if want, ok := l.Wanted(i); ok && !yield(want) {
				return
			}
		}
	}
}

// Wanted returns the missing result of a task, if there is one.
func (l *Ledger) Wanted(index int) (Want, bool) {
	if l.entries[index].worker != 0 {
		return Want{}, false
	}
	return l.open[index].want(index)
}

// missing returns the number of missing results, assuming no further disagreement.
func (l *Ledger) missing() int {
	missing := len(l.entries) - l.done
	if l.job.Spec.Verify {
		missing = 2*missing - len(l.open) // each open task has one already
	}
	return missing
}

// Disagreement is a set of owners whose results of open tasks differ.
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
	for index := range l.disputed {
		var owners []string
		for _, c := range l.open[index] {
			owners = append(owners, c.owner())
		}
		slices.Sort(owners)
		tasks[strings.Join(slices.Compact(owners), "\n")]++
	}
	for owners, n := range tasks {
		all = append(all, Disagreement{strings.Split(owners, "\n"), n})
	}
	slices.SortFunc(all, func(a, b Disagreement) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), slices.Compare(a.Between, b.Between))
	})
	return all
}

// Candidates returns the results of an open task.
func (l *Ledger) Candidates(index int) []ResultInfo { return l.open[index].infos() }

// Mismatches returns the results that differ from accepted ones, in the order of their discovery.
func (l *Ledger) Mismatches() []Mismatch { return l.mismatches }

// candidates holds the distinct results of an open task. A verified job accepts a result when two
// candidates are equal and independent. Until then there are at most three of each value: from one
// worker by three methods, or from two workers by one method.
type candidates []candidate

type candidate struct {
	ResultInfo
	digest digest
}

// independent reports whether two results come from different methods and, unless there was only
// one worker, from different workers. A faulty method affects all workers, and a faulty machine
// affects all methods.
func (c *candidate) independent(other *candidate) bool {
	return c.Method != other.Method && (c.owner() != other.owner() || c.Alone && other.Alone)
}

// owner returns the owner of the worker.
func (c *candidate) owner() string { return Owner(c.Worker) }

// enough is the number of workers whose results of one value by one method are kept.
const enough = 2

// values counts the results of each value for which keep reports true.
func (all candidates) values(keep func(*candidate) bool) map[digest]int {
	counts := make(map[digest]int)
	for i := range all {
		if keep(&all[i]) {
			counts[all[i].digest]++
		}
	}
	return counts
}

func (all candidates) infos() (infos []ResultInfo) {
	for i := range all {
		infos = append(infos, all[i].ResultInfo)
	}
	return infos
}

// want returns the next result to ask for: by the method that can confirm the most values, from a
// worker whose result could confirm each of them. It reports false if no method is left because two
// workers by one method contradict two workers by another.
func (all candidates) want(index int) (w Want, ok bool) {
	w = Want{Index: index, Pass: len(all)}
	if len(all) == 0 {
		return w, true
	}
	most, fewest := 0, 0
	for _, m := range []perft.Method{perft.TwoPly, perft.Plain} { // the methods that all machines have, faster first
		counts := 0 // by this method
		exhausted := false
		for _, n := range all.values(func(c *candidate) bool { return c.Method == m }) {
			counts += n
			exhausted = exhausted || n >= enough
		}
		confirmable := len(all.values(func(c *candidate) bool { return c.Method != m }))
		if !exhausted && (confirmable > most || confirmable == most && counts < fewest) {
			most, fewest, w.Method = confirmable, counts, m
		}
	}
	if most == 0 {
		return w, false
	}
	for i := range all {
		if owner := all[i].owner(); all.mustAvoid(owner, w.Method) && !slices.Contains(w.Avoid, owner) {
			w.Avoid = append(w.Avoid, owner)
		}
	}
	return w, true
}

// mustAvoid reports whether an owner's result by a method might decide nothing: because the owner
// has counted by this method, or because it alone has counted some value by another method.
func (all candidates) mustAvoid(owner string, m perft.Method) bool {
	return slices.ContainsFunc(all, func(c candidate) bool {
		another := func(a candidate) bool { return a.digest == c.digest && a.Method != m && a.owner() != owner }
		return c.owner() == owner && (c.Method == m || !c.Alone && !slices.ContainsFunc(all, another))
	})
}

// Summary describes the progress of a job and, if it is done, its result.
type Summary struct {
	Job           Description    `json:"job"`
	TasksDone     int            `json:"tasks_done"`
	Done          bool           `json:"done"`
	Nodes         Count          `json:"nodes,omitzero"`   // the leaves of the done tasks, except of an outline
	Divide        []Nodes        `json:"divide,omitempty"` // the same by root move, in the order of generation
	Mismatches    []Mismatch     `json:"mismatches,omitzero"`
	Disagreements []Disagreement `json:"disagreements,omitzero"` // between results of tasks that are not done

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
		Mismatches:    l.mismatches,
		Disagreements: l.Disagreements(),
		ThreadSeconds: l.spent.Seconds(),
	}
	if l.results > 0 {
		s.ThreadSecondsLeft = s.ThreadSeconds / float64(l.results) * float64(l.missing())
	}
	return s
}
