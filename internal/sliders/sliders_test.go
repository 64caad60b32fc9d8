package sliders

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// randomOccupancy returns sets of different densities, with pieces on the edge.
func randomOccupancy(random *rand.Rand) bitboard.Bitboard {
	b := bitboard.Bitboard(random.Uint64())
	for range random.IntN(3) {
		b &= bitboard.Bitboard(random.Uint64())
	}
	return b
}

// mustAgree compares an algorithm with the walker on one square and occupancy, and the trace, if
// asked for, with the attacks that it ends with.
func mustAgree(t *testing.T, a Algorithm, s bitboard.Square, occupancy bitboard.Bitboard, traced bool) {
	t.Helper()
	for _, piece := range []bitboard.PieceType{bitboard.Bishop, bitboard.Rook, bitboard.Queen} {
		got, want := a.Attacks(piece, s, occupancy), walker.Attacks(piece, s, occupancy)
		if got != want {
			t.Fatalf("%v on %v among %#x: %#x, the walker gives %#x", piece, s, uint64(occupancy), uint64(got),
				uint64(want))
		}
		if !traced {
			continue
		}
		if steps := a.Trace(piece, s, occupancy); len(steps) < 5 || steps[len(steps)-1].Board != got {
			t.Fatalf("%v on %v among %#x: the steps are %v, the lookup gives %#x", piece, s, uint64(occupancy), steps,
				uint64(got))
		}
	}
}

// TestAlgorithmsAgree has every relevant occupancy, and random ones, with pieces on the edge and on
// the slider's own square. Traces are compared on a few random ones, and on all relevant ones of
// squares in the centre, at the edge and in the corner (of the first alone with -short).
func TestAlgorithmsAgree(t *testing.T) {
	const perSquare, traces = 400, 8
	for _, a := range Algorithms() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			compared, random := 0, rand.New(rand.NewPCG(1, 2))
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				traced := s == bitboard.D4 || !testing.Short() && (s == bitboard.H5 || s == bitboard.A1)
				for _, pt := range []bitboard.PieceType{bitboard.Bishop, bitboard.Rook} {
					for occupancy := range magic.Mask(pt, s).Subsets() {
						mustAgree(t, a, s, occupancy, traced)
						compared++
					}
				}
				mustAgree(t, a, s, bitboard.Full, true)
				for i := range perSquare {
					mustAgree(t, a, s, randomOccupancy(random), i < traces)
				}
			}
			if compared != 107648 {
				t.Errorf("compared %d relevant occupancies, want all 107648", compared)
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
