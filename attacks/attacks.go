// Package attacks computes which squares each piece attacks, and which squares pawns reach.
//
// [Knight], [King] and [Pawn] look up a table; [Bishop], [Rook] and [Queen] look up magic
// bitboards. All inline into their callers. Package attacks/sliders compares this lookup with other
// algorithms.
//
// Source: https://www.chessprogramming.org/Attacks
package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// Bishop returns the squares a bishop on s attacks, up to and including the first occupied square
// of each ray. s is 0..63; occupancy may hold any squares, s too.
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return magic.Bishop(s, occupancy)
}

// Rook returns the squares a rook on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
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

// Pawn returns the squares a pawn of colour c on s attacks, whether or not a capture is there; s is
// 0..63.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func Pawn(c bitboard.Color, s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Pawn", s)
	}
	return pawns[c&1][s&63]
}

// Of returns the squares a piece on s attacks: a slider's rays up to and including the first
// occupied square, a pawn's capture squares, and no square for NoPiece. s is 0..63; occupancy may
// hold any squares, s too.
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

// PawnPushes returns the squares that pawns of colour c reach by a single push onto an empty
// square.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnPushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns) & empty
}

// PawnDoublePushes returns the squares that pawns of colour c reach by a double push from their
// first rank, over and onto empty squares.
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

// KnightAttacks returns the squares that any of some knights attacks.
// Source: https://www.chessprogramming.org/Knight_Pattern#Multiple_Knight_Attacks
func KnightAttacks(knights bitboard.Bitboard) bitboard.Bitboard {
	const fileB, fileG = bitboard.FileAMask << 1, bitboard.FileHMask >> 1
	one := knights&^bitboard.FileHMask<<1 | knights&^bitboard.FileAMask>>1
	two := knights&^(fileG|bitboard.FileHMask)<<2 | knights&^(bitboard.FileAMask|fileB)>>2
	return one<<16 | one>>16 | two<<8 | two>>8
}

// KingAttacks returns the squares that a king on any of some squares attacks.
// Source: https://www.chessprogramming.org/King_Pattern#by_Calculation
func KingAttacks(kings bitboard.Bitboard) bitboard.Bitboard {
	beside := kings&^bitboard.FileHMask<<1 | kings&^bitboard.FileAMask>>1
	row := kings | beside
	return beside | row<<8 | row>>8
}

// forward moves a set one rank in the direction in which pawns of colour c advance.
func forward(c bitboard.Color, b bitboard.Bitboard) bitboard.Bitboard {
	if c == bitboard.White {
		return b << 8
	}
	return b >> 8
}

// An x-ray attack of a slider is a square that it attacks only if blockers among the pieces that it
// attacks are removed. From the square of a king, with its own pieces as blockers, x-ray attacks
// contain the candidate pinners; with the other side's pieces as blockers, the sliders that may
// give a discovered check.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)

// XRayBishop returns the squares behind the first piece of each ray of a bishop on s, up to and
// including the second, where that first piece is one of blockers. s is 0..63; occupancy has all
// pieces, blockers those to look through; squares of blockers outside occupancy do not count.
func XRayBishop(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Bishop(s, occupancy)
	return attacked ^ Bishop(s, occupancy&^(attacked&blockers))
}

// XRayRook returns the squares behind the first piece of each ray of a rook on s, as [XRayBishop]
// does for a bishop.
func XRayRook(s bitboard.Square, occupancy, blockers bitboard.Bitboard) bitboard.Bitboard {
	attacked := Rook(s, occupancy)
	return attacked ^ Rook(s, occupancy&^(attacked&blockers))
}

var (
	knights = leaps(KnightAttacks)
	kings   = leaps(KingAttacks)
	pawns   = [2][64]bitboard.Bitboard{
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

// Check squares of a sliding piece are the squares that it can move to and attack a target from,
// usually the enemy king. A line through the piece and a line through the target meet there
// (intersection squares), and no piece stands between on either line.
// Source: chessprogramming wiki, Intersection Squares:
// https://www.chessprogramming.org/Intersection_Squares
//
// The Intersections functions compute them for an empty board, by arithmetic alone: if they return
// no square, there is none with any occupancy, so they can be a test beforehand. The CheckSquares
// functions respect the occupancy.

// BishopIntersections returns the squares from which a bishop that stands on from attacks target
// after one move on a board without other pieces: at most two, unless both are on one diagonal or
// anti-diagonal, all of whose other squares qualify then. Squares are 0..63 and differ.
func BishopIntersections(from, target bitboard.Square) bitboard.Bitboard {
	debug.Different("attacks.BishopIntersections", from, target)
	meeting := crossings(bitboard.DiagonalAntiDiagonal, from, target)
	if bitboard.SameDiagonal(from, target) || bitboard.SameAntiDiagonal(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// RookIntersections returns the squares from which a rook that stands on from attacks target after
// one move on a board without other pieces: two, or all others of the rank or file they share.
// Squares are 0..63 and differ.
func RookIntersections(from, target bitboard.Square) bitboard.Bitboard {
	debug.Different("attacks.RookIntersections", from, target)
	meeting := crossings(bitboard.RankFile, from, target)
	if bitboard.SameRank(from, target) || bitboard.SameFile(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// QueenIntersections returns the squares from which a queen that stands on from attacks target
// after one move on a board without other pieces: at most twelve, one for each ordered pair of
// different lines, and the other squares of a line they share. Squares are 0..63 and differ.
func QueenIntersections(from, target bitboard.Square) bitboard.Bitboard {
	debug.Different("attacks.QueenIntersections", from, target)
	meeting := bitboard.Line(from, target) |
		crossings(bitboard.RankFile, from, target) |
		crossings(bitboard.RankDiagonal, from, target) |
		crossings(bitboard.RankAntiDiagonal, from, target) |
		crossings(bitboard.FileDiagonal, from, target) |
		crossings(bitboard.FileAntiDiagonal, from, target) |
		crossings(bitboard.DiagonalAntiDiagonal, from, target)
	return meeting.Without(from).Without(target)
}

// crossings returns the two squares where lines of two kinds meet, one kind through a and the other
// through b, and the other way round. A pair of lines that does not meet adds none: NoSquare is 64,
// and 1 << 64 is 0.
func crossings(meet func(a, b bitboard.Square) bitboard.Square, a, b bitboard.Square) bitboard.Bitboard {
	return 1<<meet(a, b) | 1<<meet(b, a)
}

// BishopCheckSquares returns the squares to which a bishop on from can go, by a move or a capture,
// and then attacks target. Captures of its own side's pieces are among them: the caller removes
// them. Squares are 0..63 and differ; occupancy has all pieces and may have from and target.
func BishopCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.BishopCheckSquares", from, target)
	return Bishop(from, occupancy) & Bishop(target, occupancy.Without(from))
}

// RookCheckSquares returns the squares to which a rook on from can go and then attacks target, as
// [BishopCheckSquares] does for a bishop.
func RookCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.RookCheckSquares", from, target)
	return Rook(from, occupancy) & Rook(target, occupancy.Without(from))
}

// QueenCheckSquares returns the squares to which a queen on from can go and then attacks target, as
// [BishopCheckSquares] does for a bishop.
func QueenCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.QueenCheckSquares", from, target)
	return Queen(from, occupancy) & Queen(target, occupancy.Without(from))
}
