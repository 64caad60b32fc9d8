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
