package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// walker goes from square to square with bitboard.Walk. It is the reference for all others.
var walker = Algorithm{
	Name:   "walker",
	Source: "the definition: step by step along each ray, up to and including the first occupied square",
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return walkAll(s, bitboard.BishopDirections(), occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return walkAll(s, bitboard.RookDirections(), occupancy)
	},
}

func walkAll(s bitboard.Square, directions [4]bitboard.Direction, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var attacks bitboard.Bitboard
	for _, d := range directions {
		attacks |= bitboard.Walk(s, d, occupancy)
	}
	return attacks
}
