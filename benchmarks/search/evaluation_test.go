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
