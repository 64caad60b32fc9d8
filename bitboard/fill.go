package bitboard

import "math/bits"

// A fill is the union of all lines of one kind through the members of a set, found for all members at
// once: each step doubles the distance covered, so three steps cross the board.
// Source: https://www.chessprogramming.org/Fill_Algorithms

// The files that a shift by one, two or four files to the west or to the east wraps into.
const (
	filesAB   = FileAMask * 0x03
	filesABCD = FileAMask * 0x0f
	filesGH   = FileAMask * 0xc0
	filesEFGH = FileAMask * 0xf0
)

// RankFill returns every square on a rank where b has a member.
func (b Bitboard) RankFill() Bitboard {
	// In each byte, adding 0x7f to the low seven bits carries into the top bit unless they are all zero.
	const lowSeven = ^FileHMask
	occupied := (b&lowSeven + lowSeven | b) & FileHMask
	return occupied >> 7 * 0xff
}

// FileFill returns every square on a file where b has a member.
func (b Bitboard) FileFill() Bitboard {
	x := uint64(b)
	x |= bits.RotateLeft64(x, 8)
	x |= bits.RotateLeft64(x, 16)
	x |= bits.RotateLeft64(x, 32)
	return Bitboard(x)
}

// DiagonalFill returns every square on a diagonal where b has a member.
func (b Bitboard) DiagonalFill() Bitboard {
	up, down := b, b
	up |= up << 9 &^ FileAMask
	up |= up << 18 &^ filesAB
	up |= up << 36 &^ filesABCD
	down |= down >> 9 &^ FileHMask
	down |= down >> 18 &^ filesGH
	down |= down >> 36 &^ filesEFGH
	return up | down
}

// AntiDiagonalFill returns every square on an anti-diagonal where b has a member.
func (b Bitboard) AntiDiagonalFill() Bitboard {
	up, down := b, b
	up |= up << 7 &^ FileHMask
	up |= up << 14 &^ filesGH
	up |= up << 28 &^ filesEFGH
	down |= down >> 7 &^ FileAMask
	down |= down >> 14 &^ filesAB
	down |= down >> 28 &^ filesABCD
	return up | down
}

// Fill returns every square on a line of kind k where b has a member: the union of k.Through(s) over
// all s in b. It is the empty set if k is not one of the four kinds.
func (k LineKind) Fill(b Bitboard) Bitboard {
	switch k {
	case RankLine:
		return b.RankFill()
	case FileLine:
		return b.FileFill()
	case DiagonalLine:
		return b.DiagonalFill()
	case AntiDiagonalLine:
		return b.AntiDiagonalFill()
	}
	return Empty
}
