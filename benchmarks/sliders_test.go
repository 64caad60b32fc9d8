package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func askedInTests(t *testing.T) []questions {
	t.Helper()
	asked, err := readQuestions("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		asked[i].lookups = asked[i].lookups[:64]
	}
	return asked
}

// Pressure may change times, never answers.
func TestSlidersAgreeUnderPressure(t *testing.T) {
	for _, q := range askedInTests(t) {
		for _, lines := range []int{0, thrashedLines} {
			if err := checkAnswers(sliderPlayers(), q, newPressure(lines)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWrongSliderIsFound(t *testing.T) {
	wrong := attacks.Default()
	wrong.Rook = func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return attacks.Rook(s, occupancy).Without(bitboard.A1)
	}
	players := append(sliderPlayers()[:1], sliderPlayer{"wrong", 0, called(wrong), called(noAlgorithm)})
	if _, err := raceSliders(t.Context(), players, askedInTests(t), 1); !errors.Is(err, errWrongCount) || !strings.Contains(err.Error(), "wrong:") {
		t.Errorf("error %v, want one that names the wrong algorithm", err)
	}
}

// The report is written with the slider part alone, which is quick.
func TestReportIsSaved(t *testing.T) {
	o, err := raceSliders(t.Context(), sliderPlayers()[3:], askedInTests(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	results := filepath.Join(dir, "results.md")
	if err := (report{[]*table{o.table()}, []picture{o.picture()}}).save(results, filepath.Join(dir, "plots")); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| fixed, inlined |", "](plots/slider-attacks.svg)"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page:\n%s", want, page)
		}
	}
	drawing, err := os.ReadFile(filepath.Join(dir, "plots", "slider-attacks.svg"))
	if err != nil || !strings.Contains(string(drawing), "</svg>") {
		t.Errorf("no drawing: %v", err)
	}
}
