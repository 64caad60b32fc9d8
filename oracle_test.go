package fianchetto_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// testFENs returns the positions of the suites, and random ones.
func testFENs() []string {
	fens := suites.FENs()
	random := rand.New(rand.NewPCG(11, 0))
	for range breadth(500) {
		fens = append(fens, positions.Random(random))
	}
	return fens
}

// node is one position as the generator and as the oracle have it.
type node struct {
	pos   fianchetto.Position
	slow  oracle.Board
	moves []fianchetto.Move
}

func newNode(t testing.TB, fen string) node {
	t.Helper()
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := oracle.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return node{pos, slow, pos.AppendLegal(nil)}
}

// breadth is n times testScale, or with -short, which emulated machines are asked for, a fortieth of n.
func breadth(n int) int {
	if testing.Short() {
		return n / 40
	}
	return n * testScale
}

func slowMove(m fianchetto.Move) oracle.Move {
	return oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()}
}

func (n *node) after(m fianchetto.Move) node {
	next := n.pos.After(m)
	return node{next, n.slow.Apply(slowMove(m)), next.AppendLegal(nil)}
}

// check compares all that the generator says of a position with the oracle, or with making the move and looking.
func (n *node) check(t *testing.T) {
	t.Helper()
	n.checkMoves(t)
	n.checkState(t)
	var checks []fianchetto.Move
	for _, m := range n.moves {
		next := n.pos.After(m)
		got, want := n.pos.GivesCheck(m), n.slow.Apply(slowMove(m)).InCheck()
		if got != want || next.InCheck() != want {
			t.Fatalf("%v: %v gives check: %v, after it in check: %v, the oracle says %v", n.pos, m, got, next.InCheck(), want)
		}
		if want {
			checks = append(checks, m)
		}
		if !n.pos.IsLegal(m) {
			t.Fatalf("%v: %v was generated, but is not legal", n.pos, m)
		}
		played := n.pos
		undo := played.Make(m)
		if played != next {
			t.Fatalf("%v: Make(%v) gives %v, After %v", n.pos, m, played, next)
		}
		if played.Unmake(undo); played != n.pos {
			t.Fatalf("%v: Unmake(%v) gives %v", n.pos, m, played)
		}
	}
	n.checkStages(t, checks)
}

func (n *node) checkMoves(t *testing.T) {
	t.Helper()
	var got, want []string
	for _, m := range n.moves {
		got = append(got, slowMove(m).String())
	}
	for _, m := range n.slow.LegalMoves() {
		want = append(want, m.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v:\n got  %v\n want %v", n.pos, got, want)
	}
	if n.pos.CountLegal() != len(want) {
		t.Fatalf("%v: CountLegal is %d, of %d moves", n.pos, n.pos.CountLegal(), len(want))
	}
}

func (n *node) checkState(t *testing.T) {
	t.Helper()
	if n.pos.InCheck() != n.slow.InCheck() || n.pos.IsCheckmate() != n.slow.IsCheckmate() || n.pos.IsStalemate() != n.slow.IsStalemate() {
		t.Fatalf("%v: check, checkmate or stalemate differ from the oracle", n.pos)
	}
	if n.pos.SideToMove() != n.slow.SideToMove() || n.pos.EnPassant() != n.slow.EnPassant() {
		t.Fatalf("%v: side to move or en passant differ from the oracle", n.pos)
	}
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if n.pos.PieceAt(s) != n.slow.PieceAt(s) {
			t.Fatalf("%v: %v on %v, the oracle has %v", n.pos, n.pos.PieceAt(s), s, n.slow.PieceAt(s))
		}
	}
	again, err := fianchetto.ParseFEN(n.pos.FEN())
	if err != nil || again.WithChess960(n.pos.IsChess960()) != n.pos {
		t.Fatalf("%v: read again it is %v, %v", n.pos, again, err)
	}
}

// walk checks a tree down to depth, as many nodes of it as budget has.
func (n *node) walk(t *testing.T, depth int, budget *int) {
	t.Helper()
	if *budget <= 0 {
		return
	}
	*budget--
	n.check(t)
	if depth == 0 {
		return
	}
	for _, m := range n.moves {
		next := n.after(m)
		next.walk(t, depth-1, budget)
	}
}

func TestTreesAgreeWithOracle(t *testing.T) {
	t.Parallel()
	perPosition := breadth(160)
	nodes := 0
	for i, fen := range testFENs() {
		budget := perPosition
		root := newNode(t, fen)
		root.check(t)
		// A walk of its own below each of a few moves, so that the budget is not spent below the first.
		random := rand.New(rand.NewPCG(1, uint64(i)))
		for _, j := range random.Perm(len(root.moves))[:min(4, len(root.moves))] {
			share := perPosition / 4
			next := root.after(root.moves[j])
			next.walk(t, 2, &share)
			budget += share - perPosition/4
		}
		nodes += 1 + perPosition - budget
	}
	t.Logf("%d nodes compared with the oracle", nodes)
}

func TestPlayoutsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	playouts(t, 2, breadth(1500), 120, func(n *node) { n.check(t) })
}

// playouts plays games of random moves from the positions of testFENs, and checks every position on the way.
func playouts(t *testing.T, seed uint64, games, plies int, check func(n *node)) {
	t.Helper()
	fens, nodes := testFENs(), 0
	for game := range games {
		random := rand.New(rand.NewPCG(seed, uint64(game)))
		n := newNode(t, fens[random.IntN(len(fens))])
		for range plies {
			check(&n)
			nodes++
			if len(n.moves) == 0 {
				break
			}
			n = n.after(n.moves[random.IntN(len(n.moves))])
		}
	}
	t.Logf("%d nodes of %d games", nodes, games)
}
