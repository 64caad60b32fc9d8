package perft

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// SuiteOptions say which counts of a suite to check, and how. The zero value checks all, on all processors.
type SuiteOptions struct {
	Threads  int    // 0: as many as the machine runs at once (GOMAXPROCS); at most MaxThreads
	MaxNodes uint64 // counts that should have more are skipped; 0: none
	MaxDepth int    // counts of a greater depth are skipped; 0: none

	// Checked, unless nil, is called with each case when it and all before it are done, in their order, one call at
	// a time.
	Checked func(CaseResult)
	// Progress, unless nil, is called after each case that is done, in any order, one call at a time. The tasks are
	// cases.
	Progress func(Progress)
}

// CaseResult is what the check of a case has come to. It is right if there is neither an error nor a wrong count.
type CaseResult struct {
	Case
	Checked []DepthCount  // the counts that were checked, as they are, in order of depth
	Wrong   []Divergence  // where they are not what the case says, in order of depth
	Skipped int           // counts that the options leave out
	Err     error         // the position is refused: a *fianchetto.PositionError
	Divide  []MoveCount   // of the least depth whose count is wrong, for comparison with another program
	Elapsed time.Duration // for all counts
}

// Divergence is a count that is not what a case says.
type Divergence struct {
	Depth     int    // in plies
	Want, Got uint64 // leaves: as the case says, as they are counted
	Line      int    // line of the file that says so
}

// Nodes returns the number of leaves that were counted.
func (r *CaseResult) Nodes() uint64 {
	var sum uint64
	for _, c := range r.Checked {
		sum += c.Nodes
	}
	return sum
}

// CheckSuite counts what the cases say is to be counted, several cases at a time, and compares. It returns the results
// in the order of the cases.
//
// Its errors are ErrOptions, ErrDepth for a negative MaxDepth, ErrOverflow, and that of ctx if ctx is done before all cases
// are; the results are then those of the cases before the first that is not done. That a count is wrong or a position
// refused is no error, but a result.
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

// suiteCheck is the check of a suite under way.
type suiteCheck struct {
	ctx     context.Context
	options SuiteOptions
	order   []int // cases in the order in which they are taken

	mutex    sync.Mutex // guards all below
	results  []CaseResult
	done     []bool
	finished int // how many are done
	nodes    uint64
	reported int // how many are done from the first on without a gap
	failure  error
}

// largeCase is the number of leaves above which all threads together count a case: one thread would keep the others
// waiting at the end.
const largeCase = 500e6

// run checks the large cases one after the other, then the others side by side, those with most to count first.
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

// leaves returns how many leaves a case should have, of the counts that are wanted.
func (s *suiteCheck) leaves(i int) float64 {
	sum := 0.0
	for _, c := range s.results[i].Counts {
		if s.wants(c) {
			sum += float64(c.Nodes)
		}
	}
	return sum
}

// wants reports whether the options ask for a count.
func (s *suiteCheck) wants(c DepthCount) bool {
	return (s.options.MaxNodes == 0 || c.Nodes <= s.options.MaxNodes) && (s.options.MaxDepth == 0 || c.Depth <= s.options.MaxDepth)
}

// check checks a case on so many threads, and reports whether there is reason to go on.
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

// count makes all counts of a case that are wanted.
func (s *suiteCheck) count(r *CaseResult, pos fianchetto.Position, threads int) error {
	for _, want := range r.Counts {
		if !s.wants(want) {
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

// finish notes that a case is done, or that it could not be, and reports whether there is reason to go on.
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
