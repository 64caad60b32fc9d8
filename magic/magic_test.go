package magic

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// By definition: a square is relevant if a piece there hides another square from the slider.
func TestMaskHoldsTheSquaresThatMatter(t *testing.T) {
	for pt := range bitboard.King + 1 {
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

func TestVerifySeesAWrongFactor(t *testing.T) {
	numbers := VariableNumbers()
	numbers[77].Factor = 0 // sends all 1024 occupancies to one slot, where the first stays
	collisions, err := Verify(numbers)
	if err != nil || len(collisions) != 1023 {
		t.Fatalf("Verify = %d collisions, %v; want 1023", len(collisions), err)
	}
	for _, c := range collisions {
		if c.Magic.Square != numbers[77].Square || c.Magic.Piece != numbers[77].Piece {
			t.Fatalf("collision at %v, of which nothing was changed", c.Magic)
		}
		if c.Attacks != walk(c.Magic.Piece, c.Magic.Square, c.Occupancy) || c.Attacks == c.Found {
			t.Fatalf("%#x and %#x do not collide", uint64(c.Attacks), uint64(c.Found))
		}
	}
}

// Each number is sound by itself; it is the overlap that must be refused.
func TestVerifySeesWindowsInEachOthersWay(t *testing.T) {
	numbers := Numbers()
	numbers[100].Start = numbers[101].Start
	if collisions, err := Verify(numbers); err != nil || len(collisions) == 0 {
		t.Errorf("Verify = %v, %v; want collisions", collisions, err)
	}
}

func TestVerifyRefusesWhatIsNotAMagic(t *testing.T) {
	sound := Numbers()[0]
	tests := []struct {
		field string
		spoil func(*Magic)
	}{
		{"piece", func(m *Magic) { m.Piece = bitboard.Knight }},
		{"square", func(m *Magic) { m.Square = bitboard.NoSquare }},
		{"shift", func(m *Magic) { m.Shift = minShift - 1 }},
		{"shift", func(m *Magic) { m.Shift = 64 }},
		{"start", func(m *Magic) { m.Start = -1 }},
	}
	for _, tt := range tests {
		m := sound
		tt.spoil(&m)
		_, err := Verify([]Magic{sound, m})
		if err == nil || !strings.HasPrefix(err.Error(), "number 1: magic: "+tt.field) {
			t.Errorf("Verify of %v with another %s gives error %v", m, tt.field, err)
		}
	}
}
