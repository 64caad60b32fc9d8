package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Of returns the squares that a piece on s attacks: of a slider those up to and including the first occupied square of each
// ray, of a pawn those to which it captures, of NoPiece none. s is 0..63; occupancy may hold any squares, s too.
func Of(p bitboard.Piece, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	switch p.Type() {
	case bitboard.Pawn:
		return Pawn(p.Color(), s)
	case bitboard.Knight:
		return Knight(s)
	case bitboard.Bishop:
		return Bishop(s, occupancy)
	case bitboard.Rook:
		return Rook(s, occupancy)
	case bitboard.Queen:
		return Queen(s, occupancy)
	case bitboard.King:
		return King(s)
	}
	return bitboard.Empty
}
