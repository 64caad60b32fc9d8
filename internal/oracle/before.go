package oracle

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// HasLastMove reports whether some legal move leads to b, clocks aside. It takes back every move of
// every piece. Before the move, the side to move had at most sixteen pieces and the other side at
// most eight pawns.
func (b Board) HasLastMove() bool {
	for from := range bitboard.Square(64) {
		for to := range bitboard.Square(64) {
			if b.canHaveCastled(from, to) || b.canHaveMoved(from, to) {
				return true
			}
		}
	}
	return false
}

// canHaveMoved reports whether the last move may have led from one square to another, made by the
// piece itself or by a pawn that promoted to it.
func (b Board) canHaveMoved(from, to bitboard.Square) bool {
	us, them := b.sideToMove, b.sideToMove.Opponent()
	if !b.isEmpty(from) || !b.holds(to, them) {
		return false
	}
	pawn, piece := bitboard.PieceOf(them, bitboard.Pawn), b.pieces[to]
	beside := bitboard.SquareAt(to.File(), from.Rank())
	pieces, pawns := 0, 0
	for s := range bitboard.Square(64) {
		if b.holds(s, us) {
			pieces++
		}
		if b.pieces[s] == pawn {
			pawns++
		}
	}
	for captured := bitboard.NoPieceType; captured < bitboard.King; captured++ {
		if captured != bitboard.NoPieceType && pieces >= 16 {
			return false
		}
		before := b.turnedBack()
		before.pieces[from], before.pieces[to] = piece, bitboard.PieceOf(us, captured)
		if before.leadsTo(&b, Move{From: from, To: to}) {
			return true
		}
		if pawns < 8 {
			before.pieces[from] = pawn
			if before.leadsTo(&b, Move{From: from, To: to, Promotion: piece.Type()}) {
				return true
			}
		}
		if captured == bitboard.Pawn && b.isEmpty(beside) {
			before.pieces[from], before.pieces[to] = piece, bitboard.NoPiece
			before.pieces[beside], before.enPassant = bitboard.PieceOf(us, bitboard.Pawn), to
			if before.leadsTo(&b, Move{From: from, To: to}) {
				return true
			}
		}
	}
	return false
}

// canHaveCastled reports whether the last move may have been a castling of a king and a rook on
// these squares.
func (b Board) canHaveCastled(king, rook bitboard.Square) bool {
	them, m := b.sideToMove.Opponent(), Move{From: king, To: rook}
	if king == rook || king.Rank() != backRank[them] || rook.Rank() != backRank[them] {
		return false
	}
	before := b.turnedBack()
	kingTo, rookTo := castlingTargets(them, m.side())
	kingPiece, rookPiece := before.lift(kingTo), before.lift(rookTo)
	if kingPiece != bitboard.PieceOf(them, bitboard.King) || rookPiece != bitboard.PieceOf(them, bitboard.Rook) ||
		!before.isEmpty(king) || !before.isEmpty(rook) {
		return false
	}
	before.pieces[king], before.pieces[rook] = kingPiece, rookPiece
	before.castlingRook[them][m.side()] = rook
	return before.leadsTo(&b, m)
}

// turnedBack returns b with the other side to move.
func (b Board) turnedBack() Board {
	b.sideToMove, b.enPassant = b.sideToMove.Opponent(), bitboard.NoSquare
	return b
}

// leadsTo reports whether b is playable, m is legal in it, and m leads to next, clocks aside.
func (b Board) leadsTo(next *Board, m Move) bool {
	if b.unplayable() != nil || !slices.Contains(b.PseudoLegalMoves(), m) || !b.IsLegal(m) {
		return false
	}
	after := b.Apply(m)
	return after.pieces == next.pieces && after.castlingRook == next.castlingRook &&
		(next.enPassant == bitboard.NoSquare || next.enPassant == after.enPassant)
}
