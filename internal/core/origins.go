package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Origins returns those of our men among some squares that may legally go to a square by a KnightMove, BishopMove,
// RookMove, QueenMove or KingMove: the generator turned around, for who knows where a move ends but not where it begins.
func (b *Board) Origins(to Square, kind Kind, among Bitboard) Bitboard {
	target := to.Bitboard()
	candidates := b.manOf(kind) & b.Us & among & comingFrom(to, kind, b.Us|b.Them)
	if b.Us&target != 0 {
		return bitboard.Empty
	}
	if kind == KingMove {
		if candidates != 0 && b.kingIsSafeOn(target, candidates) {
			return candidates
		}
		return bitboard.Empty
	}
	for x := candidates; x != 0; x &= x - 1 {
		if !b.keepsKingSafe(x&-x, target) {
			candidates &^= x & -x
		}
	}
	return candidates
}

// comingFrom returns the squares from which a piece that makes moves of a kind attacks a square.
func comingFrom(s Square, kind Kind, occupancy Bitboard) Bitboard {
	switch kind {
	case KnightMove:
		return attacks.Knight(s)
	case BishopMove:
		return attacks.Bishop(s, occupancy)
	case RookMove:
		return attacks.Rook(s, occupancy)
	case QueenMove:
		return attacks.Queen(s, occupancy)
	case KingMove:
		return attacks.King(s)
	}
	return bitboard.Empty
}
