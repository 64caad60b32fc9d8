package sliders_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
)

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
	// 000ffffffffff800 2 · lowest(upper) − highest(lower): every bit from one to the other
	// 0008080800080800 only the squares on the file
	// 0000000000000000 pieces on the rank below the slider; the highest counts, else a1
	// 0000000040000000 pieces above it; the lowest counts
	// 000000007fffffff 2 · lowest(upper) − highest(lower): every bit from one to the other
	// 0000000077000000 only the squares on the rank
	// 0008080877080800 the squares attacked
}
