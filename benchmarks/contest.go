package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// walk walks a tree to a depth. It returns what it counted, leaves or moves made, and how long that
// took.
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
	// open prepares to walk the trees below a position, until ctx ends. It is not timed.
	open func(ctx context.Context, fen string) (walk, error)
}

// contest lets contenders walk the same trees by turns.
type contest struct {
	title      string
	unit       string // what a walk counts one by one
	expected   func(w workload, depth int) uint64
	node       string // what the cycles of a walk are shared among
	nodes      func(w workload, depth int) uint64
	workloads  []workload
	contenders []contender
	references int // all contenders are measured against each of the first so many
	rounds     int
	shortest   time.Duration // a turn lasts at least this long: a small tree is walked more than once
	report     func(outcome) ([]*table, picture)
}

// score is how fast one contender walked one tree.
type score struct {
	walk        walk
	depth       int
	rates       []float64 // what a walk counts per second, by round
	allocations float64   // per thing counted; an external process shows none
}

// best returns the rate of the fastest round: other work of the machine slows a round down, nothing
// speeds it up.
func (s score) best() float64 { return slices.Max(s.rates) }

// mostApart is how much the best of the first half of the rounds may differ from the best of the
// second.
const mostApart = 0.03

// mostRepeated limits the rounds of a tree on which some rate does not repeat, as a multiple of the
// rounds asked for.
const mostRepeated = 4

// unsteady reports whether the best rate did not repeat.
func (s score) unsteady() bool {
	half := len(s.rates) / 2
	return half > 0 && math.Abs(slices.Max(s.rates[:half])/slices.Max(s.rates[half:])-1) > mostApart
}

// outcome has a score for each contender and workload.
type outcome struct {
	contest
	scores [][]score // by contender, by workload
}

// unsteady returns the number of rates that did not repeat.
func (o outcome) unsteady() (n int) {
	for _, scores := range o.scores {
		for _, s := range scores {
			if s.unsteady() {
				n++
			}
		}
	}
	return n
}

// errWrongCount means that a contender counted something else.
var errWrongCount = errors.New("wrong count")

// run holds the contest on one processor, after a round that is not scored: it touches all memory.
// The order of turns is drawn anew for each tree. Trees with rates that do not repeat get up to four
// times as many rounds. It stops at the first wrong count.
func (c contest) run(ctx context.Context) (outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // and end the processes of contenders
	defer pin()()
	out := outcome{contest: c, scores: make([][]score, len(c.contenders))}
	for i, player := range c.contenders {
		for _, w := range c.workloads {
			step, err := player.open(ctx, w.fen)
			if err != nil {
				return outcome{}, fmt.Errorf("%s, %s: %w", player.name, w.name, err)
			}
			out.scores[i] = append(out.scores[i], score{walk: step, depth: w.depth - player.fewer})
		}
	}
	for round := 0; round <= c.rounds || round <= mostRepeated*c.rounds && out.unsteady() > 0; round++ {
		for w, work := range c.workloads {
			if round > c.rounds && !slices.ContainsFunc(out.scores, func(s []score) bool { return s[w].unsteady() }) {
				continue
			}
			for _, i := range rand.Perm(len(c.contenders)) {
				if err := ctx.Err(); err != nil {
					return outcome{}, err
				}
				s := &out.scores[i][w]
				if err := c.turn(c.contenders[i].name, work, s); err != nil {
					return outcome{}, cmp.Or(ctx.Err(), err)
				}
				if round == 0 {
					s.rates = nil
				}
			}
		}
	}
	return out, nil
}

// turn lets a contender walk a tree and adds to its score.
func (c contest) turn(name string, w workload, s *score) error {
	want := c.expected(w, s.depth)
	runtime.GC() // what the one before left behind is not this one's to clear
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var total uint64
	elapsed := time.Duration(0)
	for total == 0 || elapsed < c.shortest {
		got, took, err := s.walk(s.depth)
		if err == nil && got != want {
			err = fmt.Errorf("%w: %d, want %d", errWrongCount, got, want)
		}
		if err != nil {
			return fmt.Errorf("%s, %s depth %d: %w", name, w.name, s.depth, err)
		}
		total += got
		elapsed += took
	}
	runtime.ReadMemStats(&after)
	s.rates = append(s.rates, float64(total)/elapsed.Seconds())
	s.allocations = float64(after.Mallocs-before.Mallocs) / float64(total)
	return nil
}

// ratio returns how many times as fast as a reference a contender walked a workload, both at their
// best.
func (o outcome) ratio(contender, reference, workload int) float64 {
	return o.scores[contender][workload].best() / o.scores[reference][workload].best()
}

// meanRatio returns the geometric mean of a contender's ratios to a reference over the workloads.
func (o outcome) meanRatio(contender, reference int) float64 {
	ratios := make([]float64, len(o.workloads))
	for w := range o.workloads {
		ratios[w] = o.ratio(contender, reference, w)
	}
	return stats.GeoMean(ratios)
}

// workload is a tree to walk.
type workload struct {
	name, fen string
	depth     int
	leaves    []uint64 // by depth, 0..depth, as published
}

// leavesAt returns how many leaves the tree to a depth has.
func (w workload) leavesAt(depth int) uint64 { return w.leaves[depth] }

// parents returns how many nodes are one ply before the leaves.
func (w workload) parents(depth int) uint64 { return w.leaves[depth-1] }

// moves returns how many moves the tree to a depth has, at all its nodes.
func (w workload) moves(depth int) uint64 {
	var sum uint64
	for _, leaves := range w.leaves[1 : depth+1] {
		sum += leaves
	}
	return sum
}

// newWorkloads returns the positions of all ratios: an opening, a crowded middle game with
// everything in it, a quiet one, and an endgame, at depths where the trees have similar sizes.
// Positions and counts are in the published suite. It panics where the suite does not count as
// deep, ply by ply.
func newWorkloads() []workload {
	published := suites.Cases("published")
	workloads := []workload{
		{name: "startpos", depth: 6}, {name: "kiwipete", depth: 5}, {name: "pos6", depth: 5}, {name: "endgame", depth: 6},
	}
	for i := range workloads {
		w := &workloads[i]
		c := published[slices.IndexFunc(published, func(c suites.Case) bool { return c.Name == w.name })]
		w.fen, w.leaves = c.FEN, []uint64{1}
		for _, count := range c.Counts[:w.depth] {
			w.leaves = append(w.leaves, count.Nodes)
		}
	}
	return workloads
}
