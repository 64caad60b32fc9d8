// Package difftest compares the library with the oracle and describes the first difference like the
// compare command: the move, the position and the rule.
//
//	missing e8c8 in r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1: castling: king and rook on a8 have not ...
//	extra d7d5 in 4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1: double push: a pawn does not jump: ...
//
// The tests of every package that generates or counts moves use it. The rule comes from
// Position.Explain, which uses neither the generator nor its core.
package difftest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Node is one position, held by the library and by the oracle.
type Node struct {
	Pos    fianchetto.Position
	Oracle oracle.Board
	Legal  []oracle.Move     // the oracle's legal moves
	Moves  []fianchetto.Move // the same moves in the library's encoding
}

// Read reads a FEN. If library and oracle agree that it is unplayable, Read returns neither a node
// nor a difference.
func Read(fen string) (n *Node, found Difference) {
	found = try(func() string { return fen }, func() {
		pos, err := fianchetto.ParseFEN(fen)
		slow, slowErr := oracle.Parse(fen)
		if (err == nil) != (slowErr == nil) {
			Fail("%s: the library: %v, the oracle: %v", fen, err, slowErr)
		}
		if err == nil {
			n = newNode(pos, slow)
		}
	})
	return n, found
}

// MustRead reads the FEN of a playable position.
func MustRead(fen string) *Node {
	n, found := Read(fen)
	if n == nil {
		panic(fmt.Sprintf("%s cannot be played from: %v", fen, found))
	}
	return n
}

func newNode(pos fianchetto.Position, slow oracle.Board) *Node {
	n := &Node{Pos: pos, Oracle: slow, Legal: slow.LegalMoves()}
	for _, m := range n.Legal {
		n.Moves = append(n.Moves, fianchetto.Move(slow.Encode(m)))
	}
	return n
}

// After returns the node after the i-th legal move.
func (n *Node) After(i int) *Node {
	return newNode(n.Pos.After(n.Moves[i]), n.Oracle.Apply(n.Legal[i]))
}

// GivesCheck reports, by the oracle, whether the i-th legal move gives check.
func (n *Node) GivesCheck(i int) bool { return n.Oracle.Apply(n.Legal[i]).InCheck() }

// FEN returns the oracle's FEN of the position.
func (n *Node) FEN() string { return n.Oracle.FEN() }

// Name writes any Move value in UCI notation.
func (n *Node) Name(m fianchetto.Move) string {
	return n.Oracle.UCI(oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()})
}

// Why explains any Move value in the oracle's position. If the library's explanation panics or
// disagrees with the oracle, Why reports only the oracle's verdict.
func (n *Node) Why(m fianchetto.Move) (why string) {
	isLegal := slices.Contains(n.Moves, m)
	why = fmt.Sprintf("by the oracle it is legal: %v", isLegal)
	defer func() { _ = recover() }()
	pos := fianchetto.MustParseFEN(n.Oracle.ShredderFEN())
	if reason := pos.Explain(m); reason.Legal == isLegal {
		why = reason.String()
	}
	return why
}

// CompareMoves fails unless got contains the wanted legal moves, in any order. origin, such as " by
// AppendQuiets", follows the position in the message.
func (n *Node) CompareMoves(origin string, got, want []fianchetto.Move) {
	if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		return
	}
	rest := make(map[fianchetto.Move]int, len(want))
	for _, m := range want {
		rest[m]++
	}
	fail := func(kind string, m fianchetto.Move, why string) {
		Fail("%s %s in %s%s: %s", kind, n.Name(m), n.FEN(), origin, why)
	}
	for _, m := range got {
		rest[m]--
		switch {
		case rest[m] >= 0:
		case slices.Contains(want, m):
			fail("extra", m, "it is listed twice")
		case slices.Contains(n.Moves, m):
			fail("extra", m, "it is legal, but does not belong to this list")
		default:
			fail("extra", m, n.Why(m))
		}
	}
	for _, m := range want {
		if rest[m] > 0 {
			fail("missing", m, n.Why(m))
		}
	}
}

// DiffSquares lists the extra and missing squares of a set.
func DiffSquares(got, want fianchetto.Bitboard) string {
	var wrong []string
	for s := range (got ^ want).Squares() {
		kind := "extra "
		if want.Has(s) {
			kind = "missing "
		}
		wrong = append(wrong, kind+s.String())
	}
	return strings.Join(wrong, ", ")
}

// ComparePosition fails unless the library's position equals the oracle's.
func ComparePosition(what string, got *fianchetto.Position, want *oracle.Board) {
	for s := range fianchetto.Square(64) {
		if piece := want.PieceAt(s); got.PieceAt(s) != piece {
			Fail("%s%v on %v, want %v: %v, want %s", what, got.PieceAt(s), s, piece, got, want.FEN())
		}
	}
	if text := got.WithChess960(true).FEN(); text != want.ShredderFEN() {
		Fail("%s%s, want %s", what, text, want.ShredderFEN())
	}
}

// Attackers returns the pieces of both colours that attack s for an occupancy, by Attacks.
func (n *Node) Attackers(s fianchetto.Square, occupancy fianchetto.Bitboard) (set fianchetto.Bitboard) {
	for from := range n.Pos.Occupancy().Squares() {
		if Attacks(n.Oracle.PieceAt(from), from, s, occupancy) {
			set = set.With(from)
		}
	}
	return set
}

// Attacks reports whether a piece on from attacks to, by files and ranks instead of tables.
func Attacks(piece fianchetto.Piece, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	files, ranks := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	far, near := max(files, -files, ranks, -ranks), min(max(files, -files), max(ranks, -ranks))
	isFree := bitboard.Between(from, to)&occupancy == 0
	diagonal, orthogonal := far == near && far > 0 && isFree, near == 0 && far > 0 && isFree
	switch piece.Type() {
	case fianchetto.Pawn:
		return ranks == 1-2*int(piece.Color()) && max(files, -files) == 1
	case fianchetto.Knight:
		return far == 2 && near == 1
	case fianchetto.Bishop:
		return diagonal
	case fianchetto.Rook:
		return orthogonal
	case fianchetto.Queen:
		return diagonal || orthogonal
	}
	return piece.Type() == fianchetto.King && far == 1
}

// Difference describes a difference, or is "".
type Difference string

// Fail reports a difference and ends the check of the node.
func Fail(format string, args ...any) { panic(Difference(fmt.Sprintf(format, args...))) }

const patience = time.Minute

// try runs a check and returns its difference. Any other panic also becomes a difference. A check
// that does not end stops the program.
func try(where func() string, check func()) (found Difference) {
	defer time.AfterFunc(patience, func() {
		fmt.Printf("no answer for %v in %s\nFAIL\n", patience, where())
		os.Exit(1)
	}).Stop()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Difference:
			found = r
		default:
			found = Difference(fmt.Sprintf("panic in %s: %v\n%s", where(), r, debug.Stack()))
		}
	}()
	check()
	return ""
}

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
