package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func askedInTests() []questions {
	asked := drawQuestions()
	for i := range asked {
		asked[i].lookups = asked[i].lookups[:64]
	}
	return asked
}

// Pressure may change times, never answers.
func TestSlidersAgreeUnderPressure(t *testing.T) {
	for _, q := range askedInTests() {
		for _, lines := range []int{0, thrashedLines} {
			if err := checkAnswers(sliderPlayers(), q, newPressure(lines)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWrongSliderIsFound(t *testing.T) {
	wrong := sliders.Default()
	wrong.Rook = func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return attacks.Rook(s, occupancy).Without(bitboard.A1)
	}
	players := append(sliderPlayers()[:1], sliderPlayer{"wrong", 0, called(wrong), called(noAlgorithm)})
	_, err := raceSliders(t.Context(), players, askedInTests(), 1)
	if !errors.Is(err, errWrongCount) || !strings.Contains(err.Error(), "wrong:") {
		t.Errorf("error %v, want one that names the wrong algorithm", err)
	}
}
