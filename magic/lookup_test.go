package magic

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// sliders are the two lookups next to their definition.
var sliders = []struct {
	piece  bitboard.PieceType
	lookup func(bitboard.Square, bitboard.Bitboard) bitboard.Bitboard
}{
	{bitboard.Bishop, Bishop},
	{bitboard.Rook, Rook},
}

// TestDefaultLookupIsTheWalk looks up every relevant occupancy, and random ones: pieces on the edge, on the slider's
// own square and away from its lines make no difference.
func TestDefaultLookupIsTheWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for _, slider := range sliders {
		compare := func(s bitboard.Square, occupancy bitboard.Bitboard) {
			if got, want := slider.lookup(s, occupancy), walk(slider.piece, s, occupancy); got != want {
				t.Fatalf("%v on %v among\n%v\nattacks\n%v\nthe walk gives\n%v", slider.piece, s, occupancy, got, want)
			}
		}
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			for occupancy := range Mask(slider.piece, s).Subsets() {
				compare(s, occupancy)
				compared++
			}
			for range 1000 {
				compare(s, bitboard.Bitboard(random.Uint64()&random.Uint64()))
			}
		}
	}
	if compared != 107648 {
		t.Errorf("compared %d relevant occupancies, want all 107648", compared)
	}
}

// BenchmarkFill times the work at the start of a program, without the page faults of the first touch.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		fillDefault()
	}
}
