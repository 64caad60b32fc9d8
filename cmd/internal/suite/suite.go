// Package suite reads perft suites, and checks their counts, many positions at a time.
package suite

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Options are the settings of Check. The zero value checks all counts, on all processors.
type Options struct {
	Threads  int    // 0: GOMAXPROCS; at most perft.MaxThreads
	MaxNodes uint64 // counts above it are skipped; 0: no limit
	MaxDepth int    // counts of a greater depth are skipped; 0: no limit

	// Checked, unless nil, is called with each case, in the order of the cases, when it and all cases before it are
	// done. Calls do not overlap.
	Checked func(Result)
	// Progress, unless nil, is called after each case, in the order of completion. The tasks are the cases. Calls do
	// not overlap.
	Progress func(perft.Progress)
}

// Result is the result of checking a case. The case is right if Wrong and WrongMoves are empty.
type Result struct {
	Case
	Checked    []Count           // the counts that were checked
	Wrong      []Count           // those of them that the suite has wrong
	WrongMoves []string          // sentences about the moves that the suite has wrong
	Skipped    []Count           // the counts that the options leave out
	Divide     []perft.MoveCount // the root moves and their counts for the first wrong count
	Nodes      figures.Nodes     // leaves that were counted
	Elapsed    time.Duration     // for all counts
}

// isWrong reports whether anything that the suite has is wrong.
func (r *Result) isWrong() bool { return len(r.Wrong)+len(r.WrongMoves) > 0 }

// Check compares the counts of the cases with its own, several cases at a time. It returns the results in the order of
// the cases. A wrong count is a result, not an error.
//
// Its errors are perft.ErrOptions, perft.ErrOverflow, and that of ctx if ctx is done before all cases are. With an
// error, the results are those of the cases before the first one that is not done.
func Check(ctx context.Context, cases []Case, options Options) ([]Result, error) {
	c := &checker{options: options, results: make([]Result, len(cases)), done: make([]bool, len(cases))}
	for i, one := range cases {
		c.results[i].Case = one
	}
	err := c.run(ctx, cmp.Or(options.Threads, runtime.GOMAXPROCS(0)))
	return c.results[:c.reported], err
}

// checker is the state of Check.
type checker struct {
	options Options

	mutex    sync.Mutex // guards all below
	results  []Result
	done     []bool
	finished int // the number of cases that are done
	nodes    figures.Nodes
	reported int // the number of cases, the first ones, that are done without a gap
}

// largeCase is the number of leaves above which all threads count a case together, so that none of them waits at the
// end for a thread that counts a large case.
const largeCase = 500e6

// run checks the large cases one after the other, then the others in parallel, those with the most leaves first.
func (c *checker) run(ctx context.Context, threads int) error {
	order := make([]int, len(c.results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.leaves(b), c.leaves(a)) })
	for len(order) > 0 && c.leaves(order[0]) > largeCase {
		if err := c.check(ctx, order[0], threads); err != nil {
			return err
		}
		order = order[1:]
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for _, i := range order {
		group.Go(func() error { return c.check(ctx, i, 1) })
	}
	return group.Wait()
}

// leaves returns the sum of the counts of a case that the options select.
func (c *checker) leaves(i int) float64 {
	sum := 0.0
	for _, count := range c.results[i].Counts {
		if c.selects(count) {
			sum += float64(count.Want)
		}
	}
	return sum
}

// selects reports whether the options select a count.
func (c *checker) selects(count Count) bool {
	return (c.options.MaxNodes == 0 || uint64(count.Want) <= c.options.MaxNodes) &&
		(c.options.MaxDepth == 0 || count.Depth <= c.options.MaxDepth)
}

// check counts a case to each depth that the options select, on the given number of threads.
func (c *checker) check(ctx context.Context, i, threads int) error {
	r := &c.results[i]
	start := time.Now()
	for _, count := range r.Counts {
		if !c.selects(count) {
			r.Skipped = append(r.Skipped, count)
			continue
		}
		counted, err := perft.Run(ctx, r.Position, count.Depth, perft.Options{Threads: threads})
		if err != nil {
			return err
		}
		got := figures.Nodes(counted.Nodes)
		count.Got = &got
		r.Nodes += got
		r.Checked = append(r.Checked, count)
		if got != count.Want {
			if len(r.Wrong) == 0 {
				r.Divide = counted.Moves
			}
			r.Wrong = append(r.Wrong, count)
		}
	}
	if r.Moves != nil {
		r.WrongMoves = r.wrongMoves()
	}
	r.Elapsed = time.Since(start)
	c.finish(i)
	return nil
}

// finish reports that a case is done.
func (c *checker) finish(i int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.done[i] = true
	c.finished++
	c.nodes += c.results[i].Nodes
	if c.options.Progress != nil {
		c.options.Progress(perft.Progress{Done: c.finished, Tasks: len(c.results), Nodes: uint64(c.nodes)})
	}
	for c.reported < len(c.done) && c.done[c.reported] {
		if c.options.Checked != nil {
			c.options.Checked(c.results[c.reported])
		}
		c.reported++
	}
}
