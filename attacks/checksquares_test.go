package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

var checkSquareTests = []struct {
	name          string
	intersections func(from, target bitboard.Square) bitboard.Bitboard
	checkSquares  func(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard
	attacks       walk
}{
	{"bishop", BishopIntersections, BishopCheckSquares, walkBishop},
	{"rook", RookIntersections, RookCheckSquares, walkRook},
	{"queen", QueenIntersections, QueenCheckSquares, walkQueen},
}

// moveAndLook is the definition: make every move and see whether the piece attacks the target now.
func moveAndLook(attacks walk, from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var checking bitboard.Bitboard
	for to := range attacks(from, occupancy).Without(target).Squares() {
		if attacks(to, occupancy.Without(from).With(to)).Has(target) {
			checking = checking.With(to)
		}
	}
	return checking
}

// TestCheckSquares compares with moving and looking. With nothing in the way, not even the target,
// the intersections are the whole answer.
func TestCheckSquares(t *testing.T) {
	for _, tt := range checkSquareTests {
		t.Run(tt.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			forPairs(func(from, target bitboard.Square) {
				intersections := tt.intersections(from, target)
				if tt.name == "bishop" && intersections != 0 && from.Color() != target.Color() {
					t.Fatalf("from %v to attack %v there are the intersections\n%v", from, target, intersections)
				}
				if open := tt.checkSquares(from, target, bitboard.Empty); open != intersections {
					t.Fatalf("from %v to attack %v:\n%v\nbut the intersections are\n%v", from, target, open, intersections)
				}
				for range 24 {
					occupancy := randomOccupancy(random).With(from).With(target)
					got := tt.checkSquares(from, target, occupancy)
					want := moveAndLook(tt.attacks, from, target, occupancy)
					if got != want || !got.IsSubset(intersections) {
						t.Fatalf("from %v to attack %v:\n%v\nwant\n%v\nof the intersections\n%v\namong\n%v", from, target, got,
							want, intersections, occupancy)
					}
				}
			})
		})
	}
}

// forPairs visits the 64 x 63 pairs of different squares.
func forPairs(visit func(from, target bitboard.Square)) {
	for from := bitboard.A1; from <= bitboard.H8; from++ {
		for target := bitboard.A1; target <= bitboard.H8; target++ {
			if from != target {
				visit(from, target)
			}
		}
	}
}
