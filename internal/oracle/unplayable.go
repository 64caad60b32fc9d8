package oracle

import (
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// unplayable returns what makes the position impossible to play from, nil if nothing
// does. A position that no game leads to may still be playable: nine queens and eight
// pawns are.
func (b *Board) unplayable() error {
	for _, c := range []bitboard.Color{bitboard.White, bitboard.Black} {
		if n := b.count(bitboard.PieceOf(c, bitboard.King)); n != 1 {
			return fmt.Errorf("%d kings of one colour", n)
		}
	}
	if b.pawnOnEdge() {
		return errors.New("pawn on the first or eighth rank")
	}
	if b.kingAttacked(b.sideToMove.Opponent()) {
		return errors.New("the side that just moved is in check")
	}
	if b.enPassant != bitboard.NoSquare && !b.doubleStepFits() {
		return fmt.Errorf("no double step skipped %v", b.enPassant)
	}
	return nil
}

func (b *Board) count(piece bitboard.Piece) int {
	n := 0
	for _, m := range b.pieces {
		if m == piece {
			n++
		}
	}
	return n
}

func (b *Board) pawnOnEdge() bool {
	for s := range bitboard.Square(64) {
		if b.isPawn(s) && (s.Rank() == bitboard.Rank1 || s.Rank() == bitboard.Rank8) {
			return true
		}
	}
	return false
}

// doubleStepFits reports whether the last move can have been a double step across the
// en passant square: its origin and the square itself are empty, and the pawn stands
// beyond.
func (b *Board) doubleStepFits() bool {
	mover := b.sideToMove.Opponent()
	ahead, back := forward(mover), forward(b.sideToMove)
	origin, _ := back.from(b.enPassant)
	landing, _ := ahead.from(b.enPassant)
	return origin.IsValid() && origin.Rank() == pawnRank(mover) &&
		b.isEmpty(origin) && b.isEmpty(b.enPassant) &&
		b.pieces[landing] == bitboard.PieceOf(mover, bitboard.Pawn)
}
