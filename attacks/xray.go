package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// X-ray attacks of a sliding piece: the squares that it would attack more if the blockers that it attacks were not there.
// Seen from a king, men of its own as blockers show who may pin them; men of the other side show who may
// give a discovered check.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)

// XRayBishop returns the squares behind the first man of each ray of a bishop on s, up to and including the
// second, where that first man is one of blockers. s is 0..63; occupancy holds all men, blockers those to
// look through, and what of blockers is not in occupancy does not count.
func XRayBishop(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Bishop(s, occupancy)
	return attacked ^ Bishop(s, occupancy&^(attacked&blockers))
}

// XRayRook returns the squares behind the first man of each ray of a rook on s, as [XRayBishop] does for a bishop.
func XRayRook(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Rook(s, occupancy)
	return attacked ^ Rook(s, occupancy&^(attacked&blockers))
}

// XRayQueen returns the squares behind the first man of each ray of a queen on s, as [XRayBishop] does for a bishop.
func XRayQueen(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	return XRayBishop(s, occupancy, blockers) | XRayRook(s, occupancy, blockers)
}
