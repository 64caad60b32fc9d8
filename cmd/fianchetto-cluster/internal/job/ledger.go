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

// Ledger is the account of a job's results: which are accepted, what is still wanted, and which do
// not agree with the others. It is pure bookkeeping, without clock or network: its totals depend on
// the results alone, so that every reader of the journal of a job gets the same. It is for one
// goroutine at a time.
//
// A result that is there already changes nothing. One that differs is an error or, in a job that is
// verified, a reason to ask another worker.
type Ledger struct {
	job        *Job
	entries    []entry
	workers    []string           // that have counted accepted results
	numbers    map[string]uint32  // of workers, from 1
	open       map[int]candidates // of the tasks that have results, but none accepted yet
	disputed   map[int]bool       // the open tasks with results that differ
	done       int
	counted    int           // positions of tasks that are done
	totals     []Count       // by root move, over the tasks that are done
	nodes      Count         // the sum of totals
	results    int           // that were not duplicates
	spent      time.Duration // by the results, each on its thread
	mismatches []Mismatch
	known      map[mismatched]bool
}

// mismatched is what one mismatch is kept of.
type mismatched struct {
	index int
	owner string
}

// entry is what stays of a task when a result is accepted, in 32 bytes.
type entry struct {
	digest digest
	low    uint64 // of the sum
	worker uint32 // its number in the ledger's workers, from 1; 0: no result is accepted
	high   uint16 // of the sum of at most MaxBatch counts
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
	Sum    Count        `json:"sum"` // of the counts of all positions, each once
}

// String returns the sum, the worker and the method.
func (r ResultInfo) String() string {
	return fmt.Sprintf("%s by worker %s (%s)", r.Sum, r.Worker, r.Method)
}

// Want is a task that is to be counted.
type Want struct {
	Index  int
	Pass   int          // how many results the task has that are not accepted
	Method perft.Method // how to count it; Auto is as the worker chooses
	Avoid  []string     // the owners of workers that must not count it
}

// Mismatch is a result that differs from the accepted one.
type Mismatch struct {
	Index    int        `json:"task"`
	Result   ResultInfo `json:"result"`
	Accepted Count      `json:"accepted"` // the sum of the accepted result
}

// String names the task, the worker, and both sums.
func (m Mismatch) String() string {
	return fmt.Sprintf("task %d: worker %s (%s) counted %s, the others %s", m.Index, m.Result.Worker, m.Result.Method,
		m.Result.Sum, m.Accepted)
}

// Outcome is what Add has come to.
type Outcome struct {
	Duplicate  bool       // the result adds nothing to the totals or to what is wanted: it was there before
	Want       *Want      // what to ask for next; nil if the task is done
	Mismatches []Mismatch // that the result has shown
}

// IsNews reports whether a ledger without the result would be another.
func (o *Outcome) IsNews() bool { return !o.Duplicate || len(o.Mismatches) > 0 }

// conflict returns ErrConflict with the task, the sums, and who counted them how.
func conflict(index int, results ...ResultInfo) error {
	var texts []string
	for _, r := range results {
		texts = append(texts, r.String())
	}
	return fmt.Errorf("task %d has %w: %s", index, ErrConflict, strings.Join(texts, ", "))
}

// NewLedger returns the account of a job with no result.
func NewLedger(j *Job) *Ledger {
	return &Ledger{
		job:      j,
		entries:  make([]entry, j.Tasks),
		open:     make(map[int]candidates),
		disputed: make(map[int]bool),
		totals:   make([]Count, len(j.moves)),
		known:    make(map[mismatched]bool),
		numbers:  make(map[string]uint32),
	}
}

// Add takes note of a result. Its errors are ErrJob and ErrTask, for a result that is refused and
// changes nothing; and ErrConflict and ErrOverflow, after which the job cannot be finished.
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

// check refuses what is not a result of the job.
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

// differ takes note of a result that differs from the accepted one. One for each task and owner is
// enough.
func (l *Ledger) differ(index int, r ResultInfo, accepted Count) []Mismatch {
	key := mismatched{index, Owner(r.Worker)}
	if l.known[key] {
		return nil
	}
	l.known[key] = true
	l.mismatches = append(l.mismatches, Mismatch{index, r, accepted})
	return l.mismatches[len(l.mismatches)-1:]
}

// verify looks whether a result of a task that has none accepted confirms another.
func (l *Ledger) verify(r *Result, c candidate) (Outcome, error) {
	before := l.open[r.Index]
	all := append(before, c)
	want, ok := all.want(r.Index)
	values := len(all.values(func(*candidate) bool { return true }))
	confirms, contradicts, alike := false, false, 0 // alike: results of this value by this method
	for _, a := range before {
		switch {
		case a.digest != c.digest: // by a worker that contradicts itself?
			contradicts = contradicts || a.Worker == c.Worker && a.Method == c.Method
		case a.independent(&c):
			confirms = true
		case a.Method == c.Method && a.owner() == c.owner():
			alike = enough
		case a.Method == c.Method:
			alike++
		}
	}
	switch {
	case confirms:
		delete(l.open, r.Index)
		delete(l.disputed, r.Index)
		var o Outcome
		for _, a := range before {
			if a.digest != c.digest {
				o.Mismatches = append(o.Mismatches, l.differ(r.Index, a.ResultInfo, c.Sum)...)
			}
		}
		return o, l.accept(r, &c)
	case alike >= enough:
		want, _ = before.want(r.Index)
		return Outcome{Duplicate: true, Want: &want}, nil
	case !ok || contradicts || values > 2:
		return Outcome{}, conflict(r.Index, all.infos()...)
	}
	l.open[r.Index] = all
	if values > 1 {
		l.disputed[r.Index] = true
	}
	return Outcome{Want: &want}, nil
}

// accept puts a result into the totals.
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
	l.counted += len(r.Counts)
	return nil
}

// addUp adds to the totals each count as often as there are paths to its position.
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
			l.totals[p.root], _ = l.totals[p.root].Add(Count{hi, lo}) // which is no greater
		}
	}
	return nil
}

// Done reports whether all tasks have an accepted result.
func (l *Ledger) Done() bool { return l.done == len(l.entries) }

// TasksDone returns how many tasks have an accepted result.
func (l *Ledger) TasksDone() int { return l.done }

// Wants returns what is still to be counted, task by task.
func (l *Ledger) Wants() iter.Seq[Want] {
	return func(yield func(Want) bool) {
		for i := range l.entries {
			if want, ok := l.Wanted(i); ok && !yield(want) {
				return
			}
		}
	}
}

// Wanted returns what is still to be counted of a task, and whether anything is.
func (l *Ledger) Wanted(index int) (Want, bool) {
	if l.entries[index].worker != 0 {
		return Want{}, false
	}
	return l.open[index].want(index)
}

// missing returns how many results are missing, if no two of a task differ from here on.
func (l *Ledger) missing() int {
	missing := len(l.entries) - l.done
	if l.job.Spec.Verify {
		missing = 2*missing - len(l.open) // of each of these one is there
	}
	return missing
}

// Divide returns what is counted so far below each root move, in the order of generation; nil for
// an outline.
func (l *Ledger) Divide() []Nodes {
	if l.job.frontier == nil {
		return nil
	}
	divide := make([]Nodes, 0, len(l.totals))
	for i, nodes := range l.totals {
		divide = append(divide, Nodes{l.job.moves[i], nodes})
	}
	return divide
}

// Disagreement is a set of owners whose results of some tasks differ, with none accepted yet.
type Disagreement struct {
	Between []string `json:"between"` // the owners, sorted
	Tasks   int      `json:"tasks"`
}

// String says how many tasks differ between whom.
func (d Disagreement) String() string {
	return fmt.Sprintf("results of %s differ between %s", format.Things(d.Tasks, "task"), strings.Join(d.Between, " and "))
}

// Disagreements returns the sets of owners whose results differ, the set with the most tasks first.
func (l *Ledger) Disagreements() (all []Disagreement) {
	tasks := make(map[string]int) // by the owners, a line each
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

// Candidates returns the results of a task that has none accepted yet.
func (l *Ledger) Candidates(index int) []ResultInfo { return l.open[index].infos() }

// Mismatches returns the results that differ from accepted ones, in the order in which that was
// found.
func (l *Ledger) Mismatches() []Mismatch { return l.mismatches }

// candidates are the results of a task that has none accepted yet, each another than those before.
// In a job that is verified a result is accepted if two of them are equal and independent of each
// other. As long as they are not, there are at most three of each value: of one worker by three
// methods, or of two workers by one.
type candidates []candidate

type candidate struct {
	ResultInfo
	digest digest
}

// independent reports whether two results were counted by different methods and, unless there was
// one worker only, by different workers. A fault of a method shows in all counts by it, whoever
// counts, and one of a machine in all its counts.
func (c *candidate) independent(other *candidate) bool {
	return c.Method != other.Method && (c.owner() != other.owner() || c.Alone && other.Alone)
}

// owner returns who answers for the result.
func (c *candidate) owner() string { return Owner(c.Worker) }

// enough is how many workers' results of one value by one method there can be: a third adds
// nothing.
const enough = 2

// values counts, for each value, the results for which keep reports true.
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

// want returns what to ask for next: the method that can confirm most of the values, of a worker
// whose result would confirm each of these. It reports false if no method is left: two workers by
// one method contradict two workers by another.
func (all candidates) want(index int) (w Want, ok bool) {
	w = Want{Index: index, Pass: len(all)}
	if len(all) == 0 {
		return w, true
	}
	most, fewest := 0, 0
	for _, m := range []perft.Method{perft.TwoPly, perft.Plain} { // the methods of all machines, the faster first
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

// mustAvoid reports whether a worker's result by a method might decide nothing: it has one by this
// method, or, of those that have counted some value by another method, it is the only one.
func (all candidates) mustAvoid(owner string, m perft.Method) bool {
	return slices.ContainsFunc(all, func(c candidate) bool {
		another := func(a candidate) bool { return a.digest == c.digest && a.Method != m && a.owner() != owner }
		return c.owner() == owner && (c.Method == m || !c.Alone && !slices.ContainsFunc(all, another))
	})
}

// Summary is how far a job is, and, if it is done, what it has come to.
type Summary struct {
	Description
	TasksDone     int            `json:"tasks_done"`
	PositionsDone int            `json:"positions_done"`
	Counted       Count          `json:"nodes_counted"` // the leaves below the positions that are done
	Done          bool           `json:"done"`
	Nodes         *Count         `json:"nodes,omitzero"`  // the total, only if all tasks are there, and not of an outline
	Divide        []Nodes        `json:"divide,omitzero"` // by root move, only if all tasks are there
	Mismatches    []Mismatch     `json:"mismatches,omitzero"`
	Disagreements []Disagreement `json:"disagreements,omitzero"`

	// Time on one thread, in seconds: of all results, and, by the mean of these, of those that are
	// missing; 0 before the first.
	Seconds     float64 `json:"seconds"`
	SecondsLeft float64 `json:"seconds_left"`
}

// Nodes is a root move, in UCI notation, and the leaves below it.
type Nodes struct {
	Move  string `json:"move"`
	Nodes Count  `json:"nodes"`
}

// Summary returns how far the job is. There is no total before all tasks are there.
func (l *Ledger) Summary() Summary {
	s := Summary{
		Description:   l.job.Description,
		TasksDone:     l.done,
		PositionsDone: l.counted,
		Counted:       l.nodes,
		Done:          l.Done(),
		Mismatches:    l.mismatches,
		Disagreements: l.Disagreements(),
		Seconds:       l.spent.Seconds(),
	}
	if l.results > 0 {
		s.SecondsLeft = s.Seconds / float64(l.results) * float64(l.missing())
	}
	if s.Done && l.job.frontier != nil {
		total := l.nodes
		s.Nodes, s.Divide = &total, l.Divide()
	}
	return s
}
