package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"
	corentings "github.com/corentings/chess/v2"
	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
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

// pin restricts the calling goroutine, and the processes it starts, to one processor until release,
// where the system can.
var pin = func() (release func()) { return func() {} }

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

const (
	ourName       = "Fianchetto, "
	referenceName = "dragontoothmg"

	mostPlies = 16 // of a workload
)

// library returns a contender in this process. Parse and open are not timed.
func library[P any](name, remark string, parse func(string) (P, error), open func(P) func(depth int) uint64) contender {
	return contender{name: name, remark: remark,
		open: func(_ context.Context, fen string) (walk, error) {
			pos, err := parse(fen)
			if err != nil {
				return nil, err
			}
			count := open(pos)
			return timed(func(depth int) (uint64, error) { return count(depth), nil }), nil
		},
	}
}

func ours(name, remark string, open func(fianchetto.Position) func(depth int) uint64) contender {
	return library(ourName+name, remark, fianchetto.ParseFEN, open)
}

func counting(name, remark string, options perft.Options) contender {
	return contender{name: ourName + name, remark: remark,
		open: func(ctx context.Context, fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			return timed(func(depth int) (uint64, error) {
				result, err := perft.Run(ctx, pos, depth, options)
				return result.Nodes, err
			}), err
		},
	}
}

// methodContenders returns the available methods on one thread without a hash table: plain first,
// the default last.
func methodContenders() (contenders []contender) {
	for _, m := range []struct {
		method perft.Method
		remark string
	}{
		{perft.Plain, "all moves made except those of the last ply"},
		{perft.TwoPly, "the last two plies counted together"},
		{perft.SIMD, "the last two plies counted together, in vector registers"},
		{perft.Auto, "the default: two-ply or simd, whichever takes less time"},
	} {
		if m.method.Available() {
			options := perft.Options{Method: m.method, Threads: 1}
			contenders = append(contenders, counting(m.method.String(), m.remark, options))
		}
	}
	return contenders
}

type moveLists [mostPlies][]fianchetto.Move

func (l *moveLists) at(depth int, p *fianchetto.Position) []fianchetto.Move {
	l[depth] = p.AppendLegal(l[depth][:0])
	return l[depth]
}

// Both ways of an engine to make moves also make those of the last ply.

func copyMake() contender {
	const remark = "AppendLegal, then Position.CopyMake into the next ply's position"
	return ours("CopyMake", remark, func(pos fianchetto.Position) func(int) uint64 {
		lists, line := new(moveLists), new([mostPlies]fianchetto.Position)
		return func(depth int) uint64 { return copyMade(&pos, depth, lists, line) }
	})
}

func copyMade(p *fianchetto.Position, depth int, lists *moveLists, line *[mostPlies]fianchetto.Position) uint64 {
	moves, next := lists.at(depth, p), &line[depth]
	made := uint64(len(moves))
	for _, m := range moves {
		p.CopyMake(next, m)
		if depth > 1 {
			made += copyMade(next, depth-1, lists, line)
		}
	}
	return made
}

func makeUnmake() contender {
	const remark = "AppendLegal, then Position.Make and Unmake on one position"
	return ours("Make and Unmake", remark, func(pos fianchetto.Position) func(int) uint64 {
		lists := new(moveLists)
		return func(depth int) uint64 { return unmade(&pos, depth, lists) }
	})
}

func unmade(p *fianchetto.Position, depth int, lists *moveLists) uint64 {
	moves := lists.at(depth, p)
	made := uint64(len(moves))
	for _, m := range moves {
		undo := p.Make(m)
		if depth > 1 {
			made += unmade(p, depth-1, lists)
		}
		p.Unmake(undo)
	}
	return made
}

func reference(remark string, open func(*dragontoothmg.Board) func(depth int) uint64) contender {
	parse := func(fen string) (*dragontoothmg.Board, error) {
		board := dragontoothmg.ParseFen(fen)
		return &board, nil
	}
	c := library(referenceName, remark, parse, open)
	c.fewer = 1 // its rate depends little on the depth
	return c
}

func referencePerft() contender {
	return reference("its Perft, which makes all moves except those of the last ply", func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return uint64(dragontoothmg.Perft(b, depth)) }
	})
}

func referenceMake() contender {
	const remark = "GenerateLegalMoves, then Apply and the undo it returns"
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return referenceMade(b, depth) }
	})
}

func referenceMade(b *dragontoothmg.Board, depth int) uint64 {
	moves := b.GenerateLegalMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		undo := b.Apply(m)
		if depth > 1 {
			made += referenceMade(b, depth-1)
		}
		undo()
	}
	return made
}

func corentingsChess() contender {
	parse := func(fen string) (*corentings.Position, error) {
		option, err := corentings.FEN(fen)
		if err != nil {
			return nil, err
		}
		return corentings.NewGame(option).Position(), nil
	}
	var count func(p *corentings.Position, depth int) uint64
	count = func(p *corentings.Position, depth int) uint64 {
		moves := p.ValidMoves()
		if depth == 1 {
			return uint64(len(moves))
		}
		counted := uint64(0)
		for i := range moves {
			counted += count(p.Update(&moves[i]), depth-1)
		}
		return counted
	}
	const remark = "ValidMoves and Position.Update, the last ply counted"
	c := library("corentings/chess", remark, parse, func(p *corentings.Position) func(int) uint64 {
		return func(depth int) uint64 { return count(p, depth) }
	})
	c.fewer = 2 // else a round would take minutes
	return c
}

// parseProgram reads NAME=COMMAND, a generator in any language.
func parseProgram(text string) (contender, error) {
	name, command, found := strings.Cut(text, "=")
	words := strings.Fields(command)
	if !found || name == "" || len(words) == 0 {
		return contender{}, fmt.Errorf("invalid program %q (want NAME=COMMAND)", text)
	}
	if !strings.Contains(command, "{fen}") && !strings.Contains(command, "{depth}") {
		words = append(words, "{fen}", "{depth}")
	}
	return contender{
		name:   name,
		remark: "its own process",
		open: func(ctx context.Context, fen string) (walk, error) {
			return func(depth int) (uint64, time.Duration, error) { return runProgram(ctx, words, fen, depth) }, nil
		},
	}, nil
}

func runProgram(ctx context.Context, command []string, fen string, depth int) (uint64, time.Duration, error) {
	arguments := slices.Clone(command)
	for i, a := range arguments {
		arguments[i] = strings.NewReplacer("{fen}", fen, "{depth}", strconv.Itoa(depth)).Replace(a)
	}
	output, err := exec.CommandContext(ctx, arguments[0], arguments[1:]...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = errors.Join(err, errors.New(strings.TrimSpace(string(exit.Stderr))))
	}
	if err != nil {
		return 0, 0, err
	}
	return readCount(output)
}

// countAndTime matches a count and, later in the line, a time with its unit, as in "193690690
// leaves in 0.080 s". A rate after the time, as in "0.080s 2421.13 MNPS", is more exact.
var countAndTime = regexp.MustCompile(
	`(\d+)(?:[^\d\n]*[ \t])(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s)(?: +(\d+\.\d+) MNPS|[\s,;.)]|$)`)

// readCount returns the last count and time, because programs may count lower depths first.
func readCount(output []byte) (count uint64, took time.Duration, err error) {
	found := countAndTime.FindAllSubmatch(output, -1)
	if len(found) == 0 {
		return 0, 0, fmt.Errorf("no count with a time, such as \"20 0.1ms\", in the output %q", output)
	}
	last := found[len(found)-1]
	if count, err = strconv.ParseUint(string(last[1]), 10, 64); err != nil {
		return 0, 0, err
	}
	took, err = time.ParseDuration(string(last[2]) + string(last[3]))
	if rate, _ := strconv.ParseFloat(string(last[4]), 64); rate > 0 {
		took = time.Duration(float64(count) / rate * 1e3)
	}
	if err == nil && took <= 0 {
		err = fmt.Errorf("no time passed in %q: too small a tree for a clock so coarse", last[0])
	}
	return count, took, err
}
