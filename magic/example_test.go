package magic_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// The edge squares of a ray do not matter: there is nothing behind them.
func ExampleMask() {
	fmt.Println(magic.Mask(bitboard.Rook, bitboard.D4))
	// Output:
	// . . . . . . . .
	// . . . 1 . . . .
	// . . . 1 . . . .
	// . . . 1 . . . .
	// . 1 1 . 1 1 1 .
	// . . . 1 . . . .
	// . . . 1 . . . .
	// . . . . . . . .
}

// The same search always finds the same number.
func ExampleFind() {
	found, err := magic.Find(bitboard.Rook, bitboard.D4, magic.Search{Seed: 1, Tries: 1_000_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	collisions, err := magic.Verify([]magic.Magic{found})
	fmt.Println(len(collisions), "collisions, error:", err)
	// Output: 0 collisions, error: <nil>
}

// The numbers of the default lookup share one table.
func ExampleVerify_table() {
	collisions, err := magic.Verify(magic.Numbers())
	fmt.Println(len(collisions), "collisions, error:", err)
	// Output: 0 collisions, error: <nil>
}
