package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// X-ray attacks of a sliding piece: the additional squares that it attacks without the blockers that it attacks.
// From the square of a king, with its own pieces as blockers, they contain the candidate pinners; with the other side's
// pieces as blockers, the sliders that may give a discovered check.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)

// XRayBishop returns the squares behind the first piece of each ray of a bishop on s, up to and including the
// second, where that first piece is one of blockers. s is 0..63; occupancy has all pieces, blockers those to
// look through; squares of blockers outside occupancy do not count.
func XRayBishop(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Bishop(s, occupancy)
	return attacked ^ Bishop(s, occupancy&^(attacked&blockers))
}

// XRayRook returns the squares behind the first piece of each ray of a rook on s, as [XRayBishop] does for a bishop.
func XRayRook(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Rook(s, occupancy)
	return attacked ^ Rook(s, occupancy&^(attacked&blockers))
}
