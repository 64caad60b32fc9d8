package magic

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func TestDefaultLookupEqualsTheWalk(t *testing.T) {
	compared := 0
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		for occupancy := range Mask(bitboard.Rook, s).Subsets() {
			if got, want := Rook(s, occupancy), walk(bitboard.Rook, s, occupancy); got != want {
				t.Fatalf("Rook(%v, %#x) = %#x, the walk gives %#x", s, uint64(occupancy), uint64(got), uint64(want))
			}
			compared++
		}
		for occupancy := range Mask(bitboard.Bishop, s).Subsets() {
			if got, want := Bishop(s, occupancy), walk(bitboard.Bishop, s, occupancy); got != want {
				t.Fatalf("Bishop(%v, %#x) = %#x, the walk gives %#x", s, uint64(occupancy), uint64(got), uint64(want))
			}
			compared++
		}
	}
	if compared != 107648 {
		t.Errorf("compared %d occupancies, want 107648", compared)
	}
}
