package fianchetto_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// A search tries captures first, and lists the quiet moves only if none of them was good enough.
func ExamplePosition_AppendCaptures() {
	pos := fianchetto.MustParseFEN("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	var buffer [256]fianchetto.Move
	moves := pos.AppendCaptures(buffer[:0])
	for _, m := range moves {
		next := pos.After(m)
		fmt.Println(pos.UCI(m), next.IsCheckmate())
	}
	captures := len(moves)
	moves = pos.AppendQuiets(moves)
	fmt.Println(captures, "captures,", len(moves)-captures, "quiet moves")
	// Unordered output:
	// c4f7 false
	// h5e5 false
	// h5f7 true
	// h5h7 false
	// 4 captures, 39 quiet moves
}

// Each move of the knight opens the file; from d6 and f6 it gives check itself besides.
func ExamplePosition_AppendQuietChecks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
	for _, m := range pos.AppendQuietChecks(nil) {
		fmt.Println(pos.SAN(m))
	}
	// Unordered output:
	// Nd2+
	// Nf2+
	// Nc3+
	// Ng3+
	// Nc5+
	// Ng5+
	// Nd6+
	// Nf6+
}

// All captures of one man, here the queen on e4.
func ExamplePosition_AppendMoves() {
	pos := fianchetto.MustParseFEN("4k3/4p3/6b1/1p6/N3q2p/8/4P3/4K3 b - - 0 1")
	for _, m := range pos.AppendMoves(nil, bitboard.E4.Bitboard(), pos.ByColor(fianchetto.White)) {
		fmt.Println(pos.UCI(m))
	}
	// Unordered output:
	// e4a4
	// e4e2
}

// The pinned rook stays on its file.
func ExamplePosition_Targets() {
	pos := fianchetto.MustParseFEN("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Targets(bitboard.E3), '*'))
	// Output:
	// . . . . * . k .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . R . . .
	// . . . . * . . .
	// . . . . K . . .
}
