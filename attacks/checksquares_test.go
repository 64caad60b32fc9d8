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

func TestCheckSquaresAreThoseThatMovingFinds(t *testing.T) {
	for _, tt := range checkSquareTests {
		t.Run(tt.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			compared := 0
			forPairs(func(from, target bitboard.Square) {
				for range 24 {
					occupancy := randomOccupancy(random).With(from).With(target)
					got, want := tt.checkSquares(from, target, occupancy), moveAndLook(tt.attacks, from, target,
						occupancy)
					if got != want {
						t.Fatalf("from %v to attack %v:\n%v\nwant\n%v\namong\n%v", from, target, got, want, occupancy)
					}
					if !got.IsSubset(tt.intersections(from, target)) {
						t.Fatalf("from %v to attack %v: %v is beyond the intersections %v", from, target, got,
							tt.intersections(from, target))
					}
					compared++
				}
			})
			t.Logf("%d positions compared", compared)
		})
	}
}

// With nothing in the way, not even the target, the intersections are the whole answer.
func TestIntersectionsAreCheckSquaresOfTheEmptyBoard(t *testing.T) {
	for _, tt := range checkSquareTests {
		t.Run(tt.name, func(t *testing.T) {
			forPairs(func(from, target bitboard.Square) {
				got, want := tt.intersections(from, target), tt.checkSquares(from, target, bitboard.Empty)
				if got != want {
					t.Errorf("from %v to attack %v:\n%v\nwant\n%v", from, target, got, want)
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
