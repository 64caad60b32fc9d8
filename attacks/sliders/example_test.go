package sliders_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Every algorithm gives the same attacks.
func ExampleByName() {
	kindergarten, err := sliders.ByName("kindergarten")
	if err != nil {
		fmt.Println(err)
		return
	}
	occupancy := bitboard.BitboardOf(bitboard.F6, bitboard.B2)
	fmt.Println(kindergarten.Bishop(bitboard.D4, occupancy) == attacks.Bishop(bitboard.D4, occupancy))
	_, err = sliders.ByName("rotated")
	fmt.Printf("%.85s...\n", err)
	// Output:
	// true
	// attacks: unknown slider algorithm "rotated", want one of walker, breadcrumbs, coordin...
}

// The trace of an algorithm shows how it finds the attacks: here a rook's on d4, by the difference
// of the nearest pieces.
func ExampleAlgorithm_Trace() {
	obstruction, err := sliders.ByName("obstruction")
	if err != nil {
		fmt.Println(err)
		return
	}
	occupancy := bitboard.BitboardOf(bitboard.D2, bitboard.D7, bitboard.G4)
	for _, step := range obstruction.Trace(bitboard.Rook, bitboard.D4, occupancy) {
		fmt.Printf("%016x %s\n", uint64(step.Board), step.Title)
	}
	// Output:
	// 0000000000000800 pieces on the file below the slider; the highest counts, else a1
	// 0008000000000000 pieces above it; the lowest counts
	// 000ffffffffff800 2 * upper - lower: every bit from one to the other
	// 0008080800080800 that, on the file
	// 0000000000000000 pieces on the rank below the slider; the highest counts, else a1
	// 0000000040000000 pieces above it; the lowest counts
	// 000000007fffffff 2 * upper - lower: every bit from one to the other
	// 0000000077000000 that, on the rank
	// 0008080877080800 the squares attacked
}
