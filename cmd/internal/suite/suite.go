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

	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Options are the settings of Check. The zero value checks all counts, on all processors.
type Options struct {
	Threads  int    // 0: GOMAXPROCS; at most perft.MaxThreads
	MaxNodes uint64 // counts above it are skipped; 0: no limit
	MaxDepth int    // counts of a greater depth are skipped; 0: no limit

	// Checked, unless nil, is called with each case, in the order of the cases, when it and all
	// cases before it are done. Calls do not overlap.
	Checked func(Result)
	// Progress, unless nil, is called after each case, in the order of completion. The tasks are
	// the cases. Calls do not overlap.
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
	Nodes      format.Nodes      // leaves that were counted
	Elapsed    time.Duration     // for all counts
}

// isWrong reports whether anything that the suite has is wrong.
func (r *Result) isWrong() bool { return len(r.Wrong)+len(r.WrongMoves) > 0 }

// Check compares the counts of the cases with its own, several cases at a time. It returns the
// results in the order of the cases. A wrong count is a result, not an error.
//
// Its errors are perft.ErrOptions, perft.ErrOverflow, and that of ctx if ctx is done before all
// cases are. With an error, the results are those of the cases before the first one that is not
// done.
func Check(ctx context.Context, cases []Case, options Options) ([]Result, error) {
	var (
		mutex    sync.Mutex // guards all below
		results  = make([]Result, len(cases))
		done     = make([]bool, len(cases))
		reported int // the number of cases, the first ones, that are done without a gap
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

// largeCase is the number of leaves above which all threads count a case together, so that none of
// them waits at the end for a thread that counts a large case.
const largeCase = 500e6

// inParallel checks the large cases one after the other, then the others in parallel, those with
// the most leaves first.
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

// selects reports whether the options select a count.
func (o *Options) selects(count Count) bool {
	return (o.MaxNodes == 0 || uint64(count.Want) <= o.MaxNodes) && (o.MaxDepth == 0 || count.Depth <= o.MaxDepth)
}

// check counts a case to each depth that the options select, on the given number of threads.
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
