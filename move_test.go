package fianchetto_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// A castling goes to the square of its rook, and en passant to an empty square: IsCapture knows
// both.
func ExamplePosition_IsCapture() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")
	for m := range pos.LegalMoves() {
		if m.Kind() == fianchetto.Castling || m.Kind() == fianchetto.EnPassant {
			fmt.Println(pos.SAN(m), pos.PieceAt(m.To()) != fianchetto.NoPiece, pos.IsCapture(m), pos.Captured(m))
		}
	}
	// Unordered output:
	// O-O true false none
	// exd6 false true pawn
}

// A promotion that captures: the pawn is removed, the queen is put, and the knight is removed.
func ExamplePosition_Changes() {
	pos := fianchetto.MustParseFEN("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
	m := fianchetto.NewMove(bitboard.A7, bitboard.B8, fianchetto.PromoteQueen)
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		fmt.Println(c.Piece, c.From, c.To)
	}
	// Output:
	// P a7 -
	// Q - b8
	// n b8 -
}

// A history by side, piece and target. A castling has the entry of the king's move to g1.
func ExampleMove_PieceTo() {
	var history [2][6 * 64]int
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	castling := fianchetto.NewMove(bitboard.E1, bitboard.H1, fianchetto.Castling)
	history[pos.SideToMove()][castling.PieceTo()] += 100
	king := fianchetto.NewMove(bitboard.F1, bitboard.G1, fianchetto.KingMove)
	fmt.Println(king.PieceTo(), history[fianchetto.White][king.PieceTo()])
	// Output: 326 100
}
