// Package attacks computes which squares each piece attacks, and which squares pawns reach.
//
// [Knight], [King] and [Pawn] look up a table; [Bishop], [Rook] and [Queen] look up magic bitboards. All inline into
// their callers. Package attacks/sliders compares this lookup with other algorithms.
//
// Source: https://www.chessprogramming.org/Attacks
package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// Bishop returns the squares a bishop on s attacks, up to and including the first occupied square of each ray. s is
// 0..63; occupancy may hold any squares, s too.
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Bishop(s, occupancy)
}

// Rook returns the squares a rook on s attacks, up to and including the first occupied square of each ray. s is
// 0..63; occupancy may hold any squares, s too.
func Rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Rook(s, occupancy)
}

// Queen returns the squares a queen on s attacks: the union of a bishop's and a rook's attacks.
func Queen(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Bishop(s, occupancy) | magic.Rook(s, occupancy)
}

// Knight returns the squares a knight on s attacks; s is 0..63.
// Source: https://www.chessprogramming.org/Knight_Pattern
func Knight(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Knight", s)
	}
	return knights[s&63]
}

// King returns the squares a king on s attacks; s is 0..63.
// Source: https://www.chessprogramming.org/King_Pattern
func King(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.King", s)
	}
	return kings[s&63]
}

// Pawn returns the squares a pawn of colour c on s attacks, whether or not a capture is there; s is 0..63.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func Pawn(c bitboard.Color, s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Pawn", s)
	}
	return pawns[c&1][s&63]
}

// Of returns the squares a piece on s attacks: a slider's rays up to and including the first occupied square, a
// pawn's capture squares, and no square for NoPiece. s is 0..63; occupancy may hold any squares, s too.
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

// PawnPushes returns the squares that pawns of colour c reach by a single push onto an empty square.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnPushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns) & empty
}

// PawnDoublePushes returns the squares that pawns of colour c reach by a double push from their first rank, over and
// onto empty squares.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnDoublePushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	landing := bitboard.Rank4Mask
	if c == bitboard.Black {
		landing = bitboard.Rank5Mask
	}
	return PawnPushes(c, PawnPushes(c, pawns, empty), empty) & landing
}

// PawnAttacks returns the squares that pawns of colour c attack on either side.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func PawnAttacks(c bitboard.Color, pawns bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns&^bitboard.FileHMask<<1|pawns&^bitboard.FileAMask>>1)
}

// forward moves a set one rank in the direction in which pawns of colour c advance.
func forward(c bitboard.Color, b bitboard.Bitboard) bitboard.Bitboard {
	if c == bitboard.White {
		return b << 8
	}
	return b >> 8
}

// An x-ray attack of a slider is a square that it attacks only if blockers among the pieces that it attacks are
// removed. From the square of a king, with its own pieces as blockers, x-ray attacks contain the candidate pinners;
// with the other side's pieces as blockers, the sliders that may give a discovered check.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)

// XRayBishop returns the squares behind the first piece of each ray of a bishop on s, up to and including the second,
// where that first piece is one of blockers. s is 0..63; occupancy has all pieces, blockers those to look through;
// squares of blockers outside occupancy do not count.
func XRayBishop(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Bishop(s, occupancy)
	return attacked ^ Bishop(s, occupancy&^(attacked&blockers))
}

// XRayRook returns the squares behind the first piece of each ray of a rook on s, as [XRayBishop] does for a bishop.
func XRayRook(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Rook(s, occupancy)
	return attacked ^ Rook(s, occupancy&^(attacked&blockers))
}

var (
	knights = leaps(func(b bitboard.Bitboard) bitboard.Bitboard {
		beside, beyond := b.Shift(bitboard.East)|b.Shift(bitboard.West), b.Shift(bitboard.North)|b.Shift(bitboard.South)
		return jump(beside, bitboard.North, bitboard.South) | jump(beyond, bitboard.East, bitboard.West)
	})
	kings = leaps(func(b bitboard.Bitboard) bitboard.Bitboard {
		row := b | b.Shift(bitboard.East) | b.Shift(bitboard.West)
		return (row | row.Shift(bitboard.North) | row.Shift(bitboard.South)) &^ b
	})
	pawns = [2][64]bitboard.Bitboard{
		bitboard.White: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.White, b) }),
		bitboard.Black: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.Black, b) }),
	}
)

// leaps returns the table of a set-wise attack for each single square.
func leaps(attack func(bitboard.Bitboard) bitboard.Bitboard) (table [64]bitboard.Bitboard) {
	for s := range table {
		table[s] = attack(bitboard.Square(s).Bitboard())
	}
	return table
}

// jump moves a set two steps in each of two directions.
func jump(b bitboard.Bitboard, first, second bitboard.Direction) bitboard.Bitboard {
	return b.Shift(first).Shift(first) | b.Shift(second).Shift(second)
}
