package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
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
	apart  bool   // it is another process, whose memory is not counted
	fewer  int    // plies it goes less deep than asked for, because it would take too long
	// open prepares to walk the trees below a position. It is not timed.
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
	pictures   []summary
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

// errWrongCount means that a contender counted something else.
var errWrongCount = errors.New("wrong count")

// run holds the contest. It stops at the first wrong count.
func (c contest) run(ctx context.Context) (outcome, error) {
	defer func() {
		for _, player := range c.contenders {
			if player.close != nil {
				_ = player.close() // the results are in: a process that ends badly changes nothing
			}
		}
	}()
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
	done, total := 0, c.rounds*len(c.workloads)*len(c.contenders)
	for range c.rounds {
		for w := range c.workloads {
			for i := range c.contenders {
				if err := ctx.Err(); err != nil {
					return outcome{}, err
				}
				if err := c.turn(i, w, walks[i][w], &out.scores[i][w]); err != nil {
					return outcome{}, err
				}
				if done++; c.progress != nil {
					c.progress(done, total)
				}
			}
		}
	}
	return out, nil
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

// spread summarises repeated measurements of one thing.
type spread struct{ min, median, max float64 }

// spreadOf returns the spread of at least one sample.
func spreadOf(samples []float64) spread {
	sample := stats.Sample{Xs: samples}
	least, most := sample.Bounds()
	return spread{least, sample.Quantile(0.5), most}
}

// ratio returns how many times as fast as a reference a contender walked a workload, round by round: what slowed the
// machine down in a round slowed both.
func (o outcome) ratio(contender, reference, workload int) spread {
	references := o.scores[reference][workload].rates
	ratios := slices.Clone(o.scores[contender][workload].rates)
	for i := range ratios {
		ratios[i] /= references[i]
	}
	return spreadOf(ratios)
}

// meanRatio returns the geometric mean, over the workloads, of a contender's median ratios to a reference.
func (o outcome) meanRatio(contender, reference int) float64 {
	ratios := make([]float64, len(o.workloads))
	for w := range o.workloads {
		ratios[w] = o.ratio(contender, reference, w).median
	}
	return stats.GeoMean(ratios)
}

// allocations returns the most that a contender allocated per thing counted.
func (o outcome) allocations(contender int) (most float64) {
	for _, s := range o.scores[contender] {
		most = max(most, s.allocations)
	}
	return most
}

// workload is a tree to walk.
type workload struct {
	name, fen string
	depth     int
	leaves    []uint64 // by depth, 0..depth, as published
}

// moves returns how many moves the tree to a depth has, at all its nodes.
func (w workload) moves(depth int) uint64 {
	var sum uint64
	for _, leaves := range w.leaves[1 : depth+1] {
		sum += leaves
	}
	return sum
}

// plan says how deep to go in a published position.
type plan struct {
	name  string
	depth int
}

// The positions of all ratios: an opening, a crowded middle game with everything in it, a quiet one, and an endgame,
// at depths where the trees have similar sizes.
var plans = []plan{{"startpos", 6}, {"kiwipete", 5}, {"pos6", 5}, {"endgame", 6}}

// newWorkloads finds the positions of plans, and their counts, in the published suite. It panics where the suite does
// not count as deep as a plan, ply by ply.
func newWorkloads(plans []plan) []workload {
	published := suites.Cases("published")
	var workloads []workload
	for _, p := range plans {
		c := published[slices.IndexFunc(published, func(c suites.Case) bool { return c.Name == p.name })]
		leaves := []uint64{1}
		for _, count := range c.Counts[:p.depth] {
			leaves = append(leaves, count.Nodes)
		}
		workloads = append(workloads, workload{p.name, c.FEN, p.depth, leaves})
	}
	return workloads
}
