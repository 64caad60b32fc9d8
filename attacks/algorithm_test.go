package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// mustAgree compares an algorithm with the walker on one square and occupancy.
func mustAgree(t *testing.T, a Algorithm, s bitboard.Square, occupancy bitboard.Bitboard) {
	if got, want := a.Bishop(s, occupancy), walker.Bishop(s, occupancy); got != want {
		t.Fatalf("bishop on %v among %#x: %#x, the walker gives %#x", s, uint64(occupancy), uint64(got), uint64(want))
	}
	if got, want := a.Rook(s, occupancy), walker.Rook(s, occupancy); got != want {
		t.Fatalf("rook on %v among %#x: %#x, the walker gives %#x", s, uint64(occupancy), uint64(got), uint64(want))
	}
}

func TestAlgorithmsAgreeOnEveryRelevantOccupancy(t *testing.T) {
	for _, a := range Algorithms() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				for _, pt := range []bitboard.PieceType{bitboard.Bishop, bitboard.Rook} {
					for occupancy := range magic.Mask(pt, s).Subsets() {
						mustAgree(t, a, s, occupancy)
						compared++
					}
				}
			}
			t.Logf("%d occupancies compared", compared)
			if compared != 107648 {
				t.Errorf("compared %d occupancies, want all 107648", compared)
			}
		})
	}
}

// Random occupancies of any density, with pieces on the edge and on the slider's own square.
func TestAlgorithmsAgreeOnRandomOccupancies(t *testing.T) {
	const perSquare = 400
	for _, a := range Algorithms() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				mustAgree(t, a, s, bitboard.Empty)
				mustAgree(t, a, s, bitboard.Full)
				for range perSquare {
					mustAgree(t, a, s, randomOccupancy(random))
				}
			}
		})
	}
}

func randomOccupancy(random *rand.Rand) bitboard.Bitboard {
	x, y := bitboard.Bitboard(random.Uint64()), bitboard.Bitboard(random.Uint64())
	switch random.IntN(4) {
	case 0:
		return x & y & bitboard.Bitboard(random.Uint64())
	case 1:
		return x & y
	case 2:
		return x | y
	}
	return x
}

func TestLookupsDoNotAllocate(t *testing.T) {
	queries := randomQueries(64)
	for _, a := range Algorithms() {
		a.Queen(0, 0) // builds its tables
		allocations := testing.AllocsPerRun(10, func() {
			for _, q := range queries {
				a.Queen(q.square, q.occupancy)
			}
		})
		if allocations != 0 {
			t.Errorf("%s allocates %v times for %d lookups", a.Name, allocations, len(queries))
		}
	}
}
