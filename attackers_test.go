package fianchetto_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The knight is pinned by the bishop (x); the rook's own pawn hides its check (*).
func ExamplePosition_DiscoveredCheckCandidates() {
	pos := fianchetto.MustParseFEN("4k3/8/8/4P3/1b6/2N5/4R3/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Pinners(fianchetto.White),
		'x').With(pos.DiscoveredCheckCandidates(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . . .
	// . x . . . . . .
	// . . N . . . . .
	// . . . . R . . .
	// . . . . K . . .
}

// A pin is a line: what stands between the king and the pinner, and where the pinned piece may go.
func ExamplePosition_Pinners() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2B5/8/4K3 w - - 0 1")
	for pinners := pos.Pinners(fianchetto.White); pinners != 0; {
		pinner, king := pinners.Pop(), pos.King(fianchetto.White)
		pinned := bitboard.Between(king, pinner) & pos.Pinned(fianchetto.White)
		fmt.Printf("%v pins %v: it may go to\n", pinner, pinned.First())
		fmt.Println((bitboard.Between(king, pinner) &^ pinned).With(pinner))
	}
	// Output:
	// a5 pins c3: it may go to
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// 1 . . . . . . .
	// . 1 . . . . . .
	// . . . . . . . .
	// . . . 1 . . . .
	// . . . . . . . .
}

// Each function that returns a set of squares, drawn on the board: an asterisk marks a square of
// the set.

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

// The squares that White attacks, with the squares of the pieces that it defends.
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

// A double check: the knight has opened the file of the rook.
func ExamplePosition_Checkers() {
	pos := fianchetto.MustParseFEN("4k3/8/3N4/8/8/8/8/4R1K1 b - - 0 1")
	fmt.Print(pos.Pretty())
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
