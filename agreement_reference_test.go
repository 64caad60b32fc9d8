package fianchetto_test

import (
	"slices"
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestPerftAgreesWithReferenceLibrary compares whole counts with dragontoothmg's own.
func TestPerftAgreesWithReferenceLibrary(t *testing.T) {
	t.Parallel()
	var compared uint64
	for _, c := range suites.Cases("published") {
		reference, pos := dragontoothmg.ParseFen(c.FEN), fianchetto.MustParseFEN(c.FEN)
		for _, count := range c.Counts {
			if count.Nodes > 5e6 {
				continue
			}
			want := uint64(dragontoothmg.Perft(&reference, count.Depth))
			if got, err := perft.Count(pos, count.Depth); got != want || err != nil {
				t.Errorf("%s depth %d: %d leaves, %v, the reference library counts %d", c.FEN, count.Depth, got, err, want)
			}
			compared += want
		}
	}
	t.Logf("%d leaves compared", compared)
}

// TestImpossibleCastling records a difference: the reference library castles with a missing rook if the FEN claims the right.
// ParseFEN refuses such a FEN.
func TestImpossibleCastling(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"
	reference := dragontoothmg.ParseFen(fen)
	moves := reference.GenerateLegalMoves()
	if !slices.ContainsFunc(moves, func(m dragontoothmg.Move) bool { return m.String() == "e1g1" }) {
		t.Errorf("the reference library no longer castles without a rook: %v", moves)
	}
	if _, err := fianchetto.ParseFEN(fen); err == nil {
		t.Errorf("%s was accepted", fen)
	}
}
