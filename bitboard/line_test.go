package bitboard

import "testing"

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

// TestDiagonals compares the three enumerations of both kinds with their definitions by rank and
// file, their inverses, and the parities that tell the colour.
func TestDiagonals(t *testing.T) {
	for s := range allSquares {
		d, a, rank, file := s.Diagonal(), s.AntiDiagonal(), int(s.Rank()), int(s.File())
		got := [6]int{int(d), d.Offset(), d.Nexus(), int(a), a.Offset(), a.Nexus()}
		want := [6]int{7 + rank - file, rank - file, (rank - file) & 15, rank + file, 7 - rank - file, (rank + file) ^ 7}
		if got != want {
			t.Errorf("%v on %v and %v: values, offsets and nexus are %v, want %v", s, d, a, got, want)
		}
		if Diagonal(7+d.Offset()) != d || Diagonal((7+d.Nexus())&15) != d || AntiDiagonal(7-a.Offset()) != a ||
			AntiDiagonal(a.Nexus()^7) != a {
			t.Errorf("%v or %v is not what its numbers %v stand for", d, a, got)
		}
		for i, isDarkIfOdd := range [6]bool{true, false, false, false, true, true} {
			if isDark := got[i]&1 != 0 == isDarkIfOdd; isDark != DarkSquares.Has(s) {
				t.Errorf("%v on %v and %v: number %d of %v is dark: %v", s, d, a, i, got, isDark)
			}
		}
	}
	if Diagonal(15).Mask() != Empty || AntiDiagonal(15).Mask() != Empty {
		t.Error("there is a 16th line")
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

// A king's moves reach the squares at each distance.
func TestDistanceIsTheNumberOfKingMoves(t *testing.T) {
	for a := range allSquares {
		reached := a.Bitboard()
		for moves := range 8 {
			for b := range allSquares {
				if near := Distance(a, b) <= moves; near != reached.Has(b) {
					t.Errorf("distance of %v and %v is %d; %d king moves lead there: %v", a, b, Distance(a, b), moves,
						reached.Has(b))
				}
			}
			near := reached
			for d := range stepOf {
				reached |= near.Shift(d)
			}
		}
	}
}

// Lines of one kind have no single square in common, so the API answers "none": a1 and c1 asked for
// rank and rank share the whole first rank, a1 and c3 share nothing.
func TestIntersections(t *testing.T) {
	for ka := range AntiDiagonalLine + 1 {
		for kb := range AntiDiagonalLine + 1 {
			everyPair(func(a, b Square) {
				want := NoSquare
				if common := walkLine(ka, a) & walkLine(kb, b); ka != kb {
					want = common.First()
					if common.Len() > 1 {
						t.Errorf("%v of %v and %v of %v share\n%v", ka, a, kb, b, common)
					}
				}
				if s, ok := Intersect(ka, a, kb, b); s != want || ok != want.IsValid() {
					t.Errorf("Intersect(%v, %v, %v, %v): %v, %v, want %v", ka, a, kb, b, s, ok, want)
				}
			})
		}
	}
}

func TestIntersectRefuses(t *testing.T) {
	refuse := func(ka LineKind, a Square, kb LineKind, b Square) {
		if s, ok := Intersect(ka, a, kb, b); ok || s != NoSquare {
			t.Errorf("Intersect(%v, %v, %v, %v): %v, %v", ka, a, kb, b, s, ok)
		}
	}
	none := LineKind(4)
	refuse(none, A1, RankLine, B2)
	refuse(RankLine, A1, none, B2)
	refuse(none, A1, none, B2)
	refuse(RankLine, NoSquare, FileLine, B2)
	refuse(RankLine, A1, FileLine, NoSquare)
	refuse(RankLine, A1, FileLine, Square(255))
}
