package oracle

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// InCheck reports whether the king of the side to move is attacked.
func (b Board) InCheck() bool { return b.kingAttacked(b.sideToMove) }

// kingAttacked reports whether c's king is attacked by its opponent.
func (b *Board) kingAttacked(c bitboard.Color) bool {
	return b.attacked(b.king(c), c.Opponent())
}

// attacked reports whether a piece of colour by attacks s. It walks from s as each piece
// type moves and looks for such a piece, since all moves but those of pawns can be reversed.
// For pawns it walks in the opposite direction.
func (b *Board) attacked(s bitboard.Square, by bitboard.Color) bool {
	return b.seesAlong(s, rookSteps, by, bitboard.Rook, bitboard.Queen) ||
		b.seesAlong(s, bishopSteps, by, bitboard.Bishop, bitboard.Queen) ||
		b.seesBeside(s, knightSteps, by, bitboard.Knight) ||
		b.seesBeside(s, royalSteps, by, bitboard.King) ||
		b.seesBeside(s, pawnCaptures(by.Opponent()), by, bitboard.Pawn)
}

// seesAlong reports whether the first piece from s in one of the directions is
// one of by's pieces of the given types.
func (b *Board) seesAlong(s bitboard.Square, directions []step, by bitboard.Color, kinds ...bitboard.PieceType) bool {
	for _, d := range directions {
		at, ok := d.from(s)
		for ok && b.isEmpty(at) {
			at, ok = d.from(at)
		}
		if ok && b.holds(at, by) && slices.Contains(kinds, b.pieces[at].Type()) {
			return true
		}
	}
	return false
}

// seesBeside reports whether one of by's pieces of the given type is one step from s.
func (b *Board) seesBeside(s bitboard.Square, steps []step, by bitboard.Color, kind bitboard.PieceType) bool {
	for _, d := range steps {
		if at, ok := d.from(s); ok && b.pieces[at] == bitboard.PieceOf(by, kind) {
			return true
		}
	}
	return false
}
