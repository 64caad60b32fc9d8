package magic

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// By definition: a square is relevant if a piece there hides another square from the slider.
func TestMaskHoldsTheSquaresThatMatter(t *testing.T) {
	for _, pt := range []bitboard.PieceType{bitboard.Bishop, bitboard.Rook} {
		occupancies := 0
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			open := walk(pt, s, bitboard.Empty)
			var want bitboard.Bitboard
			for square := bitboard.A1; square <= bitboard.H8; square++ {
				if walk(pt, s, square.Bitboard()) != open {
					want = want.With(square)
				}
			}
			if got := Mask(pt, s); got != want {
				t.Errorf("mask of a %v on %v is\n%v\nwant\n%v", pt, s, got, want)
			}
			occupancies += 1 << want.Len()
		}
		t.Logf("%v: %d relevant occupancies", pt, occupancies)
	}
}

func TestOnlySlidersHaveAMask(t *testing.T) {
	for _, pt := range []bitboard.PieceType{bitboard.NoPieceType, bitboard.Pawn, bitboard.Knight, bitboard.Queen, bitboard.King} {
		if got := Mask(pt, bitboard.D4); !got.IsEmpty() {
			t.Errorf("mask of a %v is\n%v", pt, got)
		}
	}
}
