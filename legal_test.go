package fianchetto_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// TestLegalityOfAnyValue asks for each of the 65,536 values a Move can have whether it is legal and whether it is
// pseudo-legal, and compares with the oracle's lists: in the positions of the suites, and in random games from them.
func TestLegalityOfAnyValue(t *testing.T) {
	t.Parallel()
	const plies = 2 * thoroughness
	positions := 0
	for i, c := range suites(t) {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		n := newNode(t, c.FEN)
		for range plies {
			n.checkLegality(t)
			positions++
			if len(n.moves) == 0 {
				break
			}
			for range 1 + random.IntN(8) { // on to a position that has little to do with this one
				if len(n.moves) > 0 {
					n = n.after(n.moves[random.IntN(len(n.moves))])
				}
			}
		}
	}
	t.Logf("%d positions, 65536 values each", positions)
}

// checkLegality compares what is said of each value of a Move with the oracle.
func (n *node) checkLegality(t *testing.T) {
	t.Helper()
	legal, pseudoLegal := n.values(n.slow.LegalMoves()), n.values(n.slow.PseudoLegalMoves())
	for value := range 1 << 16 {
		m := fianchetto.Move(value)
		if got := n.pos.IsLegal(m); got != legal[m] {
			t.Fatalf("%v: IsLegal(%v, kind %d) is %v", n.pos, m, m.Kind(), got)
		}
		if got := n.pos.IsPseudoLegal(m); got != pseudoLegal[m] {
			t.Fatalf("%v: IsPseudoLegal(%v, kind %d) is %v", n.pos, m, m.Kind(), got)
		}
	}
}

// values says of each value of a Move whether it is one of the oracle's moves.
func (n *node) values(moves []oracle.Move) *[1 << 16]bool {
	var among [1 << 16]bool
	for _, m := range moves {
		among[fianchetto.NewMove(m.From, m.To, n.kindOf(m))] = true
	}
	return &among
}

// kindOf returns the kind of one of the oracle's moves, which does without.
func (n *node) kindOf(m oracle.Move) fianchetto.MoveKind {
	man, ranks := n.slow.PieceAt(m.From), int(m.To.Rank())-int(m.From.Rank())
	switch {
	case m.Promotion != fianchetto.NoPieceType:
		return fianchetto.PromoteKnight + fianchetto.MoveKind(m.Promotion-fianchetto.Knight)
	case man.Type() == fianchetto.Pawn && (ranks == 2 || ranks == -2):
		return fianchetto.DoublePush
	case man.Type() == fianchetto.Pawn && m.From.File() != m.To.File() && n.slow.PieceAt(m.To) == fianchetto.NoPiece:
		return fianchetto.EnPassant
	case man.Type() == fianchetto.King && n.slow.PieceAt(m.To) == bitboard.PieceOf(man.Color(), fianchetto.Rook):
		return fianchetto.Castling
	}
	return map[fianchetto.PieceType]fianchetto.MoveKind{
		fianchetto.Pawn:   fianchetto.PawnMove,
		fianchetto.Knight: fianchetto.KnightMove,
		fianchetto.Bishop: fianchetto.BishopMove,
		fianchetto.Rook:   fianchetto.RookMove,
		fianchetto.Queen:  fianchetto.QueenMove,
		fianchetto.King:   fianchetto.KingMove,
	}[man.Type()]
}

// TestPieceOfMove compares what a move says with what stands on the board.
func TestPieceOfMove(t *testing.T) {
	for _, c := range suites(t) {
		n := newNode(t, c.FEN)
		for _, m := range n.moves {
			if got := n.pos.PieceAt(m.From()); got.Type() != m.Piece() || got.Color() != n.pos.SideToMove() {
				t.Fatalf("%v: %v moves a %v, %v stands there", n.pos, m, m.Piece(), got)
			}
		}
	}
}

func TestLegalMovesStopsEarly(t *testing.T) {
	p := fianchetto.StartPosition()
	seen := 0
	for range p.LegalMoves() {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Fatalf("saw %d moves", seen)
	}
}

// TestAppendLegalGrows lets the list grow: an accepted position may have more moves than any list an engine
// keeps.
func TestAppendLegalGrows(t *testing.T) {
	p := fianchetto.MustParseFEN("KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1")
	before := []fianchetto.Move{fianchetto.NewMove(0, 1, fianchetto.KingMove)}
	if moves := p.AppendLegal(before); len(moves) != 264 || moves[0] != before[0] {
		t.Fatalf("%d moves after one that was there, want 263", len(moves)-1)
	}
}

func TestMoveString(t *testing.T) {
	for _, test := range []struct {
		move fianchetto.Move
		want string
	}{
		{fianchetto.NoMove, "0000"},
		{fianchetto.NewMove(12, 28, fianchetto.DoublePush), "e2e4"},
		{fianchetto.NewMove(52, 60, fianchetto.PromoteKnight), "e7e8n"},
		{fianchetto.NewMove(52, 60, fianchetto.PromoteQueen), "e7e8q"},
		{fianchetto.NewMove(4, 7, fianchetto.Castling), "e1g1"},
		{fianchetto.NewMove(60, 56, fianchetto.Castling), "e8c8"},
		{fianchetto.NewMove(5, 6, fianchetto.Castling), "f1g1"},
		{fianchetto.NewMove(4, 5, fianchetto.KingMove), "e1f1"},
	} {
		if got := test.move.String(); got != test.want {
			t.Errorf("%#04x is %s, want %s", uint16(test.move), got, test.want)
		}
	}
}

func TestNull(t *testing.T) {
	for _, test := range []struct{ fen, want string }{
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 10"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 65535 65535", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 65535 65535"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		if got := p.Null(); got != fianchetto.MustParseFEN(test.want) {
			t.Errorf("%s: a null move gives %v, want %s", test.fen, got, test.want)
		}
	}
}

// TestClocks plays moves of each sort and compares the whole position with one read from text.
func TestClocks(t *testing.T) {
	for _, test := range []struct{ fen, move, want string }{
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 7 3", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 3"},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 7 3", "e1d1", "4k3/8/8/8/8/8/4P3/3K4 b - - 8 3"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 3", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 8 4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 3", "a8a1", "4k2r/8/8/8/8/8/8/r3K2R w Kk - 0 4"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 3"},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 65535 65535", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - - 65535 65535"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m, err := p.ParseUCI(test.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.After(m); got != fianchetto.MustParseFEN(test.want) {
			t.Errorf("%s: %s gives %v, want %s", test.fen, test.move, got, test.want)
		}
	}
}
