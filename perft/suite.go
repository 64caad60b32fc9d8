package perft

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// SuiteOptions are the settings of CheckSuite. The zero value checks all counts, on all processors.
type SuiteOptions struct {
	Threads  int    // 0: GOMAXPROCS; at most MaxThreads
	MaxNodes uint64 // counts above it are skipped; 0: no limit
	MaxDepth int    // counts of a greater depth are skipped; 0: no limit

	// Checked, unless nil, is called with each case, in the order of the cases, when it and all cases before it are done. Calls do
	// not overlap.
	Checked func(CaseResult)
	// Progress, unless nil, is called after each case, in the order of completion. The tasks are the cases. Calls do not overlap.
	Progress func(Progress)
}

// CaseResult is the result of checking a case. The case is right if Err is nil and Wrong is empty.
type CaseResult struct {
	Case
	Checked []DepthCount  // the counts that were checked, with the nodes that were counted, in order of depth
	Wrong   []Divergence  // those that differ from the counts of the case, in order of depth
	Skipped int           // the number of counts that were skipped
	Err     error         // a *fianchetto.PositionError if the position is refused
	Divide  []MoveCount   // the root moves and their counts for the first wrong count
	Elapsed time.Duration // for all counts
}

// Divergence is a count that differs from that of the case.
type Divergence struct {
	Depth     int    // in plies
	Want, Got uint64 // leaves: the count of the case, and the one that was counted
	Line      int    // line of the file that has the count of the case
}

// Nodes returns the number of leaves that were counted.
func (r *CaseResult) Nodes() uint64 {
	var sum uint64
	for _, c := range r.Checked {
		sum += c.Nodes
	}
	return sum
}

// CheckSuite compares the counts of the cases with its own, several cases at a time. It returns the results in the order of the
// cases. A wrong count or a refused position is a result, not an error.
//
// Its errors are ErrOptions, ErrDepth for a negative MaxDepth, ErrOverflow, and that of ctx if ctx is done before all cases are.
// With an error, the results are those of the cases before the first one that is not done.
func CheckSuite(ctx context.Context, cases []Case, options SuiteOptions) ([]CaseResult, error) {
	threads, err := threadCount(options.Threads)
	if err == nil && options.MaxDepth < 0 {
		err = checkDepth(options.MaxDepth)
	}
	if err != nil {
		return nil, err
	}
	s := &suiteCheck{ctx: ctx, options: options, results: make([]CaseResult, len(cases)), done: make([]bool, len(cases))}
	for i, c := range cases {
		s.results[i].Case = c
	}
	s.run(threads)
	return s.results[:s.reported], s.failure
}

// suiteCheck is the state of CheckSuite.
type suiteCheck struct {
	ctx     context.Context
	options SuiteOptions
	order   []int // the indices of cases in the order in which they are counted

	mutex    sync.Mutex // guards all below
	results  []CaseResult
	done     []bool
	finished int // the number of cases that are done
	nodes    uint64
	reported int // the number of cases, the first ones, that are done without a gap
	failure  error
}

// largeCase is the number of leaves above which all threads count a case together, so that none of them waits at the end for a
// thread that counts a large case.
const largeCase = 500e6

// run checks the large cases one after the other, then the others in parallel, those with the most leaves first.
func (s *suiteCheck) run(threads int) {
	s.order = make([]int, len(s.results))
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(s.leaves(b), s.leaves(a)) })
	for len(s.order) > 0 && s.leaves(s.order[0]) > largeCase {
		if !s.check(s.order[0], threads) {
			return
		}
		s.order = s.order[1:]
	}
	inParallel(threads, len(s.order), func() func(int) bool {
		return func(i int) bool { return s.check(s.order[i], 1) }
	})
}

// leaves returns the sum of the counts of a case that the options select.
func (s *suiteCheck) leaves(i int) float64 {
	sum := 0.0
	for _, c := range s.results[i].Counts {
		if s.selects(c) {
			sum += float64(c.Nodes)
		}
	}
	return sum
}

// selects reports whether the options select a count.
func (s *suiteCheck) selects(c DepthCount) bool {
	return (s.options.MaxNodes == 0 || c.Nodes <= s.options.MaxNodes) && (s.options.MaxDepth == 0 || c.Depth <= s.options.MaxDepth)
}

// check checks a case on the given number of threads, and reports whether to continue.
func (s *suiteCheck) check(i, threads int) bool {
	r := &s.results[i]
	start := time.Now()
	pos, err := fianchetto.ParseFEN(r.FEN)
	if err != nil {
		r.Err, err = err, nil
	} else {
		err = s.count(r, pos, threads)
	}
	r.Elapsed = time.Since(start)
	return s.finish(i, err)
}

// count counts a case to each depth that the options select.
func (s *suiteCheck) count(r *CaseResult, pos fianchetto.Position, threads int) error {
	for _, want := range r.Counts {
		if !s.selects(want) {
			r.Skipped++
			continue
		}
		got, err := Run(s.ctx, pos, want.Depth, Options{Threads: threads})
		if err != nil {
			return err
		}
		r.Checked = append(r.Checked, DepthCount{Depth: want.Depth, Nodes: got.Nodes, Line: want.Line})
		if got.Nodes == want.Nodes {
			continue
		}
		if len(r.Wrong) == 0 {
			r.Divide = got.Moves
		}
		r.Wrong = append(r.Wrong, Divergence{want.Depth, want.Nodes, got.Nodes, want.Line})
	}
	return nil
}

// finish records that a case is done, or its error, and reports whether to continue.
func (s *suiteCheck) finish(i int, err error) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err != nil {
		if s.failure == nil {
			s.failure = err
		}
		return false
	}
	s.done[i] = true
	s.finished++
	s.nodes += s.results[i].Nodes()
	if s.options.Progress != nil {
		s.options.Progress(Progress{s.finished, len(s.results), s.nodes})
	}
	for s.reported < len(s.done) && s.done[s.reported] {
		if s.options.Checked != nil {
			s.options.Checked(s.results[s.reported])
		}
		s.reported++
	}
	return s.failure == nil
}
