package attacks_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
)

// randomOccupancy returns sets of different densities, with pieces on the edge.
func randomOccupancy(random *rand.Rand) bitboard.Bitboard {
	b := bitboard.Bitboard(random.Uint64())
	for range random.IntN(3) {
		b &= bitboard.Bitboard(random.Uint64())
	}
	return b
}

// TestOf compares the attacks of each piece from and to each square with their definition by file
// and rank.
func TestOf(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		occupancy := randomOccupancy(random)
		for piece := range bitboard.PieceOf(bitboard.Black, bitboard.King) + 1 {
			forPairs(func(from, to bitboard.Square) {
				want := difftest.Attacks(piece, from, to, occupancy)
				if got := attacks.Of(piece, from, occupancy).Has(to); got != want {
					t.Fatalf("%v on %v, among\n%v\nattacks %v: %v, want %v", piece, from, occupancy, to, got, want)
				}
			})
		}
	}
}

// TestSetsAreThoseOfSinglePieces adds up the attacks and pushes of the members of random sets.
func TestSetsAreThoseOfSinglePieces(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		pieces, empty := randomOccupancy(random), randomOccupancy(random)
		for c, pawn := range []struct {
			ahead       bitboard.Direction
			first, last bitboard.Rank
		}{{bitboard.North, bitboard.Rank2, bitboard.Rank8}, {bitboard.South, bitboard.Rank7, bitboard.Rank1}} {
			var knights, kings, attacked, pushes, doubles bitboard.Bitboard
			for s := range pieces.Squares() {
				knights, kings, attacked = knights|attacks.Knight(s), kings|attacks.King(s), attacked|attacks.Pawn(bitboard.Color(c), s)
				step := bitboard.Square(pawn.ahead)
				if s.Rank() != pawn.last && empty.Has(s+step) {
					pushes = pushes.With(s + step)
					if s.Rank() == pawn.first && empty.Has(s+2*step) {
						doubles = doubles.With(s + 2*step)
					}
				}
			}
			for _, test := range []struct {
				name      string
				got, want bitboard.Bitboard
			}{
				{"KnightAttacks", attacks.KnightAttacks(pieces), knights},
				{"KingAttacks", attacks.KingAttacks(pieces), kings},
				{"PawnAttacks", attacks.PawnAttacks(bitboard.Color(c), pieces), attacked},
				{"PawnPushes", attacks.PawnPushes(bitboard.Color(c), pieces, empty), pushes},
				{"PawnDoublePushes", attacks.PawnDoublePushes(bitboard.Color(c), pieces, empty), doubles},
			} {
				if test.got != test.want {
					t.Fatalf("%s of %v pieces on\n%v\nwith empty squares\n%v\nis\n%v\nwant\n%v", test.name, bitboard.Color(c),
						pieces, empty, test.got, test.want)
				}
			}
		}
	}
}

// moveAndLook is the definition: make every move and see whether the piece attacks the target now.
func moveAndLook(piece bitboard.Piece, from, target bitboard.Square, occupancy bitboard.Bitboard) (checking bitboard.Bitboard) {
	for to := range attacks.Of(piece, from, occupancy).Without(target).Squares() {
		if attacks.Of(piece, to, occupancy.Without(from).With(to)).Has(target) {
			checking = checking.With(to)
		}
	}
	return checking
}

// TestCheckSquares compares with moving and looking. With nothing in the way, not even the target,
// the intersections are the whole answer.
func TestCheckSquares(t *testing.T) {
	for kind := bitboard.Bishop; kind <= bitboard.Queen; kind++ {
		random, piece := rand.New(rand.NewPCG(5, 6)), bitboard.PieceOf(bitboard.White, kind)
		forPairs(func(from, target bitboard.Square) {
			if from == target {
				return
			}
			intersections := attacks.Intersections(kind, from, target)
			if kind == bitboard.Bishop && intersections != 0 && from.Color() != target.Color() {
				t.Fatalf("from %v to attack %v there are the intersections\n%v", from, target, intersections)
			}
			if open := attacks.CheckSquares(kind, from, target, bitboard.Empty); open != intersections {
				t.Fatalf("from %v to attack %v:\n%v\nbut the intersections are\n%v", from, target, open, intersections)
			}
			for range 24 {
				occupancy := randomOccupancy(random).With(from).With(target)
				got, want := attacks.CheckSquares(kind, from, target, occupancy), moveAndLook(piece, from, target, occupancy)
				if got != want || got&^intersections != 0 {
					t.Fatalf("from %v to attack %v:\n%v\nwant\n%v\nof the intersections\n%v\namong\n%v", from, target, got,
						want, intersections, occupancy)
				}
			}
		})
	}
}

// forPairs visits the 4,096 pairs of squares.
func forPairs(visit func(from, target bitboard.Square)) {
	for from := range bitboard.NoSquare {
		for target := range bitboard.NoSquare {
			visit(from, target)
		}
	}
}
