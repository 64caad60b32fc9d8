package job

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Ledger keeps account of a job's results. Its totals depend only on the results and their order.
// One goroutine at a time may use it.
//
// A task is decided when enough independent owners agree. An owner that contradicts itself, or that
// differs from a decided result, is quarantined: none of its results counts any longer. Because
// earlier decisions may rest on them, the ledger keeps all counts and judges those tasks again.
type Ledger struct {
	*Job
	arbiter  bool // a count by the Arbiter decides between results that differ, and no vote
	accounts []account
	open     map[int]bool // the undecided tasks with results
	owners   map[string]*owner
	faulty   []string // the quarantined owners, in the order of discovery
	results  int      // without duplicates
	summary  Summary  // what Summary does not compute from the rest
}

type account struct {
	results  []candidate
	accepted string // "" until decided
}

type candidate struct {
	owner  *owner
	method perft.Method
	counts string // packed, so that equal texts are equal counts
}

// owner is a credential or, without one, a worker.
type owner struct {
	Fault
	quarantined bool
}

// Arbiter is the worker whose results are right by definition: the coordinator, when it checks a
// count. No other can have the name.
const Arbiter = ":coordinator"

// Want asks for a result of a task.
type Want struct {
	Index  int
	Pass   int          // the number of its results
	Method perft.Method // Auto lets the worker choose
	Avoid  []string     // owners whose workers must not count it
}

// Fault describes a quarantined owner.
type Fault struct {
	Worker  string `json:"worker"`
	Wrong   int    `json:"wrong"` // or 1
	Results int    `json:"results"`
}

// String names a faulty owner.
func (f Fault) String() string {
	return fmt.Sprintf("%s: %s of %s wrong; its results are counted again", f.Worker, format.Count(f.Wrong),
		format.Count(f.Results))
}

// NewLedger returns a ledger without results. If results differ, a count by the arbiter decides or,
// without one, more owners vote.
func NewLedger(j *Job, arbiter bool) *Ledger {
	l := &Ledger{Job: j, arbiter: arbiter, accounts: make([]account, j.Tasks), open: make(map[int]bool),
		owners: make(map[string]*owner), summary: Summary{Job: j.Description, Divide: []Nodes{}}}
	for _, move := range j.moves {
		l.summary.Divide = append(l.summary.Divide, Nodes{Move: move})
	}
	return l
}

// Add adds a result, and reports whether it is news. A known one changes nothing and need not be
// kept. For a result of something else Add returns ErrJob or ErrTask.
func (l *Ledger) Add(r *Result) (news bool, err error) {
	if err := l.accepts(r); err != nil {
		return false, err
	}
	a, counts, name := &l.accounts[r.Index], pack(r.Counts), Owner(r.Worker)
	contradicts := false
	for _, c := range a.results {
		if c.counts == counts {
			counts = c.counts // so that the memory is used once
		}
		if c.owner.Worker == name && c.method == r.Method {
			if c.counts == counts {
				return false, nil
			}
			contradicts = true
		}
	}
	isArbiter := r.Worker == Arbiter
	if counts == a.accepted && !isArbiter || l.Known(r.Index) && isArbiter {
		return false, nil
	}
	if l.owners[name] == nil {
		l.owners[name] = &owner{Fault: Fault{Worker: name}}
	}
	o := l.owners[name]
	o.Results++
	l.results++
	l.summary.ThreadSeconds += r.Elapsed.Seconds()
	l.judge(r.Index, candidate{owner: o, method: r.Method, counts: counts})
	if contradicts {
		l.quarantine(o)
	}
	return true, nil
}

func (l *Ledger) accepts(r *Result) error {
	switch {
	case r.Job != l.ID:
		return fmt.Errorf("%w: a result of job %.8s, this is %s", ErrJob, r.Job, l.Description)
	case r.Index < 0 || r.Index >= l.Tasks || r.Depth != l.Spec.Depth-l.Spec.Split ||
		len(r.Counts) != l.pieces[r.Index].size():
		return fmt.Errorf("%w: task %d with %d counts to depth %d", ErrTask, r.Index, len(r.Counts), r.Depth)
	}
	return nil
}

func pack(counts []uint64) string {
	var text []byte
	for _, n := range counts {
		text = binary.AppendUvarint(text, n)
	}
	return string(text)
}

// judge decides a task, or takes the decision back, and quarantines those that were wrong.
func (l *Ledger) judge(index int, more ...candidate) {
	a := &l.accounts[index]
	l.post(index, -1)
	a.results = append(a.results, more...)
	a.accepted = l.verdict(index)
	l.post(index, +1)
	if delete(l.open, index); a.accepted == "" {
		l.open[index] = true
		return
	}
	for _, c := range a.results {
		if c.counts != a.accepted {
			l.quarantine(c.owner)
		}
	}
}

func (l *Ledger) quarantine(o *owner) {
	if o.quarantined {
		return
	}
	o.quarantined = true
	l.faulty = append(l.faulty, o.Worker)
	for i := range l.accounts {
		if slices.ContainsFunc(l.accounts[i].results, func(c candidate) bool { return c.owner == o }) {
			l.judge(i)
		}
	}
}

// post adds the accepted counts of a task, multiplied by the paths to their positions, to the
// totals, or with sign -1 subtracts them.
func (l *Ledger) post(index int, sign int) {
	a, p := &l.accounts[index], &l.pieces[index]
	if a.accepted == "" {
		return
	}
	l.summary.TasksDone += sign
	sum := Count.Add
	if sign < 0 {
		sum = Count.Sub
	}
	for _, c := range a.results {
		if c.counts != a.accepted {
			c.owner.Wrong += sign
		}
	}
	counts, paths := []byte(a.accepted), []pathCount(nil)
	for i := int(p.first); len(counts) > 0; i++ {
		n, size := binary.Uvarint(counts)
		counts = counts[size:]
		paths = l.frontier.blocks[p.block].appendPathsOf(paths[:0], i)
		for _, path := range paths {
			hi, lo := bits.Mul64(n, path.count)
			nodes := &l.summary.Divide[path.root].Nodes
			*nodes = sum(*nodes, Count{hi, lo})
		}
	}
}

// verdict returns "" while the results do not decide. A faulty method affects all workers, and a
// faulty machine all methods, so a verified job needs different ones of both.
func (l *Ledger) verdict(index int) string {
	if i := l.check(index); i >= 0 {
		return l.accounts[index].results[i].counts
	}
	values := l.votes(index)
	if len(values) == 0 || l.arbiter && len(values) > 1 {
		return ""
	}
	first := &values[0]
	if l.Spec.Verify && len(slices.Compact(slices.Sorted(slices.Values(first.methods)))) < 2 ||
		len(first.owners) < l.need(values) {
		return ""
	}
	if len(values) > 1 && len(values[1].owners) > 1 { // the majority may lie
		text := fmt.Sprintf("%s agree on other counts than %s: if the majority lies, the total is wrong, and the run "+
			"cannot know it", listed(values[1].owners), listed(first.owners))
		if !slices.Contains(l.summary.Doubts, text) {
			l.summary.Doubts = append(l.summary.Doubts, text)
		}
	}
	return first.counts
}

type votes struct {
	counts  string
	owners  []string
	methods []perft.Method
}

// votes returns the votes for each value of a task, the most first.
func (l *Ledger) votes(index int) (values []votes) {
	for _, c := range l.accounts[index].results {
		if c.owner.quarantined {
			continue
		}
		i := slices.IndexFunc(values, func(v votes) bool { return v.counts == c.counts })
		if i < 0 {
			i, values = len(values), append(values, votes{counts: c.counts})
		}
		v := &values[i]
		if !slices.Contains(v.owners, c.owner.Worker) {
			v.owners = append(v.owners, c.owner.Worker)
		}
		v.methods = append(v.methods, c.method)
	}
	slices.SortStableFunc(values, func(a, b votes) int { return len(b.owners) - len(a.owners) })
	return values
}

// need returns the owners that must agree on the first value.
func (l *Ledger) need(values []votes) int {
	const mostOwners = 4 // that a majority needs
	rivals := 0
	for _, v := range values[1:] {
		rivals += len(v.owners)
	}
	if rivals == 0 {
		return l.Spec.Owners()
	}
	trusted := len(l.owners) - len(l.faulty)
	return max(l.Spec.Owners(), min(trusted/2+1, mostOwners), rivals+1)
}

func listed(owners []string) string {
	return strings.Join(slices.Sorted(slices.Values(owners)), " and ")
}

// Done reports whether all tasks are decided.
func (l *Ledger) Done() bool { return l.summary.TasksDone == l.Tasks }

// Mean returns the mean seconds of a result on one thread.
func (l *Ledger) Mean() float64 { return l.summary.ThreadSeconds / float64(max(1, l.results)) }

// Wanted returns the result that workers are to bring, if one is missing.
func (l *Ledger) Wanted(index int) (w Want, ok bool) {
	a := &l.accounts[index]
	if a.accepted != "" {
		return w, false
	}
	values := l.votes(index)
	if l.arbiter && len(values) > 1 {
		return w, false
	}
	w = Want{Index: index, Pass: len(a.results), Avoid: l.Quarantined()}
	if len(values) == 0 {
		return w, true
	}
	if l.Spec.Verify { // by the methods that all machines have, the faster first
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
	lacking := len(values[0].owners) < l.need(values)
	for _, c := range a.results {
		if (c.method == w.Method || lacking) && !slices.Contains(w.Avoid, c.owner.Worker) {
			w.Avoid = append(w.Avoid, c.owner.Worker)
		}
	}
	return w, true
}

// Disputed reports whether trusted results of an undecided task differ.
func (l *Ledger) Disputed(index int) bool { return l.open[index] && len(l.votes(index)) > 1 }

// Disputes returns the disputed tasks.
func (l *Ledger) Disputes() (all []int) {
	for index := range l.open {
		if l.Disputed(index) {
			all = append(all, index)
		}
	}
	return all
}

// Known reports whether the arbiter has counted a task.
func (l *Ledger) Known(index int) bool { return l.check(index) >= 0 }

// check returns the place of the arbiter's count in the results of a task, or -1.
func (l *Ledger) check(index int) int {
	return slices.IndexFunc(l.accounts[index].results, func(c candidate) bool { return c.owner.Worker == Owner(Arbiter) })
}

// Quarantined returns the owners in the order of discovery.
func (l *Ledger) Quarantined() []string { return slices.Clip(l.faulty) }

// Faults describes the quarantined owners.
func (l *Ledger) Faults() (faults []Fault) {
	for _, name := range l.faulty {
		o := l.owners[name]
		faults = append(faults, Fault{name, max(o.Wrong, 1), o.Results})
	}
	return faults
}

// Disagreement is a set of owners whose results differ.
type Disagreement struct {
	Between []string `json:"between"`
	Tasks   int      `json:"tasks"`
}

// String says whose results differ.
func (d Disagreement) String() string {
	return fmt.Sprintf("results of %s differ between %s", format.Things(d.Tasks, "task"), strings.Join(d.Between, " and "))
}

// Disagreements returns the one about the most tasks first.
func (l *Ledger) Disagreements() (all []Disagreement) {
	tasks := make(map[string]int) // by the owners, one a line
	for _, index := range l.Disputes() {
		var between []string
		for _, v := range l.votes(index) {
			between = append(between, v.owners...)
		}
		slices.Sort(between)
		tasks[strings.Join(slices.Compact(between), "\n")]++
	}
	for between, n := range tasks {
		all = append(all, Disagreement{strings.Split(between, "\n"), n})
	}
	slices.SortFunc(all, func(a, b Disagreement) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), slices.Compare(a.Between, b.Between))
	})
	return all
}

// Summary describes the progress of a job or its result.
type Summary struct {
	Job           Description    `json:"job"`
	TasksDone     int            `json:"tasks_done"`
	Done          bool           `json:"done"`
	Nodes         Count          `json:"nodes,omitzero"`   // of the done tasks
	Divide        []Nodes        `json:"divide,omitempty"` // the same by root move, sorted
	Mismatches    []Fault        `json:"mismatches,omitzero"`
	Disagreements []Disagreement `json:"disagreements,omitzero"`
	Doubts        []string       `json:"doubts,omitzero"` // what only a lying majority would explain

	ThreadSeconds     float64 `json:"thread_seconds"`
	ThreadSecondsLeft float64 `json:"thread_seconds_left"` // estimated from their mean; 0 before the first
}

// Nodes is a root move in UCI notation and the leaves below it.
type Nodes struct {
	Move  string `json:"move"`
	Nodes Count  `json:"nodes"`
}

// Summary returns the progress of the job.
func (l *Ledger) Summary() Summary {
	s := l.summary
	s.Done, s.Divide, s.Doubts = l.Done(), slices.Clone(s.Divide), slices.Clone(s.Doubts)
	s.Mismatches, s.Disagreements = l.Faults(), l.Disagreements()
	for _, d := range s.Divide {
		s.Nodes = s.Nodes.Add(d.Nodes)
	}
	undecided := l.Tasks - s.TasksDone
	s.ThreadSecondsLeft = l.Mean() * float64(max(undecided*l.Spec.Owners()-len(l.open), undecided)) // if no more differ
	return s
}

// published contains the totals of the start position from depth 1.
//
// Source: https://www.chessprogramming.org/Perft_Results
var published = [...]string{"20", "400", "8902", "197281", "4865609", "119060324", "3195901860", "84998978956",
	"2439530234167", "69352859712417", "2097651003696806", "62854969236701747", "1981066775000396239",
	"61885021521585529237", "2015099950053364471960"}

// CheckPublished returns ErrPublished if the total of a finished job differs from the published
// one.
func (s *Summary) CheckPublished() error {
	board := func(fen string) string { return strings.Join(strings.Fields(fen)[:4], " ") }
	depth := s.Job.Spec.Depth
	if !s.Done || depth > len(published) || board(s.Job.Spec.FEN) != board(fianchetto.StartFEN) {
		return nil
	}
	if want := published[depth-1]; s.Nodes.String() != want {
		return fmt.Errorf("%w: %s of the start position at depth %d, and %s is published", ErrPublished, s.Nodes, depth,
			want)
	}
	return nil
}
