package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// findDanger finds what their pawns, knights and king attack near our king.
func (b *batch) findDanger() {
	b.danger = b.none()
	whenSet(b.siblings.field("stages.kingMoves"), func() {
		bothSides := func(pieces lanes, files int) lanes {
			return b.or(b.sideways(pieces, files), b.sideways(pieces, -files))
		}
		VPSRLQ(U8(8), bothSides(b.theirPawns, 1), b.danger)
		whenSet(b.siblings.field("stages.knights"), func() {
			near, far := bothSides(b.theirKnights, 1), bothSides(b.theirKnights, 2)
			becomes(b.danger, anyOf, b.shift(near, 16), b.shift(near, -16))
			becomes(b.danger, anyOf, b.shift(far, 8), b.shift(far, -8))
		})
		whenSet(b.siblings.field("stages.king"), func() {
			// The king's own square is among these, which does no harm: ours cannot go there anyway.
			row := b.or(bothSides(b.theirKing, 1), b.theirKing)
			becomes(b.danger, anyOf, b.shift(row, 8), b.shift(row, -8))
			VPORQ(row, b.danger, b.danger)
		})
	})
}

// withoutKing returns squares without our king.
func (b *batch) withoutKing(squares lanes) lanes {
	but := logic(func(_, squares, king bool) bool { return squares && !king })
	return becomes(b.copy(squares), but, squares, b.king.field("square"))
}

// countKing counts the moves of our king, once danger is complete.
func (b *batch) countKing() {
	whenSet(b.siblings.field("stages.kingMoves"), func() {
		free := logic(func(danger, us, attacks bool) bool { return attacks && !us && !danger })
		b.add(becomes(b.copy(b.danger), free, b.us, b.king.field("attacks")))
		for i := range 2 {
			b.countCastling(fmt.Sprintf("castlings.%d.", i))
		}
	})
}

// countCastling counts a castling, in the lanes in which its rook is there and free, the path empty and the king's
// part of it not attacked.
func (b *batch) countCastling(castling string) {
	rook := b.siblings.field(castling + "rook")
	CMPQ(rook, U8(0))
	skipIf(JEQ, func() {
		k := meets(rook, b.without(b.orthogonals, b.pinned))
		k = missesIn(k, b.siblings.field(castling+"empty"), b.occupancy)
		k = missesIn(k, b.siblings.field(castling+"unattacked"), b.danger)
		VPSUBQ(b.ones, b.replies, k, b.replies) // all ones are -1
	})
}
