package search

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// A position and its mirror image with colours exchanged are as good for either side.
func TestEvaluationIsSymmetric(t *testing.T) {
	scores := 0
	for _, fen := range suites.FENs() {
		pos := fianchetto.MustParseFEN(fen)
		flipped := pos.FlipColors()
		got, want := Evaluate(&flipped), -Evaluate(&pos)
		if got != want {
			t.Errorf("%s with colours exchanged: %d, want %d", fen, got, want)
		}
		scores |= got
	}
	if scores == 0 {
		t.Error("no position is better for one side")
	}
}

// TestAtLeast compares exchanges of noisy moves with those of the library.
func TestAtLeast(t *testing.T) {
	sameTypes := "r3k2r/p1ppqpb1/Bn4p1/3p4/1p2P3/2N1n2p/PPPB1PPP/R3K2R w KQkq - 0 4" // which knight recaptures decides
	for _, fen := range append(suites.FENs(), sameTypes) {
		pos := fianchetto.MustParseFEN(fen)
		sets := Sets{Colors: [2]fianchetto.Bitboard{pos.ByColor(fianchetto.White), pos.ByColor(fianchetto.Black)}}
		for piece := fianchetto.Pawn; piece <= fianchetto.King; piece++ {
			sets.Types[piece] = pos.ByType(piece)
		}
		for _, m := range pos.AppendNoisy(nil) {
			e := Exchange{pos.SideToMove(), m.From(), m.To(), m.Piece(), pos.Captured(m), m.Kind() == fianchetto.EnPassant}
			if m.IsPromotion() {
				if e.Piece = m.Promotion(); e.Piece != fianchetto.Queen {
					continue
				}
			}
			for threshold := -900; threshold <= 900; threshold += 50 {
				if got, want := sets.AtLeast(e, threshold), pos.SEEAtLeast(m, threshold); got != want {
					t.Fatalf("%s: %v at least %d: %v, want %v", fen, m, threshold, got, want)
				}
			}
		}
	}
}
