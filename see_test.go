package fianchetto_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// slowExchange is the exchange by its definition: every capture is a legal move of the oracle's.
type slowExchange struct {
	values  fianchetto.PieceValues
	target  fianchetto.Square
	flipped fianchetto.Square // 56 if the side that began plays down the board
}

// begun returns what a move wins, given all that may follow on its target.
func (x *slowExchange) begun(b *oracle.Board, m oracle.Move) int {
	won := x.values[b.PieceAt(m.To).Type()]
	if b.PieceAt(m.From).Type() == fianchetto.Pawn && m.From.File() != m.To.File() {
		won = max(won, x.values[fianchetto.Pawn]) // en passant takes from an empty square
	}
	if m.Promotion != fianchetto.NoPieceType {
		won += x.values[m.Promotion] - x.values[fianchetto.Pawn]
	}
	next := b.Apply(m)
	return won - x.answer(&next)
}

// answer returns what taking back on the target wins the side to move, nothing if it stops.
func (x *slowExchange) answer(b *oracle.Board) int {
	var least oracle.Move
	leastRank := 1 << 10
	for _, m := range b.LegalMoves() {
		if m.To != x.target || b.PieceAt(m.To) == fianchetto.NoPiece || b.PieceAt(m.To).Color() == b.SideToMove() ||
			m.Promotion != fianchetto.NoPieceType && m.Promotion != fianchetto.Queen {
			continue
		}
		if rank := int(b.PieceAt(m.From).Type())<<6 + int(m.From^x.flipped); rank < leastRank {
			least, leastRank = m, rank
		}
	}
	if leastRank == 1<<10 {
		return 0
	}
	return max(0, x.begun(b, least))
}

// slowSEE is the static exchange evaluation of a legal move, by definition.
func slowSEE(n *node, m fianchetto.Move, values fianchetto.PieceValues) int {
	if m.Kind() == fianchetto.Castling {
		return 0
	}
	x := slowExchange{values, m.To(), fianchetto.Square(56 * n.pos.SideToMove())}
	return x.begun(&n.slow, slowMove(m))
}

// checkSEE compares the exchanges of all moves of a node.
func checkSEE(t *testing.T, n *node, counts map[string]int) {
	t.Helper()
	own := fianchetto.PieceValues{fianchetto.Pawn: 82, fianchetto.Knight: 337, fianchetto.Bishop: 365, fianchetto.Rook: 477, fianchetto.Queen: 1025}
	for _, m := range n.moves {
		want := slowSEE(n, m, fianchetto.StandardValues())
		if got := n.pos.SEE(m); got != want {
			t.Fatalf("%v: SEE(%v) is %d, want %d", n.pos, m, got, want)
		}
		for _, threshold := range []int{want - 100, want - 1, want, want + 1, want + 100, 0} {
			if got := n.pos.SEEAtLeast(m, threshold); got != (want >= threshold) {
				t.Fatalf("%v: SEEAtLeast(%v, %d) is %v, SEE is %d", n.pos, m, threshold, got, want)
			}
		}
		if got, want := own.SEE(&n.pos, m), slowSEE(n, m, own); got != want {
			t.Fatalf("%v: SEE(%v) by own values is %d, want %d", n.pos, m, got, want)
		}
		switch {
		case want > 0:
			counts["winning"]++
		case want < 0:
			counts["losing"]++
		default:
			counts["even"]++
		}
	}
}

func TestSEEAgreesWithOracle(t *testing.T) {
	t.Parallel()
	counts := make(map[string]int)
	cases := suites(t)
	for i, c := range cases {
		if i%4 != 0 && thoroughness == 1 {
			continue
		}
		n := newNode(t, c.FEN)
		checkSEE(t, &n, counts)
	}
	for game := range breadth(60) {
		random := rand.New(rand.NewPCG(7, uint64(game)))
		n := newNode(t, cases[random.IntN(len(cases))].FEN)
		for range 60 {
			if len(n.moves) == 0 {
				break
			}
			checkSEE(t, &n, counts)
			n = n.after(n.moves[random.IntN(len(n.moves))])
		}
	}
	t.Logf("moves compared: %v", counts)
	if min(counts["winning"], counts["losing"], counts["even"]) < 1000 {
		t.Errorf("too few of a sort: %v", counts)
	}
}

func BenchmarkSEE(b *testing.B) {
	captures := middlegameCaptures(b)
	b.Run("full", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			c := &captures[i%len(captures)]
			c.pos.SEE(c.move)
		}
	})
	b.Run("threshold", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			c := &captures[i%len(captures)]
			c.pos.SEEAtLeast(c.move, 0)
		}
	})
}

type capture struct {
	pos  fianchetto.Position
	move fianchetto.Move
}

func middlegameCaptures(b *testing.B) (captures []capture) {
	for _, c := range suites(b) {
		p := fianchetto.MustParseFEN(c.FEN)
		if p.Occupancy().Len() < 20 || p.Occupancy().Len() > 32 {
			continue
		}
		for _, m := range p.AppendLegal(nil) {
			if p.PieceAt(m.To()) != fianchetto.NoPiece && m.Kind() != fianchetto.Castling {
				captures = append(captures, capture{p, m})
			}
		}
	}
	b.Logf("%d captures", len(captures))
	return captures
}
