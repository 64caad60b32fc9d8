package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// IsPseudoLegal reports whether a move is legal except that it may leave our king in check. Any
// squares and kind are allowed.
func (b *Board) IsPseudoLegal(from, to Square, kind Kind) bool {
	return (b.Us & b.movers(kind)).Has(from) && b.reaches(from, kind).Has(to)
}

// IsLegal reports whether a move is legal. Any squares and kind are allowed. It costs a tenth of
// finding all moves.
func (b *Board) IsLegal(from, to Square, kind Kind) bool {
	if !b.IsPseudoLegal(from, to, kind) {
		return false
	}
	switch kind {
	case KingMove:
		return b.kingIsSafeOn(to.Bitboard(), from.Bitboard())
	case Castling:
		path := CastlingPathsOf(from, b.CastlingAndEnPassant).toward(from, to)
		return b.kingIsSafeOn(path.King.With(from), from.Bitboard().With(to))
	case EnPassant:
		return b.enPassantIsSafe(from.Bitboard(), to.Bitboard())
	}
	return b.keepsKingSafe(from.Bitboard(), to.Bitboard())
}

// movers returns the pieces of both sides that make moves of a kind, for kings also the empty
// squares.
func (b *Board) movers(kind Kind) Bitboard {
	kind &= 15
	switch {
	case kind > Castling && kind < PromoteKnight:
		return bitboard.Empty
	case kind >= PromoteKnight || kind == DoublePush || kind == EnPassant:
		kind = PawnMove
	}
	l := &placedBy[kind]
	return ^(b.Pawns ^ l.pawns) &^ (b.Knights ^ l.knights) &^
		(b.Diagonals ^ l.diagonals) &^ (b.Orthogonals ^ l.orthogonals)
}

// attacksBy returns the squares attacked from s by the piece of a kind from KnightMove to
// QueenMove, or KingMove.
func (b *Board) attacksBy(kind Kind, s Square) Bitboard {
	piece := bitboard.King
	if kind != KingMove {
		piece = bitboard.PieceType(kind)
	}
	return attacks.Of(bitboard.PieceOf(bitboard.White, piece), s, b.Us|b.Them)
}

func (b *Board) reaches(s Square, kind Kind) Bitboard {
	occupancy := b.Us | b.Them
	switch kind {
	case KnightMove, BishopMove, RookMove, QueenMove, KingMove:
		return b.attacksBy(kind, s) &^ b.Us
	case Castling:
		open, _ := openCastlings(s, b.CastlingAndEnPassant, occupancy)
		return open
	}
	push := s.Bitboard() << 8 &^ occupancy
	switch kind {
	case DoublePush:
		return (push & Rank3Mask) << 8 &^ occupancy
	case EnPassant:
		return attacks.Pawn(bitboard.White, s) & b.EnPassant()
	case PawnMove:
		return (push | attacks.Pawn(bitboard.White, s)&b.Them) &^ Rank8Mask
	}
	return (push | attacks.Pawn(bitboard.White, s)&b.Them) & Rank8Mask
}

// keepsKingSafe reports whether our king is out of check after another piece has moved from origin
// to target.
func (b *Board) keepsKingSafe(origin, target Bitboard) bool {
	return b.isSafeFrom(b.Them&^target, (b.Us|b.Them)&^origin|target)
}

func (b *Board) enPassantIsSafe(capturer, target Bitboard) bool {
	captured := target >> 8
	return b.isSafeFrom(b.Them&^captured, (b.Us|b.Them)^capturer^captured^target)
}

// isSafeFrom reports whether the given enemy pieces do not attack our king for an occupancy.
func (b *Board) isSafeFrom(them, occupancy Bitboard) bool {
	king := (b.Kings() & b.Us).First()
	return LeaperAttackers(king, bitboard.Black, b.Pawns, b.Knights)&them == 0 &&
		DiagonalAttackers(king, b.Diagonals&them, occupancy)|
			OrthogonalAttackers(king, b.Orthogonals&them, occupancy) == 0
}

// kingIsSafeOn reports whether the squares are not attacked after our king, and its castling rook,
// have left the squares left.
func (b *Board) kingIsSafeOn(squares, left Bitboard) bool {
	king := (b.Kings() & b.Us).First()
	zone := &lookupOf(king, left&(left-1)).zone
	return squares == safeKingTargets(squares, zone, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals,
		(b.Us|b.Them)&^left)
}

// EnPassantCapturers returns our pawns that may legally capture en passant. It tests each capture
// on the resulting occupancy, because pins do not describe two pawns that leave a rank at once.
func (b *Board) EnPassantCapturers() Bitboard {
	target := b.EnPassant()
	capturers := (target&^FileAMask>>9 | target&^FileHMask>>7) & b.Pawns & b.Us
	for x := capturers; x != 0; x &= x - 1 {
		if !b.enPassantIsSafe(x&-x, target) {
			capturers &^= x & -x
		}
	}
	return capturers
}
