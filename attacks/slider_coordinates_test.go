package attacks

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// In the article a coordinate is valid from 1 to 7. That loses every attack on the h-file or the
// eighth rank: 105 of the bishop's 560 and 210 of the rook's 896 on the empty board.
func TestCoordinatesUpToSevenLoseSquares(t *testing.T) {
	tests := []struct {
		name       string
		rays       func(s bitboard.Square, occupancy bitboard.Bitboard, last int) bitboard.Bitboard
		all, upTo7 int
	}{
		{"bishop", reflections, 560, 455},
		{"rook", axes, 896, 686},
	}
	beyond := bitboard.FileHMask | bitboard.Rank8Mask
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, upTo7 := 0, 0
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				right, text := tt.rays(s, bitboard.Empty, 8), tt.rays(s, bitboard.Empty, 7)
				if text != right&^beyond {
					t.Errorf("from %v the text's range gives %v, want %v", s, text, right&^beyond)
				}
				all, upTo7 = all+right.Len(), upTo7+text.Len()
			}
			if all != tt.all || upTo7 != tt.upTo7 {
				t.Errorf("%d attacks, %d with coordinates up to 7; want %d and %d", all, upTo7, tt.all, tt.upTo7)
			}
		})
	}
}

// The text's own example, with d5 = (4, 5) as its result demands.
func TestCoordinatesExample(t *testing.T) {
	diagonal := trace(bitboard.D5, bitboard.Empty, 8, func(x int) point { return point{x, f(x)} })
	if want := bitboard.BitboardOf(bitboard.E6, bitboard.F7, bitboard.G8); diagonal != want {
		t.Errorf("first diagonal from d5:\n%v\nwant\n%v", diagonal, want)
	}
	swapped := trace(bitboard.E4, bitboard.Empty, 8, func(x int) point { return point{x, f(x)} })
	if want := bitboard.BitboardOf(bitboard.F5, bitboard.G6, bitboard.H7); swapped != want {
		t.Errorf("(5, 4) is e4, whose first diagonal is\n%v\nwant\n%v", swapped, want)
	}
}
