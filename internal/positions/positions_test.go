package positions_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// TestRandom counts features of random positions: each must be frequent enough for tests to rely on.
func TestRandom(t *testing.T) {
	const total = 10_000
	random := rand.New(rand.NewPCG(1, 0))
	found := map[string]int{}
	for range total {
		fen := positions.Random(random)
		b, err := oracle.Parse(fen)
		if err != nil {
			t.Fatal(err)
		}
		for _, feature := range features(b) {
			found[feature]++
		}
	}
	for feature, least := range map[string]int{
		"black": 4000, "check": 3500, "checkmate": 200, "stalemate": 200, "castling": 400, "chess960 castling": 200,
		"castling out of check": 500, "en passant": 500, "illegal en passant": 200, "promotion": 1000,
		"few pieces": 1500, "more than 32 pieces": 300, "pinned": 600,
	} {
		if found[feature] < least {
			t.Errorf("%s: %d of %d positions, want %d", feature, found[feature], total, least)
		}
	}
	t.Log(found)
}

// features returns the names of the features of a position.
func features(b oracle.Board) (names []string) {
	add := func(condition bool, name string) {
		if condition {
			names = append(names, name)
		}
	}
	pieces := 0
	for s := range bitboard.Square(64) {
		if b.PieceAt(s) != bitboard.NoPiece {
			pieces++
		}
	}
	add(b.SideToMove() == bitboard.Black, "black")
	add(b.InCheck(), "check")
	add(b.IsCheckmate(), "checkmate")
	add(b.IsStalemate(), "stalemate")
	add(pieces <= 5, "few pieces")
	add(pieces > 32, "more than 32 pieces")
	var castling, chess960, illegalCastling, enPassant, illegalEnPassant, promotion, pinned bool
	for _, m := range b.PseudoLegalMoves() {
		legal, to := b.IsLegal(m), b.PieceAt(m.To)
		isCastling := b.PieceAt(m.From).Type() == bitboard.King && to.Type() == bitboard.Rook &&
			to.Color() == b.SideToMove()
		isEnPassant := b.PieceAt(m.From).Type() == bitboard.Pawn && m.To == b.EnPassant()
		castling = castling || isCastling && legal
		chess960 = chess960 || isCastling && legal && m.From.File() != bitboard.FileE
		illegalCastling = illegalCastling || isCastling && b.InCheck()
		enPassant = enPassant || isEnPassant && legal
		illegalEnPassant = illegalEnPassant || isEnPassant && !legal
		promotion = promotion || legal && m.Promotion != bitboard.NoPieceType
		pinned = pinned || !legal && b.PieceAt(m.From).Type() != bitboard.King && !isEnPassant && !b.InCheck()
	}
	add(castling, "castling")
	add(chess960, "chess960 castling")
	add(illegalCastling, "castling out of check")
	add(enPassant, "en passant")
	add(illegalEnPassant, "illegal en passant")
	add(promotion, "promotion")
	add(pinned, "pinned")
	return names
}

func TestCastlings(t *testing.T) {
	seen := map[string]bool{}
	castlings, checks := 0, 0
	for fen := range positions.Castlings() {
		b, err := oracle.Parse(fen)
		if err != nil || seen[fen] {
			t.Fatalf("%s: %v, seen before: %v", fen, err, seen[fen])
		}
		seen[fen] = true
		for _, feature := range features(b) {
			switch feature {
			case "castling":
				castlings++
			case "castling out of check":
				checks++
			}
		}
	}
	if len(seen) != 38_500 || castlings < 20_000 || checks < 4_000 {
		t.Errorf("%d positions, %d with a legal castling, %d with one out of check", len(seen), castlings, checks)
	}
}

// TestSmall counts the positions with one king on a square: those of all squares are 3,962,680.
func TestSmall(t *testing.T) {
	count := 0
	for range positions.Small(bitboard.E1) {
		count++
	}
	if count != 64_346 {
		t.Errorf("%d positions with the king on e1, want 64,346", count)
	}
}

func TestRandomSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	found := map[string]int{}
	for range 10_000 {
		fen := positions.RandomSmall(random)
		b, err := oracle.Parse(fen)
		if err != nil {
			t.Fatal(err)
		}
		for _, feature := range append(features(b), "any") {
			found[feature]++
		}
		if b.EnPassant() != bitboard.NoSquare {
			found["double push"]++
		}
	}
	if found["castling"] < 20 || found["double push"] < 100 || found["check"] < 500 {
		t.Errorf("too few of a feature: %v", found)
	}
}
