package bitboard

import (
	"slices"
	"testing"
)

// The wiki's tables of the enumerations, rank 8 first as printed.

var rankPlusFile = [8][8]int{
	{7, 8, 9, 10, 11, 12, 13, 14},
	{6, 7, 8, 9, 10, 11, 12, 13},
	{5, 6, 7, 8, 9, 10, 11, 12},
	{4, 5, 6, 7, 8, 9, 10, 11},
	{3, 4, 5, 6, 7, 8, 9, 10},
	{2, 3, 4, 5, 6, 7, 8, 9},
	{1, 2, 3, 4, 5, 6, 7, 8},
	{0, 1, 2, 3, 4, 5, 6, 7},
}

var rankPlusFileXor7 = [8][8]int{
	{0, 15, 14, 13, 12, 11, 10, 9},
	{1, 0, 15, 14, 13, 12, 11, 10},
	{2, 1, 0, 15, 14, 13, 12, 11},
	{3, 2, 1, 0, 15, 14, 13, 12},
	{4, 3, 2, 1, 0, 15, 14, 13},
	{5, 4, 3, 2, 1, 0, 15, 14},
	{6, 5, 4, 3, 2, 1, 0, 15},
	{7, 6, 5, 4, 3, 2, 1, 0},
}

func TestAntiDiagonalEnumerations(t *testing.T) {
	for s := range allSquares {
		a := s.AntiDiagonal()
		for _, e := range []struct {
			name      string
			got, want int
			from      func(int) (AntiDiagonal, bool)
		}{
			{"rank+file", a.Index(), printedAt(rankPlusFile, s), AntiDiagonalFromIndex},
			{"7-rank-file", a.Offset(), 7 - int(s.Rank()) - int(s.File()), AntiDiagonalFromOffset},
			{"(rank+file)^7", a.Nexus(), printedAt(rankPlusFileXor7, s), AntiDiagonalFromNexus},
			{"(7-rank-file)&15", a.Offset() & 15, printedAt(rankPlusFileXor7, s), AntiDiagonalFromNexus},
		} {
			if e.got != e.want {
				t.Errorf("%s of %v is %d, want %d", e.name, s, e.got, e.want)
			}
			if back, ok := e.from(e.got); !ok || back != a {
				t.Errorf("%s = %d is %v, %v, want %v", e.name, e.got, back, ok, a)
			}
		}
	}
}

func TestAntiDiagonalNumbersThatAreNone(t *testing.T) {
	for _, n := range numbersNearAndFar() {
		if _, ok := AntiDiagonalFromIndex(n); ok != (0 <= n && n <= 14) {
			t.Errorf("rank+file = %d: %v", n, ok)
		}
		if _, ok := AntiDiagonalFromOffset(n); ok != (-7 <= n && n <= 7) {
			t.Errorf("7-rank-file = %d: %v", n, ok)
		}
		if _, ok := AntiDiagonalFromNexus(n); ok != (0 <= n && n <= 15 && n != 8) {
			t.Errorf("(rank+file)^7 = %d: %v", n, ok)
		}
	}
}

func TestAntiDiagonalSquares(t *testing.T) {
	covered := Empty
	for a := range AntiDiagonal(15) {
		if !a.IsValid() || !covered.IsDisjoint(a.Mask()) || a.Len() != a.Mask().Len() {
			t.Errorf("%v: length %d, squares\n%v", a, a.Len(), a.Mask())
		}
		covered |= a.Mask()

		squares := slices.Collect(a.Squares())
		if len(squares) != a.Len() {
			t.Errorf("%v has %v, want %d squares", a, squares, a.Len())
		}
		for i, s := range squares {
			if s.AntiDiagonal() != a || s.Color() != a.Color() {
				t.Errorf("%v of colour %v has %v on %v of colour %v", a, a.Color(), s, s.AntiDiagonal(), s.Color())
			}
			if i > 0 && s.Bitboard() != squares[i-1].Bitboard().Shift(NorthWest) {
				t.Errorf("%v steps from %v to %v", a, squares[i-1], s)
			}
			if i > 0 && s != squares[i-1]+7 {
				t.Errorf("%v steps from %v to %v, not by seven", a, squares[i-1], s)
			}
		}
	}
	if covered != Full {
		t.Errorf("the anti-diagonals cover\n%v", covered)
	}
	if a := AntiDiagonal(15); a.IsValid() || a.Mask() != Empty {
		t.Errorf("%v is an anti-diagonal of\n%v", a, a.Mask())
	}
}

// Even is dark for rank + file, and odd for the two that put the light main anti-diagonal at 0.
func TestAntiDiagonalColorByParity(t *testing.T) {
	for a := range AntiDiagonal(15) {
		dark := a.Mask().IsSubset(DarkSquares)
		if !dark && !a.Mask().IsSubset(LightSquares) {
			t.Errorf("%v has both colours", a)
		}
		if even := a.Index()%2 == 0; even != dark {
			t.Errorf("%v: index %d, dark %v", a, a.Index(), dark)
		}
		if odd := a.Offset()%2 != 0; odd != dark {
			t.Errorf("%v: offset %d, dark %v", a, a.Offset(), dark)
		}
		if odd := a.Nexus()%2 == 1; odd != dark {
			t.Errorf("%v: nexus %d, dark %v", a, a.Nexus(), dark)
		}
		if (a.Color() == Black) != dark {
			t.Errorf("%v is %v, dark %v", a, a.Color(), dark)
		}
	}
}

func TestMainAntiDiagonal(t *testing.T) {
	a := MainAntiDiagonal
	if a.Len() != 8 || a.Offset() != 0 || a.Nexus() != 0 || a != H1.AntiDiagonal() || a != A8.AntiDiagonal() {
		t.Errorf("%v: length %d, offset %d, nexus %d", a, a.Len(), a.Offset(), a.Nexus())
	}
	if got := A1.AntiDiagonal(); got.Index() != 0 || got.Len() != 1 || got.String() != `a1\` {
		t.Errorf("a1 lies on %v, index %d, length %d", got, got.Index(), got.Len())
	}
	if got := H8.AntiDiagonal(); got.Index() != 14 || got.Len() != 1 || got.String() != `h8\` {
		t.Errorf("h8 lies on %v, index %d, length %d", got, got.Index(), got.Len())
	}
}
