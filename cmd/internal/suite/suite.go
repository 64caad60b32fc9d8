// Package suite reads perft suites and checks their counts.
package suite

import (
	"context"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Options are the settings of a check. The zero value checks all counts on all processors.
type Options struct {
	Threads  int    // at most perft.MaxThreads; 0 is GOMAXPROCS
	MaxNodes uint64 // larger counts are skipped; 0 is no limit
	MaxDepth uint8  // deeper counts are skipped; 0 is no limit
}

// Result is the result of checking a case. The case is right if Wrong is empty.
type Result struct {
	Case
	Checked []Count           `json:"counts"`
	Wrong   []Count           `json:"-"`                        // those of Checked
	Skipped []Count           `json:"skipped_counts,omitempty"` // excluded by the options
	Divide  []perft.MoveCount `json:"-"`                        // below each move, for the first wrong count
	Nodes   format.Nodes      `json:"nodes"`                    // counted leaves
	Elapsed time.Duration     `json:"-"`
}

// smallCount is the number of leaves up to which one thread counts: to start others takes longer.
const smallCount = 1e6

// Check counts a case to each selected depth. A wrong count is a result, not an error. The error is
// perft.ErrOptions, perft.ErrOverflow or that of ctx.
func (o *Options) Check(ctx context.Context, c Case) (Result, error) {
	r := Result{Case: c, Checked: []Count{}}
	start := time.Now()
	for _, count := range c.Counts {
		if o.MaxNodes > 0 && uint64(count.Want) > o.MaxNodes || o.MaxDepth > 0 && count.Depth > int(o.MaxDepth) {
			r.Skipped = append(r.Skipped, count)
			continue
		}
		threads := o.Threads
		if count.Want <= smallCount {
			threads = 1
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
	r.Elapsed = time.Since(start)
	return r, nil
}
