package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// walk walks a tree to a depth. It returns what it counted, leaves or moves made, and how long that took.
type walk func(depth int) (count uint64, took time.Duration, err error)

// timed is the walk of a function that counts in this process.
func timed(count func(depth int) (uint64, error)) walk {
	return func(depth int) (uint64, time.Duration, error) {
		start := time.Now()
		counted, err := count(depth)
		return counted, time.Since(start), err
	}
}

// contender is one way to walk trees.
type contender struct {
	name   string
	remark string // what it does, for those who read the table
	apart  bool   // it is another process, whose memory is its own affair
	fewer  int    // plies it goes less deep than asked for, because it would take too long
	// open gets ready to walk the trees below a position. What it does is not timed.
	open func(fen string) (walk, error)
	// close ends what open began; nil if there is nothing to end.
	close func() error
}

// contest lets contenders walk the same trees by turns.
type contest struct {
	title      string
	unit       string // what a walk counts one by one
	expected   func(w workload, depth int) uint64
	workloads  []workload
	contenders []contender
	references int // all contenders are measured against each of the first so many
	rounds     int
	progress   func(done, total int)
}

// score is how fast one contender walked one tree.
type score struct {
	depth       int
	rates       []float64 // what a walk counts per second, by round
	allocations float64   // per thing counted; an external process shows none
}

// outcome has a score for each contender and workload.
type outcome struct {
	contest
	scores [][]score // by contender, by workload
}

// errWrongCount means that a contender is fast at something else than was asked for.
var errWrongCount = errors.New("wrong count")

// run holds the contest. It stops at the first wrong count.
func (c contest) run(ctx context.Context) (outcome, error) {
	defer c.close()
	out := outcome{contest: c, scores: make([][]score, len(c.contenders))}
	walks := make([][]walk, len(c.contenders))
	for i, player := range c.contenders {
		for _, w := range c.workloads {
			step, err := player.open(w.fen)
			if err != nil {
				return outcome{}, fmt.Errorf("%s, %s: %w", player.name, w.name, err)
			}
			walks[i] = append(walks[i], step)
			out.scores[i] = append(out.scores[i], score{depth: w.depth - player.fewer})
		}
	}
	done := 0
	for range c.rounds {
		for w := range c.workloads {
			for i := range c.contenders {
				if err := ctx.Err(); err != nil {
					return outcome{}, err
				}
				if err := c.turn(i, w, walks[i][w], &out.scores[i][w]); err != nil {
					return outcome{}, err
				}
				done++
				c.report(done)
			}
		}
	}
	return out, nil
}

// close ends the contenders. Their results are in, so that a process which ends badly changes nothing.
func (c contest) close() {
	for _, player := range c.contenders {
		if player.close != nil {
			_ = player.close()
		}
	}
}

func (c contest) report(done int) {
	if c.progress != nil {
		c.progress(done, c.rounds*len(c.workloads)*len(c.contenders))
	}
}

// A turn lasts at least this long: a small tree is walked more than once.
const shortestTurn = 200 * time.Millisecond

// turn lets a contender walk a tree and adds to its score.
func (c contest) turn(player, work int, step walk, s *score) error {
	w := c.workloads[work]
	want := c.expected(w, s.depth)
	runtime.GC() // what the one before left behind is not this one's to clear
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var total uint64
	elapsed := time.Duration(0)
	for elapsed < shortestTurn {
		got, took, err := step(s.depth)
		if err == nil && got != want {
			err = fmt.Errorf("%w: %d, want %d", errWrongCount, got, want)
		}
		if err != nil {
			return fmt.Errorf("%s, %s depth %d: %w", c.contenders[player].name, w.name, s.depth, err)
		}
		total += got
		elapsed += took
	}
	runtime.ReadMemStats(&after)
	s.rates = append(s.rates, float64(total)/elapsed.Seconds())
	s.allocations = float64(after.Mallocs-before.Mallocs) / float64(total)
	return nil
}

// ratio returns how many times as fast as a reference a contender walked a workload.
func (o outcome) ratio(contender, reference, workload int) spread {
	return paired(o.scores[contender][workload].rates, o.scores[reference][workload].rates)
}

// meanRatio returns the geometric mean, over the workloads, of a contender's median ratios to a reference.
func (o outcome) meanRatio(contender, reference int) float64 {
	ratios := make([]float64, len(o.workloads))
	for w := range o.workloads {
		ratios[w] = o.ratio(contender, reference, w).median
	}
	return geometricMean(ratios)
}

// allocations returns the most that a contender allocated per thing counted.
func (o outcome) allocations(contender int) float64 {
	most := slices.MaxFunc(o.scores[contender], func(a, b score) int {
		switch {
		case a.allocations < b.allocations:
			return -1
		case a.allocations > b.allocations:
			return 1
		}
		return 0
	})
	return most.allocations
}
