package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// hyperbola subtracts twice the slider from the pieces on its line: the borrow runs up to the first piece
// and flips just the bits that are attacked, o ^ (o - 2r). For the ray downwards the board is turned
// upside down by a byte swap, which reverses files, diagonals and anti-diagonals, but not ranks: they have a table
// of 512 bytes.
var hyperbola = Algorithm{
	Name:       "hyperbola",
	Source:     "chessprogramming wiki, Hyperbola Quintessence: https://www.chessprogramming.org/Hyperbola_Quintessence",
	TableBytes: linesBytes + firstRankBytes,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return quintessence(s, occupancy, l.diagonal) | quintessence(s, occupancy, l.antiDiagonal)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return quintessence(s, occupancy, linesThrough(s).file) | alongRank(s, occupancy)
	},
}

// quintessence returns the attacks along a line other than a rank.
func quintessence(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	pieces := occupancy & line
	upwards := pieces - 2*s.Bitboard()
	downwards := (pieces.FlipVertical() - 2*s.FlipRank().Bitboard()).FlipVertical()
	return (upwards ^ downwards) & line
}

// alongRank moves the slider's rank to the first, looks its attacks up there and moves them back.
func alongRank(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	rank := s & 56
	return alongFirstRank(s.File(), occupancy>>(rank+1)) << rank
}
