package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// The kinds of moves in the 16 bits that Encode returns; 1 to 5, and 12 to 15 for promotions, follow the piece types.
const (
	kingMove   = 0
	doublePush = 6
	enPassant  = 7
	castling   = 8
	promotion  = 12
)

// Encode returns a move as package fianchetto encodes it: from in bits 0-5, to in bits 6-11, the kind of move in bits
// 12-15.
func (b Board) Encode(m Move) uint16 {
	kind := int(b.pieces[m.From].Type()-bitboard.Pawn) + 1
	switch {
	case b.isCastling(m):
		kind = castling
	case b.pieces[m.From].Type() == bitboard.King:
		kind = kingMove
	case m.Promotion != bitboard.NoPieceType:
		kind = promotion + int(m.Promotion-bitboard.Knight)
	case b.skippedSquare(m) != bitboard.NoSquare:
		kind = doublePush
	case b.capturedEnPassant(m) != bitboard.NoSquare:
		kind = enPassant
	}
	return uint16(m.From) | uint16(m.To)<<6 | uint16(kind)<<12
}
