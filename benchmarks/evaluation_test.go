package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// A position and its mirror image with colours exchanged are as good for either side.
func TestEvaluationIsSymmetric(t *testing.T) {
	scores := 0
	for _, w := range shallow() {
		pos := fianchetto.MustParseFEN(w.fen)
		flipped := pos.FlipColors()
		got, want := evaluate(&flipped), -evaluate(&pos)
		if got != want {
			t.Errorf("%s with colours exchanged: %d, want %d", w.name, got, want)
		}
		scores |= got
	}
	if scores == 0 {
		t.Error("no position is better for one side")
	}
}
