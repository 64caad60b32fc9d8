package main

import (
	"errors"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
)

// Pressure may change times, never answers.
func TestPressureChangesNoAnswer(t *testing.T) {
	lookups := drawLookups(sliderPieces[0])[:64]
	a := sliders.Default()
	want := newPressure(0).ask(a.Bishop, lookups)
	if got := newPressure(64).ask(a.Bishop, lookups); got != want || want == 0 {
		t.Errorf("the sum of all sets is %#x under pressure, want %#x", uint64(got), uint64(want))
	}
}

func TestWrongSliderIsFound(t *testing.T) {
	wrong := func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return attacks.Rook(s, occupancy).Without(bitboard.A1)
	}
	walk := newPressure(0).walk(wrong, attacks.Rook, drawLookups(sliderPieces[1]))
	if _, _, err := walk(0); !errors.Is(err, errWrongCount) {
		t.Errorf("error %v, want a wrong count", err)
	}
}
