package bitboard

import (
	"slices"
	"testing"
)

// allSquares yields the 64 squares in order.
var allSquares = Full.Squares()

// directionsOf gives the two opposite directions along each kind of line.
var directionsOf = map[LineKind][2]Direction{
	RankLine:         {East, West},
	FileLine:         {North, South},
	DiagonalLine:     {NorthEast, SouthWest},
	AntiDiagonalLine: {NorthWest, SouthEast},
}

// walkLine is the definition of a line: s, and what the reference walker passes in both directions.
func walkLine(k LineKind, s Square) Bitboard {
	line := s.Bitboard()
	for _, d := range directionsOf[k] {
		line |= Walk(s, d, Empty)
	}
	return line
}

// everyPair calls check for all 4,096 ordered pairs of squares.
func everyPair(check func(a, b Square)) {
	for a := range allSquares {
		for b := range allSquares {
			check(a, b)
		}
	}
}

func TestThroughIsTheWalkedLine(t *testing.T) {
	for _, k := range LineKinds() {
		for s := range allSquares {
			if got, want := k.Through(s), walkLine(k, s); got != want {
				t.Errorf("%v through %v:\n%v\nwant\n%v", k, s, got, want)
			}
		}
	}
	if got := LineKind(4).Through(E4); got != Empty {
		t.Errorf("a kind that is none goes through\n%v", got)
	}
}

func TestSameLinePredicates(t *testing.T) {
	predicates := map[LineKind]func(a, b Square) bool{
		RankLine:         SameRank,
		FileLine:         SameFile,
		DiagonalLine:     SameDiagonal,
		AntiDiagonalLine: SameAntiDiagonal,
	}
	for k, same := range predicates {
		everyPair(func(a, b Square) {
			if got, want := same(a, b), walkLine(k, a).Has(b); got != want {
				t.Errorf("%v and %v on one %v: %v, want %v", a, b, k, got, want)
			}
		})
	}
}

func TestFillIsTheUnionOfLines(t *testing.T) {
	for _, k := range LineKinds() {
		for _, set := range sampleSets() {
			want := Empty
			for s := range set.Squares() {
				want |= walkLine(k, s)
			}
			if got := k.Fill(set); got != want {
				t.Errorf("%v fill of\n%v\nis\n%v\nwant\n%v", k, set, got, want)
			}
		}
	}
	if got := LineKind(4).Fill(Full); got != Empty {
		t.Errorf("a kind that is none fills\n%v", got)
	}
}

// sampleSets returns the empty set, the full one, every single square and every pair of squares.
func sampleSets() []Bitboard {
	sets := []Bitboard{Empty, Full, DarkSquares, LightSquares}
	everyPair(func(a, b Square) {
		if a <= b {
			sets = append(sets, BitboardOf(a, b))
		}
	})
	return sets
}

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

// walkPair finds by walking from a, in each direction, what lies between a and b and the line that
// joins them.
func walkPair(a, b Square) (between, line Bitboard) {
	for k, directions := range directionsOf {
		for _, d := range directions {
			if passed := Walk(a, d, b.Bitboard()); passed.Has(b) {
				return passed.Without(b), walkLine(k, a)
			}
		}
	}
	return Empty, Empty
}

func TestBetweenAndLineAreWalked(t *testing.T) {
	everyPair(func(a, b Square) {
		between, line := walkPair(a, b)
		if got := Between(a, b); got != between {
			t.Errorf("between %v and %v:\n%v\nwant\n%v", a, b, got, between)
		}
		if got := Line(a, b); got != line {
			t.Errorf("line of %v and %v:\n%v\nwant\n%v", a, b, got, line)
		}
	})
}

func TestAligned(t *testing.T) {
	everyPair(func(a, b Square) {
		_, line := walkPair(a, b)
		for c := range allSquares {
			if got, want := Aligned(a, b, c), line.Has(c); got != want {
				t.Errorf("%v, %v and %v aligned: %v, want %v", a, b, c, got, want)
			}
		}
	})
}

func TestDistanceIsTheNumberOfKingMoves(t *testing.T) {
	for a := range allSquares {
		reached := a.Bitboard()
		for moves := 0; moves <= 7; moves++ {
			for b := range reached.Squares() {
				if got := Distance(a, b); got > moves {
					t.Errorf("distance of %v and %v is %d, but %d king moves do", a, b, got, moves)
				}
			}
			for b := range (^reached).Squares() {
				if got := Distance(a, b); got <= moves {
					t.Errorf("distance of %v and %v is %d, but %d king moves do not do", a, b, got, moves)
				}
			}
			reached |= kingSteps(reached)
		}
	}
}

// kingSteps returns the squares one step away from a square of b.
func kingSteps(b Bitboard) Bitboard {
	steps := Empty
	for d := range stepOf {
		steps |= b.Shift(d)
	}
	return steps
}
