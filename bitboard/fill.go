package bitboard

import "math/bits"

// A fill is the union of all lines of one kind through the members of a set, found for all members at
// once: each step doubles the distance covered, so three steps cross the board.
// Source: https://www.chessprogramming.org/Fill_Algorithms

// Fill returns every square on a line of kind k where b has a member: the union of k.Through(s) over
// all s in b. It is the empty set if k is not one of the four kinds.
func (k LineKind) Fill(b Bitboard) Bitboard {
	switch k {
	case RankLine:
		return b.rankFill()
	case FileLine:
		return b.fileFill()
	case DiagonalLine:
		return b.diagonalFill()
	case AntiDiagonalLine:
		return b.antiDiagonalFill()
	}
	return Empty
}

// The files that a shift by one, two or four files to the west or to the east wraps into.
const (
	filesAB   = FileAMask * 0x03
	filesABCD = FileAMask * 0x0f
	filesGH   = FileAMask * 0xc0
	filesEFGH = FileAMask * 0xf0
)

func (b Bitboard) rankFill() Bitboard {
	// In each byte, adding 0x7f to the low seven bits carries into the top bit unless they are all zero.
	const lowSeven = ^FileHMask
	occupied := (b&lowSeven + lowSeven | b) & FileHMask
	return occupied >> 7 * 0xff
}

func (b Bitboard) fileFill() Bitboard {
	x := uint64(b)
	x |= bits.RotateLeft64(x, 8)
	x |= bits.RotateLeft64(x, 16)
	x |= bits.RotateLeft64(x, 32)
	return Bitboard(x)
}

func (b Bitboard) diagonalFill() Bitboard {
	up, down := b, b
	up |= up << 9 &^ FileAMask
	up |= up << 18 &^ filesAB
	up |= up << 36 &^ filesABCD
	down |= down >> 9 &^ FileHMask
	down |= down >> 18 &^ filesGH
	down |= down >> 36 &^ filesEFGH
	return up | down
}

func (b Bitboard) antiDiagonalFill() Bitboard {
	up, down := b, b
	up |= up << 7 &^ FileHMask
	up |= up << 14 &^ filesGH
	up |= up << 28 &^ filesEFGH
	down |= down >> 7 &^ FileAMask
	down |= down >> 14 &^ filesAB
	down |= down >> 28 &^ filesABCD
	return up | down
}
