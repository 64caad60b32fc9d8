package differential_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// node is a position in the library and in the oracle.
type node struct {
	pos   fianchetto.Position
	slow  oracle.Board
	legal []oracle.Move     // the oracle's legal moves
	moves []fianchetto.Move // the same moves in the library's encoding
}

func (n *node) findMoves() {
	n.legal = n.slow.LegalMoves()
	n.moves = make([]fianchetto.Move, len(n.legal))
	for i, m := range n.legal {
		n.moves[i] = fianchetto.Move(n.slow.Encode(m))
	}
}

// checker compares one node after another. It reuses what is expensive to make.
type checker struct {
	counters  []counter
	kernels   []simd.Kernel
	scratch   simd.Scratch
	source    *rand.PCG
	random    *rand.Rand
	generator fianchetto.Generator
	isLegal   valueSet
	isPseudo  valueSet
	nodes     int // checked so far
}

func newChecker(t testing.TB) *checker {
	source := rand.NewPCG(0, 0)
	return &checker{counters: newCounters(t), kernels: simd.Kernels(), source: source, random: rand.New(source)}
}

// checks are the comparisons, each of one aspect.
var checks = []struct {
	name string
	run  func(*checker, *node)
}{
	{"state", (*checker).checkState},
	{"list", (*checker).checkList},
	{"stages", (*checker).checkStages},
	{"legality", (*checker).checkLegality},
	{"attackers", (*checker).checkAttackers},
	{"making", (*checker).checkMaking},
	{"null move", (*checker).checkNull},
	{"exchange", (*checker).checkExchange},
	{"notation", (*checker).checkNotation},
	{"storage", (*checker).checkStorage},
	{"reflection", (*checker).checkReflections},
	{"count", (*checker).checkCounts},
}

// difference is the panic value of a check.
type difference struct{ check, text string }

func (d *difference) String() string { return d.check + ": " + d.text }

// fail reports a difference and ends the checks of a node.
func fail(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// check compares one node and returns the first difference, nil if there is none. Random choices depend on the position only, so that
// equal nodes are checked in the same way.
func (c *checker) check(n *node) (found *difference) {
	c.nodes++
	c.source.Seed(n.pos.Key(), 0)
	current := ""
	defer func() {
		if r := recover(); r != nil {
			text, isDifference := r.(string)
			if !isDifference {
				text = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
			}
			found = &difference{current, text}
		}
	}()
	for _, check := range checks {
		current = check.name
		check.run(c, n)
	}
	return nil
}

// newNode reads a FEN. The library and the oracle must agree whether it is playable.
func newNode(fen string) (n *node, ok bool, found *difference) {
	pos, err := fianchetto.ParseFEN(fen)
	slow, slowErr := oracle.Parse(fen)
	if (err == nil) != (slowErr == nil) {
		return nil, false, &difference{"FEN", fmt.Sprintf("%v, the oracle: %v", err, slowErr)}
	}
	if err != nil {
		return nil, false, nil
	}
	n = &node{pos: pos, slow: slow}
	n.findMoves()
	return n, true, nil
}

// checkFrom checks a position and those of a game of random moves from it. It returns the last node that was checked and
// the first difference.
func (c *checker) checkFrom(fen string, plies int) (*node, *difference) {
	n, ok, found := newNode(fen)
	if !ok || found != nil {
		return nil, found
	}
	for {
		if found := c.check(n); found != nil || plies == 0 || len(n.moves) == 0 {
			return n, found
		}
		plies--
		i := c.random.IntN(len(n.moves))
		n = &node{pos: n.pos.After(n.moves[i]), slow: n.slow.Apply(n.legal[i])}
		n.findMoves()
	}
}

// checkState compares all that a position holds with the oracle, and its key with that of the same position read anew.
func (c *checker) checkState(n *node) {
	if got, want := n.pos.WithChess960(true).FEN(), n.slow.ShredderFEN(); got != want {
		fail("the position is %s, the oracle's %s", got, want)
	}
	for s := range fianchetto.Square(64) {
		if got, want := n.pos.PieceAt(s), n.slow.PieceAt(s); got != want {
			fail("%v on %v, the oracle has %v", got, s, want)
		}
	}
	c.checkAnew(&n.pos)
	inCheck := n.slow.InCheck()
	if n.pos.InCheck() != inCheck || n.pos.IsCheckmate() != (inCheck && len(n.moves) == 0) || n.pos.IsStalemate() != (!inCheck && len(n.moves) == 0) {
		fail("check %v, checkmate %v, stalemate %v; the oracle has check %v and %d moves",
			n.pos.InCheck(), n.pos.IsCheckmate(), n.pos.IsStalemate(), inCheck, len(n.moves))
	}
	if c.random.IntN(8) == 0 {
		n.pos.Unreachable() // the oracle has no such function: it must not panic
	}
}

// checkAnew reads a position from its FEN, so that its key is computed from the board.
func (c *checker) checkAnew(p *fianchetto.Position) {
	again, err := fianchetto.ParseFEN(p.FEN())
	if err != nil || again.WithChess960(p.IsChess960()) != *p {
		fail("%v with key %016x is read as %v with key %016x, %v", p, p.Key(), again, again.Key(), err)
	}
}

// equalSets reports whether two lists, each without regard to its order, are equal. It sorts the first.
func equalSets(got, want []fianchetto.Move) bool {
	slices.Sort(got)
	want = slices.Clone(want)
	slices.Sort(want)
	return slices.Equal(got, want)
}

// filter returns the moves of a node for which keep returns true.
func (n *node) filter(keeps func(i int, m fianchetto.Move) bool) []fianchetto.Move {
	var kept []fianchetto.Move
	for i, m := range n.moves {
		if keeps(i, m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// sample returns the indices of at most size moves of a node, different ones, in random order.
func (c *checker) sample(n *node, size int) []int {
	if len(n.moves) <= size {
		return c.random.Perm(len(n.moves))
	}
	chosen := make([]int, 0, size)
	for len(chosen) < size {
		if i := c.random.IntN(len(n.moves)); !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}
