package attacks_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// A pawn attacks the squares diagonally ahead of it, not the square that it can be pushed to.
func ExampleOf() {
	fmt.Println(attacks.Of(bitboard.PieceOf(bitboard.White, bitboard.Pawn), bitboard.E4, bitboard.Empty))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . 1 . 1 . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
}

// All squares that White's knights attack, without a loop.
func ExampleKnightAttacks() {
	fmt.Println(attacks.KnightAttacks(bitboard.BitboardOf(bitboard.B1, bitboard.G1)))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// 1 . 1 . . 1 . 1
	// . . . 1 1 . . .
	// . . . . . . . .
}

// The squares at most two king moves away from g1: the king's attacks, and those of every square
// that it attacks.
func ExampleKingAttacks() {
	zone := attacks.KingAttacks(bitboard.G1.Bitboard())
	fmt.Println(zone | attacks.KingAttacks(zone))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . 1 1 1 1
	// . . . . 1 1 1 1
	// . . . . 1 1 1 1
}

// A rook on d4 attacks up to and including the first piece on each ray.
func ExampleRook() {
	occupancy := bitboard.BitboardOf(bitboard.D6, bitboard.B4, bitboard.G7)
	fmt.Println(attacks.Rook(bitboard.D4, occupancy))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . 1 . . . .
	// . . . 1 . . . .
	// . 1 1 . 1 1 1 1
	// . . . 1 . . . .
	// . . . 1 . . . .
	// . . . 1 . . . .
}

// A bishop on d1 can attack a king on e8 from a4 and from h5, unless a piece stands between.
func ExampleCheckSquares() {
	from, king := bitboard.D1, bitboard.E8
	fmt.Println("empty board:", set(attacks.Intersections(bitboard.Bishop, from, king)))
	occupancy := bitboard.BitboardOf(from, king, bitboard.G6)
	fmt.Println("piece on g6:", set(attacks.CheckSquares(bitboard.Bishop, from, king, occupancy)))
	// Output:
	// empty board: [a4 h5]
	// piece on g6: [a4]
}

func set(b bitboard.Bitboard) (squares []bitboard.Square) {
	for s := range b.Squares() {
		squares = append(squares, s)
	}
	return squares
}
