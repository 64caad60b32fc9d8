package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Checkers returns the enemy pieces that attack our king.
func (b *Board) Checkers() Bitboard {
	king := (b.Kings() & b.Us).First()
	k := &kingLookups[king&63]
	checkers := (k.knights&b.Knights | k.pawns&b.Pawns) & b.Them
	if snipers := k.diagonals & b.Diagonals & b.Them; snipers != 0 {
		checkers |= snipers & attacks.Bishop(king, b.Us|b.Them)
	}
	if snipers := k.orthogonals & b.Orthogonals & b.Them; snipers != 0 {
		checkers |= snipers & attacks.Rook(king, b.Us|b.Them)
	}
	return checkers
}

// Pinned returns our pieces that are pinned to our king.
func (b *Board) Pinned() Bitboard {
	king := (b.Kings() & b.Us).First()
	c := kingLookups[king&63].checksAndPins(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals)
	return (c.pinnedDiagonal | c.pinnedOrthogonal) & b.Us
}

// GivesCheck reports whether a legal move attacks the enemy king. The move is not made: only what it changes on the lines to
// the king is examined.
func (b *Board) GivesCheck(from, to Square, kind Kind) bool {
	origin, target := from.Bitboard(), to.Bitboard()
	occupancy := (b.Us|b.Them)&^origin | target
	diagonals, orthogonals := b.Diagonals&b.Us&^origin, b.Orthogonals&b.Us&^origin
	king := (b.Kings() & b.Them).First()
	switch kind {
	case Castling:
		kingTo, rookTo := CastlingTargets(from, to)
		occupancy = (b.Us | b.Them).Without(from).Without(to).With(kingTo).With(rookTo)
		orthogonals = orthogonals.Without(to).With(rookTo)
	case PawnMove, DoublePush:
		if attacks.Pawn(bitboard.White, to).Has(king) {
			return true
		}
	case EnPassant:
		if attacks.Pawn(bitboard.White, to).Has(king) {
			return true
		}
		occupancy &^= target >> 8
	case KnightMove, PromoteKnight:
		if attacks.Knight(to).Has(king) {
			return true
		}
	case BishopMove, PromoteBishop:
		diagonals |= target
	case RookMove, PromoteRook:
		orthogonals |= target
	case QueenMove, PromoteQueen:
		diagonals |= target
		orthogonals |= target
	}
	// Direct and discovered checks of sliders: one of ours attacks the king from where it stands after the move.
	k := &kingLookups[king&63]
	return k.diagonals&diagonals != 0 && attacks.Bishop(king, occupancy)&diagonals != 0 ||
		k.orthogonals&orthogonals != 0 && attacks.Rook(king, occupancy)&orthogonals != 0
}
