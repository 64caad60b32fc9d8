package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Origins returns those of our men among some squares that may legally go to a square by a KnightMove, BishopMove,
// RookMove, QueenMove or KingMove: the generator turned around, for who knows where a move ends but not where it begins.
func (b *Board) Origins(to Square, kind Kind, among Bitboard) Bitboard {
	target := to.Bitboard()
	if b.Us&target != 0 {
		return bitboard.Empty
	}
	candidates := b.Us & among & b.reaching(to, kind)
	if kind == KingMove {
		if candidates != 0 && !b.kingIsSafeOn(target, candidates) {
			return bitboard.Empty
		}
		return candidates
	}
	for x := candidates; x != 0; x &= x - 1 {
		if !b.keepsKingSafe(x&-x, target) {
			candidates &^= x & -x
		}
	}
	return candidates
}

// reaching returns the pieces of both sides that attack a square and make moves of a kind.
func (b *Board) reaching(s Square, kind Kind) Bitboard {
	occupancy := b.Us | b.Them
	switch kind {
	case KnightMove:
		return b.Knights & attacks.Knight(s)
	case BishopMove:
		return b.Diagonals &^ b.Orthogonals & attacks.Bishop(s, occupancy)
	case RookMove:
		return b.Orthogonals &^ b.Diagonals & attacks.Rook(s, occupancy)
	case QueenMove:
		return b.Diagonals & b.Orthogonals & attacks.Queen(s, occupancy)
	case KingMove:
		return b.Kings() & attacks.King(s)
	}
	return bitboard.Empty
}

// PawnOrigins returns those of our pawns among some squares, all of one file, that may legally go to a square, and the kind
// of the move: PromoteQueen stands for all promotions.
func (b *Board) PawnOrigins(to Square, among Bitboard) (Bitboard, Kind) {
	target, occupancy := to.Bitboard(), b.Us|b.Them
	pawns := b.Pawns & b.Us & among
	kind := PawnMove
	if target&bitboard.Rank8Mask != 0 {
		kind = PromoteQueen
	}
	if capturers := pawns & attacks.Pawn(bitboard.Black, to); capturers != 0 {
		switch {
		case b.Them&target != 0 && b.keepsKingSafe(capturers, target):
			return capturers, kind
		case b.EnPassant() == target && b.enPassantIsSafe(capturers, target):
			return capturers, EnPassant
		}
		return bitboard.Empty, kind
	}
	pushed := pawns & (target >> 8)
	if step := target >> 8 &^ occupancy; step&bitboard.Rank3Mask != 0 {
		pushed, kind = pawns&(step>>8), DoublePush
	}
	if pushed == 0 || occupancy&target != 0 || !b.keepsKingSafe(pushed, target) {
		return bitboard.Empty, kind
	}
	return pushed, kind
}
