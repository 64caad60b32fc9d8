package bitboard

import "testing"

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
