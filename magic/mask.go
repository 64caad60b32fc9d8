package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Mask returns the relevant occupancy of a slider on s: the squares whose occupancy can change its
// attacks. The last square of each ray is left out, as nothing stands behind it.
// pt is Bishop or Rook, s is 0..63; for any other kind the mask is empty.
// Source: chessprogramming wiki, Magic Bitboards, "relevant occupancy".
func Mask(pt bitboard.PieceType, s bitboard.Square) bitboard.Bitboard {
	var mask bitboard.Bitboard
	for _, d := range directions(pt) {
		ray := bitboard.Walk(s, d, bitboard.Empty)
		for square := range ray.Squares() {
			if !square.Bitboard().Shift(d).IsEmpty() {
				mask = mask.With(square)
			}
		}
	}
	return mask
}

// directions returns the four directions of a slider, none for other kinds.
func directions(pt bitboard.PieceType) []bitboard.Direction {
	switch pt {
	case bitboard.Bishop:
		d := bitboard.BishopDirections()
		return d[:]
	case bitboard.Rook:
		d := bitboard.RookDirections()
		return d[:]
	}
	return nil
}

// walk returns the attacks of a slider on s, square by square: the definition every table is held to.
func walk(pt bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var attacks bitboard.Bitboard
	for _, d := range directions(pt) {
		attacks |= bitboard.Walk(s, d, occupancy)
	}
	return attacks
}
