package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// Check squares of a sliding piece: the squares that it can move to and attack a target from,
// usually the enemy king. A line through the piece and a line through the target meet there (intersection squares), and no
// piece stands between on either line.
// Source: chessprogramming wiki, Intersection Squares: https://www.chessprogramming.org/Intersection_Squares
//
// The Intersections functions compute them for an empty board, by arithmetic alone: if they return no square, there is none
// with any occupancy, so they can be a test beforehand. The CheckSquares functions respect the occupancy.

// BishopIntersections returns the squares from which a bishop that stands on from attacks target
// after one move on a board without other pieces: at most two, unless both are on one diagonal or
// anti-diagonal, all of whose other squares qualify then. Squares are 0..63 and differ.
func BishopIntersections(from, target bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.BishopIntersections", from, target)
	}
	meeting := single(bitboard.DiagonalAntiDiagonal(from, target)) | single(bitboard.AntiDiagonalDiagonal(from, target))
	if bitboard.SameDiagonal(from, target) || bitboard.SameAntiDiagonal(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// RookIntersections returns the squares from which a rook that stands on from attacks target after
// one move on a board without other pieces: two, or all others of the rank or file they share.
// Squares are 0..63 and differ.
func RookIntersections(from, target bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.RookIntersections", from, target)
	}
	meeting := single(bitboard.RankFile(from, target)) | single(bitboard.FileRank(from, target))
	if bitboard.SameRank(from, target) || bitboard.SameFile(from, target) {
		meeting |= bitboard.Line(from, target)
	}
	return meeting.Without(from).Without(target)
}

// QueenIntersections returns the squares from which a queen that stands on from attacks target after
// one move on a board without other pieces: at most twelve, one for each ordered pair of different lines, and the
// other squares of a line they share. Squares are 0..63 and differ.
func QueenIntersections(from, target bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.QueenIntersections", from, target)
	}
	meeting := bitboard.Line(from, target) |
		single(bitboard.RankFile(from, target)) | single(bitboard.FileRank(from, target)) |
		single(bitboard.RankDiagonal(from, target)) | single(bitboard.DiagonalRank(from, target)) |
		single(bitboard.RankAntiDiagonal(from, target)) | single(bitboard.AntiDiagonalRank(from, target)) |
		single(bitboard.FileDiagonal(from, target)) | single(bitboard.DiagonalFile(from, target)) |
		single(bitboard.FileAntiDiagonal(from, target)) | single(bitboard.AntiDiagonalFile(from, target)) |
		single(bitboard.DiagonalAntiDiagonal(from, target)) | single(bitboard.AntiDiagonalDiagonal(from, target))
	return meeting.Without(from).Without(target)
}

// single returns the set of s alone, the empty set for NoSquare: 1 << 64 is 0.
func single(s bitboard.Square) bitboard.Bitboard { return 1 << s }

// BishopCheckSquares returns the squares to which a bishop on from can go, by a move or a capture, and
// then attacks target. Captures of its own side's pieces are among them: the caller removes them.
// Squares are 0..63 and differ; occupancy has all pieces and may have from and target.
func BishopCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.BishopCheckSquares", from, target)
	}
	return Bishop(from, occupancy) & Bishop(target, occupancy.Without(from))
}

// RookCheckSquares returns the squares to which a rook on from can go and then attacks target, as
// [BishopCheckSquares] does for a bishop.
func RookCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.RookCheckSquares", from, target)
	}
	return Rook(from, occupancy) & Rook(target, occupancy.Without(from))
}

// QueenCheckSquares returns the squares to which a queen on from can go and then attacks target, as
// [BishopCheckSquares] does for a bishop.
func QueenCheckSquares(from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Different("attacks.QueenCheckSquares", from, target)
	}
	return Queen(from, occupancy) & Queen(target, occupancy.Without(from))
}
