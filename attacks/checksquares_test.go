package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

var checkSquareTests = []struct {
	piece   bitboard.PieceType
	attacks walk
}{
	{bitboard.Bishop, walkBishop},
	{bitboard.Rook, walkRook},
	{bitboard.Queen, walkQueen},
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
		t.Run(tt.piece.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			forPairs(func(from, target bitboard.Square) {
				intersections := Intersections(tt.piece, from, target)
				if tt.piece == bitboard.Bishop && intersections != 0 && from.Color() != target.Color() {
					t.Fatalf("from %v to attack %v there are the intersections\n%v", from, target, intersections)
				}
				if open := CheckSquares(tt.piece, from, target, bitboard.Empty); open != intersections {
					t.Fatalf("from %v to attack %v:\n%v\nbut the intersections are\n%v", from, target, open, intersections)
				}
				for range 24 {
					occupancy := randomOccupancy(random).With(from).With(target)
					got := CheckSquares(tt.piece, from, target, occupancy)
					want := moveAndLook(tt.attacks, from, target, occupancy)
					if got != want || got&^intersections != 0 {
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
