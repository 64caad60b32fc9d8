// Package suite reads perft suites and checks their counts, many positions at a time.
package suite

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Options are the settings of Check. The zero value checks all counts on all processors.
type Options struct {
	Threads  int    // at most perft.MaxThreads; 0 is GOMAXPROCS
	MaxNodes uint64 // larger counts are skipped; 0 is no limit
	MaxDepth int    // deeper counts are skipped; 0 is no limit

	// Checked, unless nil, is called with each result in the order of the cases. Calls do not
	// overlap.
	Checked func(Result)
	// Progress, unless nil, is called after each case in the order of completion. Its tasks are the
	// cases. Calls do not overlap.
	Progress func(perft.Progress)
}

// Result is the result of checking a case. The case is right if Wrong and WrongMoves are empty.
type Result struct {
	Case
	Checked    []Count           // the checked counts
	Wrong      []Count           // the wrong ones among them
	WrongMoves []string          // sentences about wrongly listed moves
	Skipped    []Count           // the counts excluded by the options
	Divide     []perft.MoveCount // the root moves and their counts for the first wrong count
	Nodes      format.Nodes      // the counted leaves
	Elapsed    time.Duration     // the time for all counts
}

// isWrong reports whether the suite's counts or moves are wrong.
func (r *Result) isWrong() bool { return len(r.Wrong)+len(r.WrongMoves) > 0 }

// Check counts the cases, several at a time, and compares the counts. It returns the results in the
// order of the cases. A wrong count is a result, not an error.
//
// Check returns perft.ErrOptions, perft.ErrOverflow or the error of ctx. With an error, the results
// end before the first unfinished case.
func Check(ctx context.Context, cases []Case, options Options) ([]Result, error) {
	var (
		mutex    sync.Mutex // guards the variables below
		results  = make([]Result, len(cases))
		done     = make([]bool, len(cases))
		reported int // the number of leading cases that are done
		progress = perft.Progress{Tasks: len(cases)}
	)
	check := func(ctx context.Context, i, threads int) error {
		result, err := options.check(ctx, cases[i], threads)
		if err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		results[i], done[i] = result, true
		progress.Done++
		progress.Nodes += uint64(result.Nodes)
		if options.Progress != nil {
			options.Progress(progress)
		}
		for ; reported < len(done) && done[reported]; reported++ {
			if options.Checked != nil {
				options.Checked(results[reported])
			}
		}
		return nil
	}
	err := options.inParallel(ctx, cases, check)
	return results[:reported], err
}

// largeCase is the number of leaves above which all threads count a case together, so that none
// waits at the end for another.
const largeCase = 500e6

// inParallel checks the large cases one by one, then the others in parallel, those with the most
// leaves first.
func (o *Options) inParallel(ctx context.Context, cases []Case, check func(_ context.Context, i, threads int) error) error {
	order, leaves := make([]int, len(cases)), make([]float64, len(cases))
	for i := range cases {
		order[i] = i
		for _, count := range cases[i].Counts {
			if o.selects(count) {
				leaves[i] += float64(count.Want)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(leaves[b], leaves[a]) })
	threads := cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	for len(order) > 0 && leaves[order[0]] > largeCase {
		if err := check(ctx, order[0], threads); err != nil {
			return err
		}
		order = order[1:]
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for _, i := range order {
		group.Go(func() error { return check(ctx, i, 1) })
	}
	return group.Wait()
}

// selects reports whether the options include a count.
func (o *Options) selects(count Count) bool {
	return (o.MaxNodes == 0 || uint64(count.Want) <= o.MaxNodes) && (o.MaxDepth == 0 || count.Depth <= o.MaxDepth)
}

// check counts a case to each selected depth on the given number of threads.
func (o *Options) check(ctx context.Context, c Case, threads int) (Result, error) {
	r := Result{Case: c}
	start := time.Now()
	for _, count := range c.Counts {
		if !o.selects(count) {
			r.Skipped = append(r.Skipped, count)
			continue
		}
		counted, err := perft.Run(ctx, c.Position, count.Depth, perft.Options{Threads: threads})
		if err != nil {
			return r, err
		}
		got := format.Nodes(counted.Nodes)
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
	if c.Moves != nil {
		r.WrongMoves = c.wrongMoves()
	}
	r.Elapsed = time.Since(start)
	return r, nil
}
