package fianchetto_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Each function that returns a set of squares, drawn on the board: an asterisk marks a square of the set.

// All pieces of both colours that attack d5, pinned or not.
func ExamplePosition_AttackersTo() {
	pos := fianchetto.MustParseFEN("3r3k/8/2n5/3p4/4P3/2N5/6B1/3R3K w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.AttackersTo(bitboard.D5, pos.Occupancy()), '*'))
	// Output:
	// . . . r . . . k
	// . . . . . . . .
	// . . n . . . . .
	// . . . p . . . .
	// . . . . P . . .
	// . . N . . . . .
	// . . . . . . B .
	// . . . R . . . K
	//
	// . . . * . . . k
	// . . . . . . . .
	// . . n . . . . .
	// . . . p . . . .
	// . . . . * . . .
	// . . * . . . . .
	// . . . . . . B .
	// . . . * . . . K
}

// The squares that White attacks, those of its own defended pieces included.
func ExamplePosition_Attacks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3p4/8/4P3/3P4/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Attacks(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . p . . . .
	// . . . . . . . .
	// . . . . P . . .
	// . . . P . . . .
	// R . . . K . . .
	//
	// * . . . k . . .
	// * . . . . . . .
	// * . . . . . . .
	// * . . p . . . .
	// * . . * . * . .
	// * . * . * . . .
	// * . . * * * . .
	// R * * * * * . .
}

// The squares that the rook attacks: on c4 it defends a pawn, on e7 it attacks one.
func ExamplePosition_AttacksFrom() {
	pos := fianchetto.MustParseFEN("4k3/4p3/8/8/2P1R3/8/8/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.AttacksFrom(bitboard.E4), '*'))
	// Output:
	// . . . . k . . .
	// . . . . p . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . R . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . K . . .
	//
	// . . . . k . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . * * R * * *
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
}

// The pieces of Black.
func ExamplePosition_ByColor() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.ByColor(fianchetto.Black), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . * . . .
	// . . * . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
}

// The rooks of both colours.
func ExamplePosition_ByType() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.ByType(fianchetto.Rook), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// * . . . K . . .
}

// The pawns of White.
func ExamplePosition_Pieces() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Pieces(fianchetto.White, fianchetto.Pawn), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// R . . . K . . .
}

// All pieces.
func ExamplePosition_Occupancy() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Occupancy(), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . * . . .
	// . . * . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// * . . . * . . .
}

// White may still castle with the rook on h1, not with that on a1.
func ExamplePosition_CastlingRooks() {
	pos := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.CastlingRooks(fianchetto.White), '*'))
	// Output:
	// r . . . k . . r
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// R . . . K . . R
	//
	// r . . . k . . r
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// R . . . K . . *
}

// A double check: the knight has opened the file of the rook.
func ExamplePosition_Checkers() {
	pos := fianchetto.MustParseFEN("4k3/8/3N4/8/8/8/8/4R1K1 b - - 0 1")
	fmt.Print(pos.Draw())
	fmt.Println(pos.Diagram().With(pos.Checkers(), '*'))
	// Output:
	//   a b c d e f g h
	// 8 . . . . k . . . 8
	// 7 . . . . . . . . 7
	// 6 . . . N . . . . 6
	// 5 . . . . . . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . . . . . . 3
	// 2 . . . . . . . . 2
	// 1 . . . . R . K . 1
	//   a b c d e f g h
	//
	// move 1, black to move, in check from e1 and d6
	// castling -, en passant -, halfmove clock 0
	// . . . . k . . .
	// . . . . . . . .
	// . . . * . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . K .
}

// A knight of White would give check from these squares.
func ExamplePosition_CheckSquares() {
	pos := fianchetto.MustParseFEN("6k1/8/8/8/8/5N2/8/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.CheckSquares(fianchetto.Knight), '*'))
	// Output:
	// . . . . . . k .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . N . .
	// . . . . . . . .
	// . . . . K . . .
	//
	// . . . . . . k .
	// . . . . * . . .
	// . . . . . * . *
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . N . .
	// . . . . . . . .
	// . . . . K . . .
}

// The knight is pinned by the bishop, the pawn by the rook.
func ExamplePosition_Pinned() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2N5/3K2Pr/8 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Pinned(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// b . . . . . . .
	// . . . . . . . .
	// . . N . . . . .
	// . . . K . . P r
	// . . . . . . . .
	//
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// b . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// . . . K . . * r
	// . . . . . . . .
}

// The queen gives check from these squares; the pawn is in its way to b8.
func ExamplePosition_SliderChecks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/1P6/1Q6/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.SliderChecks(bitboard.B2), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . P . . . . . .
	// . Q . . . . . .
	// . . . . K . . .
	//
	// . . . . k . . *
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . . .
	// . . . . . . . .
	// . P . . . . . .
	// . Q . . * . . .
	// . . . . K . . .
}

// The rook on d1 attacks d5 through the queen.
func ExamplePosition_XRayAttackersTo() {
	pos := fianchetto.MustParseFEN("3k4/8/8/3p4/8/8/3Q4/3R3K w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.XRayAttackersTo(bitboard.D5, pos.Occupancy()), '*'))
	// Output:
	// . . . k . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . p . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . Q . . . .
	// . . . R . . . K
	//
	// . . . k . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . p . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . Q . . . .
	// . . . * . . . K
}
