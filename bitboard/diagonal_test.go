package bitboard

import (
	"slices"
	"testing"
)

// The wiki's tables of the enumerations, rank 8 first as printed.

var rankMinusFile = [8][8]int{
	{7, 6, 5, 4, 3, 2, 1, 0},
	{6, 5, 4, 3, 2, 1, 0, -1},
	{5, 4, 3, 2, 1, 0, -1, -2},
	{4, 3, 2, 1, 0, -1, -2, -3},
	{3, 2, 1, 0, -1, -2, -3, -4},
	{2, 1, 0, -1, -2, -3, -4, -5},
	{1, 0, -1, -2, -3, -4, -5, -6},
	{0, -1, -2, -3, -4, -5, -6, -7},
}

var sevenPlusRankMinusFile = [8][8]int{
	{14, 13, 12, 11, 10, 9, 8, 7},
	{13, 12, 11, 10, 9, 8, 7, 6},
	{12, 11, 10, 9, 8, 7, 6, 5},
	{11, 10, 9, 8, 7, 6, 5, 4},
	{10, 9, 8, 7, 6, 5, 4, 3},
	{9, 8, 7, 6, 5, 4, 3, 2},
	{8, 7, 6, 5, 4, 3, 2, 1},
	{7, 6, 5, 4, 3, 2, 1, 0},
}

var rankMinusFileAnd15 = [8][8]int{
	{7, 6, 5, 4, 3, 2, 1, 0},
	{6, 5, 4, 3, 2, 1, 0, 15},
	{5, 4, 3, 2, 1, 0, 15, 14},
	{4, 3, 2, 1, 0, 15, 14, 13},
	{3, 2, 1, 0, 15, 14, 13, 12},
	{2, 1, 0, 15, 14, 13, 12, 11},
	{1, 0, 15, 14, 13, 12, 11, 10},
	{0, 15, 14, 13, 12, 11, 10, 9},
}

// printedAt reads a table at s.
func printedAt(table [8][8]int, s Square) int { return table[Rank8-s.Rank()][s.File()] }

func TestDiagonalEnumerations(t *testing.T) {
	for s := range allSquares {
		d := s.Diagonal()
		for _, e := range []struct {
			name      string
			got, want int
			back      Diagonal
		}{
			{"7+rank-file", d.Index(), printedAt(sevenPlusRankMinusFile, s), Diagonal(d.Index())},
			{"rank-file", d.Offset(), printedAt(rankMinusFile, s), Diagonal(7 + d.Offset())},
			{"(rank-file)&15", d.Nexus(), printedAt(rankMinusFileAnd15, s), Diagonal((7 + d.Nexus()) & 15)},
		} {
			if e.got != e.want {
				t.Errorf("%s of %v is %d, want %d", e.name, s, e.got, e.want)
			}
			if e.back != d {
				t.Errorf("%s = %d is %v, want %v", e.name, e.got, e.back, d)
			}
		}
	}
}

func TestDiagonalSquares(t *testing.T) { checkSquaresOf(t, Square.Diagonal, NorthEast, 9) }

// checkSquaresOf holds diagonals or anti-diagonals to covering the board, each by squares a step apart.
func checkSquaresOf[D interface {
	~uint8
	Mask() Bitboard
	Offset() int
}](t *testing.T, of func(Square) D, step Direction, apart Square) {
	t.Helper()
	covered := Empty
	for d := range D(15) {
		if !covered.IsDisjoint(d.Mask()) || d.Mask().Len() != 8-max(d.Offset(), -d.Offset()) {
			t.Errorf("%v: squares\n%v", d, d.Mask())
		}
		covered |= d.Mask()

		squares := slices.Collect(d.Mask().Squares())
		for i, s := range squares {
			if of(s) != d {
				t.Errorf("%v has %v, which is on %v", d, s, of(s))
			}
			if i > 0 && s.Bitboard() != squares[i-1].Bitboard().Shift(step) {
				t.Errorf("%v steps from %v to %v", d, squares[i-1], s)
			}
			if i > 0 && s != squares[i-1]+apart {
				t.Errorf("%v steps from %v to %v, want %d squares", d, squares[i-1], s, apart)
			}
		}
	}
	if covered != Full {
		t.Errorf("all together cover\n%v", covered)
	}
	if d := D(15); d.Mask() != Empty {
		t.Errorf("%v has squares\n%v", d, d.Mask())
	}
}

// Even is dark for rank - file and its nexus form, odd is dark for 7 + rank - file.
func TestDiagonalColorByParity(t *testing.T) {
	for d := range Diagonal(15) {
		dark := d.Mask().IsSubset(DarkSquares)
		if !dark && !d.Mask().IsSubset(LightSquares) {
			t.Errorf("%v has both colours", d)
		}
		if even := d.Offset()%2 == 0; even != dark {
			t.Errorf("%v: offset %d, dark %v", d, d.Offset(), dark)
		}
		if even := d.Nexus()%2 == 0; even != dark {
			t.Errorf("%v: nexus %d, dark %v", d, d.Nexus(), dark)
		}
		if odd := d.Index()%2 == 1; odd != dark {
			t.Errorf("%v: index %d, dark %v", d, d.Index(), dark)
		}
	}
}

func TestMainDiagonal(t *testing.T) {
	d := A1.Diagonal()
	if d.String() != "a1/h8" || d.Offset() != 0 || d.Nexus() != 0 || d != H8.Diagonal() {
		t.Errorf("%v: offset %d, nexus %d", d, d.Offset(), d.Nexus())
	}
	if got := A8.Diagonal(); got.Offset() != 7 || got.String() != "a8/" {
		t.Errorf("a8 lies on %v, offset %d", got, got.Offset())
	}
	if got := H1.Diagonal(); got.Offset() != -7 || got.String() != "h1/" {
		t.Errorf("h1 lies on %v, offset %d", got, got.Offset())
	}
}

// Flipping the board exchanges the roles of diagonals and anti-diagonals.
func TestFlippingMakesDiagonalsAntiDiagonals(t *testing.T) {
	for d := range Diagonal(15) {
		a := AntiDiagonal(7 - d.Offset())
		if d.Mask().FlipVertical() != a.Mask() {
			t.Errorf("%v flipped is not %v", d, a)
		}
		if d.Nexus() != a.Nexus() {
			t.Errorf("%v has nexus %d, %v has %d", d, d.Nexus(), a, a.Nexus())
		}
	}
}
