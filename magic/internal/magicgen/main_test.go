package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/magic"
)

// Packing the committed numbers again gives their places.
func TestPackPlacesTheChosenNumbersWhereTheyAre(t *testing.T) {
	packed := magic.Numbers()
	pack(packed)
	for i, m := range magic.Numbers() {
		if packed[i] != m {
			t.Errorf("%v starts at slot %d, committed is %d", m, packed[i].Start, m.Start)
		}
	}
}
