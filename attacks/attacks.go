// Package attacks computes the squares that each piece attacks, and the squares that pawns reach.
//
// [Knight], [King] and [Pawn] look up a table; [Bishop], [Rook] and [Queen] look up magic
// bitboards, by the numbers of package magic. All inline into their callers. Package
// attacks/sliders compares this look-up with other algorithms.
//
// Source: https://www.chessprogramming.org/Attacks
package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// Knight returns the squares a knight on s, 0..63, attacks.
// Source: https://www.chessprogramming.org/Knight_Pattern
func Knight(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Knight", s)
	}
	return knights[s&63]
}

// King returns the squares a king on s, 0..63, attacks.
// Source: https://www.chessprogramming.org/King_Pattern
func King(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.King", s)
	}
	return kings[s&63]
}

// Pawn returns the squares a pawn of colour c on s, 0..63, attacks, occupied or not.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func Pawn(c bitboard.Color, s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Pawn", s)
	}
	return pawns[c&1][s&63]
}

// Of returns the squares that p on s, 0..63, attacks, as the function of its type does; none for
// NoPiece.
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

// PawnPushes returns the empty squares that pawns of colour c reach by a single push.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnPushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns) & empty
}

// PawnDoublePushes returns the squares that pawns of colour c reach from their first rank by a
// double push, over and onto empty squares.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnDoublePushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	landing := bitboard.Rank4Mask
	if c == bitboard.Black {
		landing = bitboard.Rank5Mask
	}
	return PawnPushes(c, PawnPushes(c, pawns, empty), empty) & landing
}

// PawnAttacks returns the squares that pawns of colour c attack.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func PawnAttacks(c bitboard.Color, pawns bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns&^bitboard.FileHMask<<1|pawns&^bitboard.FileAMask>>1)
}

// KnightAttacks returns the squares that the knights attack.
// Source: https://www.chessprogramming.org/Knight_Pattern#Multiple_Knight_Attacks
func KnightAttacks(knights bitboard.Bitboard) bitboard.Bitboard {
	const fileB, fileG = bitboard.FileAMask << 1, bitboard.FileHMask >> 1
	one := knights&^bitboard.FileHMask<<1 | knights&^bitboard.FileAMask>>1
	two := knights&^(fileG|bitboard.FileHMask)<<2 | knights&^(bitboard.FileAMask|fileB)>>2
	return one<<16 | one>>16 | two<<8 | two>>8
}

// KingAttacks returns the squares that kings on the given squares attack.
// Source: https://www.chessprogramming.org/King_Pattern#by_Calculation
func KingAttacks(kings bitboard.Bitboard) bitboard.Bitboard {
	beside := kings&^bitboard.FileHMask<<1 | kings&^bitboard.FileAMask>>1
	row := kings | beside
	return beside | row<<8 | row>>8
}

// forward moves a set one rank in the direction of pawns of colour c.
func forward(c bitboard.Color, b bitboard.Bitboard) bitboard.Bitboard {
	if c == bitboard.White {
		return b << 8
	}
	return b >> 8
}

var (
	knights = leaps(KnightAttacks)
	kings   = leaps(KingAttacks)
	pawns   = [2][64]bitboard.Bitboard{
		bitboard.White: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.White, b) }),
		bitboard.Black: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.Black, b) }),
	}
)

// leaps returns the attacks of each single square, computed by a set-wise attack.
func leaps(attack func(bitboard.Bitboard) bitboard.Bitboard) (table [64]bitboard.Bitboard) {
	for s := range table {
		table[s] = attack(bitboard.Square(s).Bitboard())
	}
	return table
}

// A sliding piece can go to a check square and then attack a target, usually the enemy king. A line
// through the piece meets a line through the target there (an intersection square), and both lines
// are free up to it. The Intersections functions compute the intersection squares by arithmetic
// alone. They contain the check squares for any occupancy, which the CheckSquares functions
// respect.
// Source: https://www.chessprogramming.org/Intersection_Squares

// BishopIntersections returns the squares from which a bishop on from attacks target after one move
// on an otherwise empty board: at most two, or all other squares of a shared diagonal or
// anti-diagonal. The squares are 0..63 and differ.
func BishopIntersections(from, target bitboard.Square) bitboard.Bitboard {
	return intersections("attacks.BishopIntersections", from, target, bitboard.DiagonalLine, bitboard.AntiDiagonalLine)
}

// RookIntersections is [BishopIntersections] for a rook: two squares, or all other squares of a
// shared rank or file.
func RookIntersections(from, target bitboard.Square) bitboard.Bitboard {
	return intersections("attacks.RookIntersections", from, target, bitboard.RankLine, bitboard.FileLine)
}

// QueenIntersections is [BishopIntersections] for a queen: at most twelve squares, one for each
// ordered pair of different lines, and the other squares of a shared line.
func QueenIntersections(from, target bitboard.Square) bitboard.Bitboard {
	kinds := bitboard.LineKinds()
	return intersections("attacks.QueenIntersections", from, target, kinds[:]...)
}

// intersections returns the squares where a line of one kind through from meets a line of another
// kind through target, and the lines that both share. Lines that do not meet add none: NoSquare is
// 64, and 1 << 64 is 0.
func intersections(name string, from, target bitboard.Square, kinds ...bitboard.LineKind) bitboard.Bitboard {
	debug.Different(name, from, target)
	var squares bitboard.Bitboard
	for _, ka := range kinds {
		if line := ka.Through(from); line.Has(target) {
			squares |= line
		}
		for _, kb := range kinds {
			meeting, _ := bitboard.Intersect(ka, from, kb, target)
			squares |= 1 << meeting
		}
	}
	return squares.Without(from).Without(target)
}

// BishopCheckSquares returns the squares to which a bishop on from can go and then attack target.
// They include squares of its own side's pieces, which the caller removes. The squares are 0..63
// and differ; occupancy contains all pieces and may contain from and target.
func BishopCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.BishopCheckSquares", from, target)
	return Bishop(from, occupancy) & Bishop(target, occupancy.Without(from))
}

// RookCheckSquares is [BishopCheckSquares] for a rook.
func RookCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.RookCheckSquares", from, target)
	return Rook(from, occupancy) & Rook(target, occupancy.Without(from))
}

// QueenCheckSquares is [BishopCheckSquares] for a queen.
func QueenCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.QueenCheckSquares", from, target)
	return Queen(from, occupancy) & Queen(target, occupancy.Without(from))
}
