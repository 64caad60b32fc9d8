package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/magic"
)

func TestPackLeavesNoCollisions(t *testing.T) {
	numbers := append(magic.Numbers(), magic.VariableNumbers()...)
	pack(numbers)
	report, err := magic.VerifyTable(numbers)
	if want := "256 magics, 215296 occupancies, 0 collisions"; err != nil || report.String() != want {
		t.Errorf("VerifyTable = %v, %v; want %s", report, err, want)
	}
}

// The committed places are those that pack gives today.
func TestPackPlacesTheChosenNumbersWhereTheyAre(t *testing.T) {
	packed := magic.Numbers()
	pack(packed)
	for i, m := range magic.Numbers() {
		if packed[i] != m {
			t.Errorf("%v starts at slot %d, committed is %d", m, packed[i].Start, m.Start)
		}
	}
}
