package positions_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// features are the numbers of positions by what they have.
type features map[string]int

// add counts what a position has.
func (f features) add(t *testing.T, fen string) {
	t.Helper()
	b := must.Get(oracle.Parse(fen))(t)
	pieces := 0
	for s := range bitboard.Square(64) {
		if b.PieceAt(s) != bitboard.NoPiece {
			pieces++
		}
	}
	has := map[string]bool{
		"black":               b.SideToMove() == bitboard.Black,
		"check":               b.InCheck(),
		"checkmate":           b.IsCheckmate(),
		"stalemate":           !b.InCheck() && len(b.LegalMoves()) == 0,
		"double push":         b.EnPassant() != bitboard.NoSquare,
		"few pieces":          pieces <= 5,
		"more than 32 pieces": pieces > 32,
	}
	for _, m := range b.PseudoLegalMoves() {
		legal, piece, to := b.IsLegal(m), b.PieceAt(m.From).Type(), b.PieceAt(m.To)
		isKing, isEnPassant := piece == bitboard.King, piece == bitboard.Pawn && m.To == b.EnPassant()
		isCastling := isKing && to.Type() == bitboard.Rook && to.Color() == b.SideToMove()
		for name, shows := range map[string]bool{
			"castling":              isCastling && legal,
			"chess960 castling":     isCastling && legal && m.From.File() != bitboard.FileE,
			"castling out of check": isCastling && b.InCheck(),
			"en passant":            isEnPassant && legal,
			"illegal en passant":    isEnPassant && !legal,
			"promotion":             legal && m.Promotion != bitboard.NoPieceType,
			"pinned":                !legal && !isKing && !isEnPassant && !b.InCheck(),
		} {
			has[name] = has[name] || shows
		}
	}
	for name, shows := range has {
		if shows {
			f[name]++
		}
	}
}

// mustHave fails unless each feature is frequent enough for tests to rely on.
func (f features) mustHave(t *testing.T, least map[string]int) {
	t.Helper()
	for name, least := range least {
		if f[name] < least {
			t.Errorf("%s: %d positions, want %d", name, f[name], least)
		}
	}
	t.Log(f)
}

func TestRandom(t *testing.T) {
	random, found := rand.New(rand.NewPCG(1, 0)), features{}
	for range 10_000 {
		found.add(t, positions.Random(random))
	}
	found.mustHave(t, map[string]int{
		"black": 4000, "check": 3500, "checkmate": 200, "stalemate": 200, "castling": 400, "chess960 castling": 200,
		"castling out of check": 500, "en passant": 500, "illegal en passant": 200, "promotion": 1000,
		"few pieces": 1500, "more than 32 pieces": 300, "pinned": 600,
	})
}

func TestCastlings(t *testing.T) {
	seen, found := map[string]bool{}, features{}
	for fen := range positions.Castlings() {
		if seen[fen] {
			t.Fatalf("%s has been there before", fen)
		}
		seen[fen] = true
		found.add(t, fen)
	}
	if len(seen) != 38_500 {
		t.Errorf("%d positions, want 38,500", len(seen))
	}
	found.mustHave(t, map[string]int{"castling": 20_000, "castling out of check": 4_000})
}
