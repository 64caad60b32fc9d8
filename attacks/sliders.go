package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// Bishop returns the squares a bishop on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Bishop(s, occupancy)
}

// Rook returns the squares a rook on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
func Rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Rook(s, occupancy)
}

// Queen returns the squares a queen on s attacks: those of a bishop and of a rook there.
func Queen(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Bishop(s, occupancy) | magic.Rook(s, occupancy)
}
