package sliders

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

var bishopAndRook = []bitboard.PieceType{bitboard.Bishop, bitboard.Rook}

// randomOccupancy returns sets of different densities, with pieces on the edge.
func randomOccupancy(random *rand.Rand) bitboard.Bitboard {
	b := bitboard.Bitboard(random.Uint64())
	for range random.IntN(3) {
		b &= bitboard.Bitboard(random.Uint64())
	}
	return b
}

// mustAgree compares an algorithm with the walker on one square and occupancy.
func mustAgree(t *testing.T, a Algorithm, s bitboard.Square, occupancy bitboard.Bitboard) {
	for _, piece := range bishopAndRook {
		if got, want := a.Attacks(piece, s, occupancy), walker.Attacks(piece, s, occupancy); got != want {
			t.Fatalf("%v on %v among %#x: %#x, the walker gives %#x", piece, s, uint64(occupancy), uint64(got),
				uint64(want))
		}
	}
}

// TestAlgorithmsAgree has every relevant occupancy, and random ones, with pieces on the edge and on
// the slider's own square.
func TestAlgorithmsAgree(t *testing.T) {
	const perSquare = 400
	for _, a := range Algorithms() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			compared, random := 0, rand.New(rand.NewPCG(1, 2))
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				for _, pt := range bishopAndRook {
					for occupancy := range magic.Mask(pt, s).Subsets() {
						mustAgree(t, a, s, occupancy)
						compared++
					}
				}
				mustAgree(t, a, s, bitboard.Full)
				for range perSquare {
					mustAgree(t, a, s, randomOccupancy(random))
				}
			}
			if compared != 107648 {
				t.Errorf("compared %d relevant occupancies, want all 107648", compared)
			}
		})
	}
}

// TestTracesEndWithTheAttacks compares the traces with the lookups, on every relevant occupancy of
// a square in the centre, of one at the edge and of a corner (of the first alone with -short), and
// on random occupancies of all squares.
func TestTracesEndWithTheAttacks(t *testing.T) {
	for _, a := range Algorithms() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			compare := func(piece bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) {
				steps := a.Trace(piece, s, occupancy)
				if len(steps) < 5 {
					t.Fatalf("%v on %v among %#x: %d steps", piece, s, uint64(occupancy), len(steps))
				}
				if got, want := steps[len(steps)-1].Board, a.Attacks(piece, s, occupancy); got != want {
					t.Fatalf("%v on %v among %#x: the trace ends with %#x, the lookup gives %#x",
						piece, s, uint64(occupancy), uint64(got), uint64(want))
				}
			}
			squares := []bitboard.Square{bitboard.D4, bitboard.H5, bitboard.A1}
			if testing.Short() {
				squares = squares[:1]
			}
			for _, s := range squares {
				for _, piece := range bishopAndRook {
					for occupancy := range magic.Mask(piece, s).Subsets() {
						compare(piece, s, occupancy)
					}
				}
			}
			random := rand.New(rand.NewPCG(5, 6))
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				for range 8 {
					occupancy := randomOccupancy(random)
					compare(bitboard.Bishop, s, occupancy)
					compare(bitboard.Rook, s, occupancy)
					compare(bitboard.Queen, s, occupancy)
				}
			}
			if steps := a.Trace(bitboard.Knight, bitboard.E4, 0); steps != nil {
				t.Errorf("a knight has the steps %v", steps)
			}
		})
	}
}

func TestByName(t *testing.T) {
	want := "walker breadcrumbs coordinates classical hyperbola obstruction kogge-stone kindergarten fancy fixed pext"
	Algorithms()[0].Name = "changed" // of a copy
	var names []string
	for _, a := range Algorithms() {
		names = append(names, a.Name)
		found, err := ByName(a.Name)
		if err != nil || found.Name != a.Name {
			t.Errorf("ByName(%q) = %q, %v", a.Name, found.Name, err)
		}
		if a.Source == "" {
			t.Errorf("%s names no source", a.Name)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("algorithms are %s, want %s", got, want)
	}
	for _, name := range []string{"", "Fixed", "rotated", "pext "} {
		message := fmt.Sprintf("attacks: unknown slider algorithm %q, want one of %s", name, strings.Join(names, ", "))
		if _, err := ByName(name); err == nil || err.Error() != message {
			t.Errorf("ByName(%q) gives error %v, want %s", name, err, message)
		}
	}
	if a := Default(); a.Name != "fixed" || !a.Available() {
		t.Errorf("default is %q, available: %v", a.Name, a.Available())
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, a := range Algorithms() {
		a.Attacks(bitboard.Queen, 0, 0) // builds its tables
		allocations := testing.AllocsPerRun(100, func() {
			a.Attacks(bitboard.Queen, bitboard.Square(random.IntN(64)), randomOccupancy(random))
		})
		if allocations != 0 {
			t.Errorf("%s allocates %v times for a lookup", a.Name, allocations)
		}
	}
}

// The instruction and its portable stand-in must be interchangeable, on any mask.
func TestExtractAgreesWithItsPortableForm(t *testing.T) {
	if !pext.Available() {
		t.Skip("no PEXT in this build or CPU: there is only the portable form")
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range 100_000 {
		source, mask := random.Uint64(), uint64(randomOccupancy(random))
		if got, want := extract(source, mask), extractPortable(source, mask); got != want {
			t.Fatalf("extract(%#x, %#x) = %#x, want %#x", source, mask, got, want)
		}
	}
}
