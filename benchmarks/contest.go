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
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// walk walks a tree to a depth and returns the number of leaves, or of moves made, and the time.
type walk func(depth int) (count uint64, took time.Duration, err error)

func timed(count func(depth int) (uint64, error)) walk {
	return func(depth int) (uint64, time.Duration, error) {
		start := time.Now()
		counted, err := count(depth)
		return counted, time.Since(start), err
	}
}

type contender struct {
	name   string
	remark string // for the table
	fewer  int    // plies less
	// open prepares to walk the trees below a position until ctx ends.
	open func(ctx context.Context, fen string) (walk, error)
}

type contest struct {
	title      string
	unit       string // counted
	expected   func(w workload, depth int) uint64
	node       string // the divisor of cycles
	nodes      func(w workload, depth int) uint64
	workloads  []workload
	contenders []contender
	references int // the first contenders get so many columns of ratios
	rounds     int
	shortest   time.Duration                    // of a turn, which repeats small trees
	report     func(outcome) (*table, *picture) // the picture may be nil
}

type score struct {
	walk  walk
	depth int
	rates []float64 // per second, by round
}

// best is the rate of the fastest round, because other work only slows rounds down.
func (s score) best() float64 { return slices.Max(s.rates) }

// mostApart is the greatest relative difference between the bests of both halves of the rounds of a
// steady rate.
const mostApart = 0.03

// mostRepeated limits the rounds of an unsteady tree, as a multiple of the usual number.
const mostRepeated = 4

func (s score) unsteady() bool {
	half := len(s.rates) / 2
	return half > 0 && math.Abs(slices.Max(s.rates[:half])/slices.Max(s.rates[half:])-1) > mostApart
}

type outcome struct {
	contest
	scores [][]score // by contender, by workload
}

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

var errWrongCount = errors.New("wrong count")

// run holds the contest on one processor. A first round, which touches all memory, is not scored. A
// wrong count ends the contest.
func (c contest) run(ctx context.Context) (outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends the processes of contenders
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

func (c contest) turn(name string, w workload, s *score) error {
	want := c.expected(w, s.depth)
	runtime.GC() // collect the garbage of the previous contender
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
	s.rates = append(s.rates, float64(total)/elapsed.Seconds())
	return nil
}

func (o outcome) ratio(contender, reference, workload int) float64 {
	return o.scores[contender][workload].best() / o.scores[reference][workload].best()
}

func (o outcome) meanRatio(contender, reference int) float64 {
	ratios := make([]float64, len(o.workloads))
	for w := range o.workloads {
		ratios[w] = o.ratio(contender, reference, w)
	}
	return stats.GeoMean(ratios)
}

type workload struct {
	name, fen string
	depth     int
	leaves    []uint64 // by depth, from 0 to depth
}

func (w workload) title() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %d", w.name, w.depth), " 0")
}

func (w workload) leavesAt(depth int) uint64 { return w.leaves[depth] }

func (w workload) parents(depth int) uint64 { return w.leaves[depth-1] }

func (w workload) moves(depth int) uint64 {
	var sum uint64
	for _, leaves := range w.leaves[1 : depth+1] {
		sum += leaves
	}
	return sum
}

// newWorkloads returns the four full boards, at depths with trees of similar sizes.
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
