package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// Check squares of a sliding piece are the squares that it can move to and attack a target from, usually the enemy
// king. A line through the piece and a line through the target meet there (intersection squares), and no piece stands
// between on either line.
// Source: chessprogramming wiki, Intersection Squares: https://www.chessprogramming.org/Intersection_Squares
//
// The Intersections functions compute them for an empty board, by arithmetic alone: if they return no square, there
// is none with any occupancy, so they can be a test beforehand. The CheckSquares functions respect the occupancy.

// BishopIntersections returns the squares from which a bishop that stands on from attacks target after one move on a
// board without other pieces: at most two, unless both are on one diagonal or anti-diagonal, all of whose other
// squares qualify then. Squares are 0..63 and differ.
func BishopIntersections(from, target bitboard.Square) bitboard.Bitboard {
	debug.Different("attacks.BishopIntersections", from, target)
	meeting := crossings(bitboard.DiagonalAntiDiagonal, from, target)
	if bitboard.SameDiagonal(from, target) || bitboard.SameAntiDiagonal(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// RookIntersections returns the squares from which a rook that stands on from attacks target after one move on a
// board without other pieces: two, or all others of the rank or file they share. Squares are 0..63 and differ.
func RookIntersections(from, target bitboard.Square) bitboard.Bitboard {
	debug.Different("attacks.RookIntersections", from, target)
	meeting := crossings(bitboard.RankFile, from, target)
	if bitboard.SameRank(from, target) || bitboard.SameFile(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// QueenIntersections returns the squares from which a queen that stands on from attacks target after one move on a
// board without other pieces: at most twelve, one for each ordered pair of different lines, and the other squares of
// a line they share. Squares are 0..63 and differ.
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

// crossings returns the two squares where lines of two kinds meet, one kind through a and the other through b, and
// the other way round. A pair of lines that does not meet adds none: NoSquare is 64, and 1 << 64 is 0.
func crossings(meet func(a, b bitboard.Square) bitboard.Square, a, b bitboard.Square) bitboard.Bitboard {
	return 1<<meet(a, b) | 1<<meet(b, a)
}

// BishopCheckSquares returns the squares to which a bishop on from can go, by a move or a capture, and then attacks
// target. Captures of its own side's pieces are among them: the caller removes them. Squares are 0..63 and differ;
// occupancy has all pieces and may have from and target.
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
