package difftest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Aspect compares one aspect of a node and calls Fail at the first difference. random depends only
// on the position.
type Aspect func(n *Node, random *rand.Rand)

// Checker compares aspects of nodes in order, because differences in the first cause differences in
// later ones.
type Checker struct {
	Nodes int // checked so far

	aspects []Aspect
	source  *rand.PCG
	random  *rand.Rand
}

// NewChecker returns a checker of the given aspects.
func NewChecker(aspects ...Aspect) *Checker {
	source := rand.NewPCG(0, 0)
	return &Checker{aspects: aspects, source: source, random: rand.New(source)}
}

// State compares pieces, side to move, rights and clocks with the oracle, and the key by ReadAnew.
func State(n *Node, _ *rand.Rand) {
	ComparePosition("", &n.Pos, &n.Oracle)
	if side, square := n.Pos.SideToMove(), n.Pos.EnPassant(); side != n.Oracle.SideToMove() ||
		square != n.Oracle.EnPassant() {
		Fail("%v is to move, and %v the en-passant square, in %s", side, square, n.FEN())
	}
	ReadAnew(&n.Pos)
}

// ReadAnew fails unless the position read from p's FEN equals p, including the key, which reading
// computes from the board.
func ReadAnew(p *fianchetto.Position) {
	again, err := fianchetto.ParseFEN(p.FEN())
	if err != nil || again.WithChess960(p.IsChess960()) != *p {
		Fail("%v with key %016x is read as %v with key %016x, %v", p, p.Key(), again, again.Key(), err)
	}
}

// List compares the legal moves and their targets with the oracle's list, then their number, check,
// checkmate and stalemate.
func List(n *Node, _ *rand.Rand) {
	var room [256]fianchetto.Move
	n.CompareMoves("", n.Pos.AppendLegal(room[:0]), n.Moves)
	var g fianchetto.Generator
	g.Reset(&n.Pos)
	n.CompareMoves("", g.AppendLegal(room[:0]), n.Moves)
	var targets [64]fianchetto.Bitboard
	for _, m := range n.Moves {
		targets[m.From()] = targets[m.From()].With(m.To())
	}
	for s := range fianchetto.Square(64) {
		if got := n.Pos.Targets(s); got != targets[s] {
			Fail("Targets(%v) in %s: %s", s, n.FEN(), DiffSquares(got, targets[s]))
		}
	}
	compareStatus(n)
}

// compareStatus runs after the lists, because a wrong move says more than a wrong status.
func compareStatus(n *Node) {
	moves, check := len(n.Moves), n.Oracle.InCheck()
	if got, some := n.Pos.CountLegal(), n.Pos.HasLegalMove(); got != moves || some != (moves > 0) {
		Fail("CountLegal is %d, HasLegalMove %v in %s, want %d moves", got, some, n.FEN(), moves)
	}
	if got := n.Pos.InCheck(); got != check {
		Fail("InCheck is %v in %s, want %v", got, n.FEN(), check)
	}
	mate, stalemate := n.Pos.IsCheckmate(), n.Pos.Status(nil) == fianchetto.Stalemate
	if mate != (check && moves == 0) || stalemate != (!check && moves == 0) {
		Fail("checkmate %v, stalemate %v in %s, where check is %v and %d moves are legal", mate, stalemate, n.FEN(),
			check, moves)
	}
	if got, want := n.Pos.IsInsufficientMaterial(), n.Oracle.HasInsufficientMaterial(); got != want {
		Fail("IsInsufficientMaterial is %v in %s, want %v", got, n.FEN(), want)
	}
}

// Checks compares GivesCheck with the oracle's position after each legal move.
func Checks(n *Node, _ *rand.Rand) {
	var generator fianchetto.Generator
	generator.Reset(&n.Pos)
	for i, m := range n.Moves {
		want := n.GivesCheck(i)
		if got, generated := n.Pos.GivesCheck(m), generator.GivesCheck(m); got != want || generated != want {
			Fail("GivesCheck(%s) is %v, Generator's %v, in %s, want %v", n.Name(m), got, generated, n.FEN(), want)
		}
	}
}

// Check returns the first difference in a node.
func (c *Checker) Check(n *Node) (found Difference) {
	c.Nodes++
	c.source.Seed(n.Pos.Key(), 0)
	for _, aspect := range c.aspects {
		if found == "" {
			found = try(n.FEN, func() { aspect(n, c.random) })
		}
	}
	return found
}

// Play checks a position and those of a random game from it of at most plies plies.
func (c *Checker) Play(fen string, plies int) Difference {
	n, found := Read(fen)
	for n != nil && found == "" {
		if found = c.Check(n); found != "" || plies == 0 || len(n.Moves) == 0 {
			break
		}
		plies--
		n, found = n.next(c.random.IntN(len(n.Moves)))
	}
	return found
}

// next is After, but turns a panic into a difference.
func (n *Node) next(i int) (next *Node, found Difference) {
	found = try(func() string { return n.FEN() + " after " + n.Name(n.Moves[i]) }, func() { next = n.After(i) })
	return next, found
}

// Must fails a test at a difference.
func (c *Checker) Must(t testing.TB, found Difference) {
	t.Helper()
	if found != "" {
		t.Fatal(found)
	}
}

// Game calls Play and fails the test at a difference.
func (c *Checker) Game(t testing.TB, fen string, plies int) {
	t.Helper()
	c.Must(t, c.Play(fen, plies))
}

// Games checks at least the given number of nodes in random games, half from positions of the
// suites, half from random ones.
func (c *Checker) Games(t testing.TB, seed uint64, nodes int) {
	t.Helper()
	fens, random := suites.FENs(), rand.New(rand.NewPCG(seed, 2))
	for limit := c.Nodes + nodes; c.Nodes < limit; {
		if random.IntN(12) > 0 { // these games are shorter
			c.Game(t, positions.Random(random), 6)
		} else {
			c.Game(t, fens[random.IntN(len(fens))], 60)
		}
	}
}

// Trees checks every node of the trees of positions to a depth in plies. With -short it takes every
// tenth position.
func (c *Checker) Trees(t testing.TB, depth int, fens ...string) {
	t.Helper()
	for i, fen := range fens {
		if !testing.Short() || i%10 == 0 {
			c.tree(t, MustRead(fen), depth)
		}
	}
}

func (c *Checker) tree(t testing.TB, n *Node, depth int) {
	t.Helper()
	c.Must(t, c.Check(n))
	for i := range n.Moves {
		if depth > 0 {
			next, found := n.next(i)
			c.Must(t, found)
			c.tree(t, next, depth-1)
		}
	}
}

// EachCastling checks every step-th position of positions.Castlings, with either side to move. Long
// tests check all, and -short a fortieth of these.
func (c *Checker) EachCastling(t testing.TB, step int) {
	t.Helper()
	if testing.Short() {
		step *= 40
	} else if Long {
		step = 1
	}
	total := 0
	for fen := range positions.Castlings() {
		if total++; total%step == 0 {
			c.Game(t, fen, 0)
			c.Game(t, positions.OtherSide(fen), 0) // unplayable if that side can capture the king
		}
	}
}

// Main is the TestMain of packages whose tests rely on the generator. It first compares the
// generator and the given aspects with the oracle. At a difference it runs no test, because tests
// that follow a wrong move hide the cause.
func Main(m *testing.M, aspects ...Aspect) {
	flag.Parse()
	is := func(name, value string) bool { return flag.Lookup("test."+name).Value.String() == value }
	if is("list", "") && !is("run", "^$") && !is("run", "NONE") && !is("fuzzworker", "true") {
		found := firstDifference(State, List, Checks)
		if found == "" && aspects != nil { // after all moves, which say more
			found = firstDifference(aspects...)
		}
		if found != "" {
			fmt.Printf("%s\nNo test of this package runs before this is right.\nFAIL\n", found)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// firstDifference returns the difference in the position with the fewest pieces, or "".
func firstDifference(aspects ...Aspect) (found Difference) {
	c := NewChecker(aspects...)
	for _, fen := range smallestFirst() {
		if found = c.Play(fen, 0); found != "" {
			break
		}
	}
	return found
}

// FENs returns the positions of the suites and n random ones.
func FENs(n int, seed uint64) []string {
	fens, random := suites.FENs(), rand.New(rand.NewPCG(seed, 0))
	for range n {
		fens = append(fens, positions.Random(random))
	}
	return fens
}

func smallestFirst() []string {
	fens := FENs(2000, 19)
	if testing.Short() {
		fens = fens[:len(fens)/2]
	}
	piece := regexp.MustCompile(`[a-zA-Z]`)
	pieces := func(fen string) int { return len(piece.FindAllString(strings.Fields(fen)[0], -1)) }
	slices.SortStableFunc(fens, func(a, b string) int { return pieces(a) - pieces(b) })
	return fens
}

// Long tells tests to compare whole trees and all small positions, which takes half an hour.
var Long = false

// Breadth returns the number of inputs to compare: n, ten times as many in long tests, and a
// fortieth with -short.
func Breadth(n int) int {
	switch {
	case testing.Short():
		return n / 40
	case Long:
		return 10 * n
	}
	return n
}
