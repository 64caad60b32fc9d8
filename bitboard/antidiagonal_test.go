package bitboard

import "testing"

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
			back      AntiDiagonal
		}{
			{"rank+file", a.Index(), printedAt(rankPlusFile, s), AntiDiagonal(a.Index())},
			{"7-rank-file", a.Offset(), 7 - int(s.Rank()) - int(s.File()), AntiDiagonal(7 - a.Offset())},
			{"(rank+file)^7", a.Nexus(), printedAt(rankPlusFileXor7, s), AntiDiagonal(a.Nexus() ^ 7)},
			{"(7-rank-file)&15", a.Offset() & 15, printedAt(rankPlusFileXor7, s), AntiDiagonal(a.Nexus() ^ 7)},
		} {
			if e.got != e.want {
				t.Errorf("%s of %v is %d, want %d", e.name, s, e.got, e.want)
			}
			if e.back != a {
				t.Errorf("%s = %d is %v, want %v", e.name, e.got, e.back, a)
			}
		}
	}
}

func TestAntiDiagonalSquares(t *testing.T) { checkSquaresOf(t, Square.AntiDiagonal, NorthWest, 7) }

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
	}
}

func TestMainAntiDiagonal(t *testing.T) {
	a := H1.AntiDiagonal()
	if a.String() != `h1\a8` || a.Offset() != 0 || a.Nexus() != 0 || a != A8.AntiDiagonal() {
		t.Errorf("%v: offset %d, nexus %d", a, a.Offset(), a.Nexus())
	}
	if got := A1.AntiDiagonal(); got.Index() != 0 || got.String() != `a1\` {
		t.Errorf("a1 lies on %v, index %d", got, got.Index())
	}
	if got := H8.AntiDiagonal(); got.Index() != 14 || got.String() != `h8\` {
		t.Errorf("h8 lies on %v, index %d", got, got.Index())
	}
}
