package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// IsLegal reports whether a move is legal: any squares and any kind may be asked for. Nothing but this move is
// looked at, which makes it a tenth of the price of finding all.
func (b *Board) IsLegal(from, to Square, kind Kind) bool {
	origin, target := from.Bitboard(), to.Bitboard()
	if b.Us&origin == 0 || b.manOf(kind)&origin == 0 {
		return false
	}
	switch kind {
	case Castling:
		return b.mayCastle(to)
	case EnPassant:
		return b.EnPassant() == target && b.EnPassantCapturers()&origin != 0
	case KingMove:
		return b.kingMayGo(from, target)
	}
	return b.reaches(from, kind)&target != 0 && b.keepsKingSafe(origin, target)
}

// manOf returns the men of both sides that make moves of a kind, none if there is no such kind.
func (b *Board) manOf(kind Kind) Bitboard {
	switch kind {
	case KingMove, Castling:
		return b.Kings()
	case PawnMove, DoublePush, EnPassant, PromoteKnight, PromoteBishop, PromoteRook, PromoteQueen:
		return b.Pawns
	case KnightMove:
		return b.Knights
	case BishopMove:
		return b.Diagonals &^ b.Orthogonals
	case RookMove:
		return b.Orthogonals &^ b.Diagonals
	case QueenMove:
		return b.Diagonals & b.Orthogonals
	}
	return bitboard.Empty
}

// reaches returns the squares that our man on s gets to by a move of a kind, whatever becomes of our king. Moves of
// the king, castlings and en-passant captures have rules of their own.
func (b *Board) reaches(s Square, kind Kind) Bitboard {
	occupancy := b.Us | b.Them
	switch kind {
	case KnightMove:
		return attacks.Knight(s) &^ b.Us
	case BishopMove:
		return attacks.Bishop(s, occupancy) &^ b.Us
	case RookMove:
		return attacks.Rook(s, occupancy) &^ b.Us
	case QueenMove:
		return attacks.Queen(s, occupancy) &^ b.Us
	}
	push := s.Bitboard() << 8 &^ occupancy
	switch kind {
	case DoublePush:
		return (push & bitboard.Rank3Mask) << 8 &^ occupancy
	case PawnMove:
		return (push | attacks.Pawn(bitboard.White, s)&b.Them) &^ bitboard.Rank8Mask
	}
	return (push | attacks.Pawn(bitboard.White, s)&b.Them) & bitboard.Rank8Mask
}

// keepsKingSafe reports whether our king, which does not move itself, is out of check after a man has gone from
// origin to target.
func (b *Board) keepsKingSafe(origin, target Bitboard) bool {
	king := (b.Kings() & b.Us).First()
	view := &kingViews[king&63]
	them, occupancy := b.Them&^target, (b.Us|b.Them)&^origin|target
	return (view.knights&b.Knights|view.pawns&b.Pawns)&them == 0 &&
		(view.diagonals&b.Diagonals&them == 0 || attacks.Bishop(king, occupancy)&b.Diagonals&them == 0) &&
		(view.orthogonals&b.Orthogonals&them == 0 || attacks.Rook(king, occupancy)&b.Orthogonals&them == 0)
}

// kingMayGo reports whether our king on s may go to target.
func (b *Board) kingMayGo(s Square, target Bitboard) bool {
	view := &kingViews[s&63]
	wanted := view.ring & target &^ b.Us
	occupancy := (b.Us | b.Them).Without(s)
	return wanted != 0 && safe(wanted, &view.zones, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, occupancy) != 0
}

// mayCastle reports whether our king may castle with what stands on rook.
func (b *Board) mayCastle(rook Square) bool {
	if !(b.Rights & bitboard.Rank1Mask).Has(rook) {
		return false
	}
	var t Targets
	b.Targets(&t)
	return t.Castling.Has(rook)
}
