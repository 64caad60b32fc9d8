package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/magic"
)

func TestPackLeavesNoCollisions(t *testing.T) {
	numbers := append(magic.Numbers(), magic.VariableNumbers()...)
	windows := pack(numbers)
	for i, w := range windows {
		if w.Magic != numbers[i] {
			t.Fatalf("window %d is for %v, want %v", i, w.Magic, numbers[i])
		}
	}
	report, err := magic.VerifyTable(windows)
	if want := "256 magics, 215296 occupancies, 0 collisions"; err != nil || report.String() != want {
		t.Errorf("VerifyTable = %v, %v; want %s", report, err, want)
	}
}

// The committed places are those that pack gives today.
func TestPackPlacesTheChosenNumbersWhereTheyAre(t *testing.T) {
	committed := magic.Windows()
	for i, w := range pack(magic.Numbers()) {
		if w != committed[i] {
			t.Errorf("%v starts at slot %d, committed is %d", w.Magic, w.Start, committed[i].Start)
		}
	}
}
