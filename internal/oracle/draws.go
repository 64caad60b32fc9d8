package oracle

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Identity returns equal texts for positions that FIDE (9.2) calls the same: pieces, side to move,
// castling rights, and the en-passant square if a legal move captures there.
func (b Board) Identity() string {
	if !slices.ContainsFunc(b.LegalMoves(), func(m Move) bool { return b.capturedEnPassant(m) != bitboard.NoSquare }) {
		b.enPassant = bitboard.NoSquare
	}
	return strings.Join(strings.Fields(b.ShredderFEN())[:4], " ")
}

// HasInsufficientMaterial reports whether the material alone rules out checkmate (FIDE 5.2.2): bare
// kings, a single knight, or bishops on squares of one colour.
func (b Board) HasInsufficientMaterial() bool {
	knights, bishops := 0, [2]int{} // bishops by the colour of their squares
	for i, piece := range b.pieces {
		s := bitboard.Square(i)
		switch piece.Type() {
		case bitboard.Pawn, bitboard.Rook, bitboard.Queen:
			return false
		case bitboard.Knight:
			knights++
		case bitboard.Bishop:
			bishops[(int(s.File())+int(s.Rank()))%2]++
		}
	}
	if knights > 0 {
		return knights == 1 && bishops == [2]int{}
	}
	return bishops[0] == 0 || bishops[1] == 0
}
