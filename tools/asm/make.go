package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bits of a move, as the package has them.
const (
	toShift           = 6
	placesPawn        = 1 << 12
	placesKnight      = 1 << 13
	placesDiagonal    = 1 << 14
	placesOrthogonal  = 1 << 15
	placesKing        = 1 << 16
	capturesEnPassant = 1 << 17
	castlesFirst      = 1 << 18
	castlesSecond     = 1 << 19
)

// makeMoves makes a move in each lane.
func (b *batch) makeMoves() {
	moves := b.register()
	VPMOVZXDQ_Z(Mem{Base: b.moves}, b.lane, moves)
	// Rotations read the six lowest bits of their count only: the squares need not be masked.
	one, from, to := b.load(constant(1)), b.register(), b.register()
	VPROLVQ(moves, one, from)
	VPROLVQ(b.shift(moves, -toShift), one, to)
	both := b.or(from, to)
	does := func(bit uint64) reg.Register { return meets(constant(bit), moves) }

	ours := func(name string) lanes { return b.without(b.siblings.field(name), to) }
	b.us, b.pawns, b.knights = ours("us"), ours("pawns"), ours("knights")
	b.diagonals, b.orthogonals = ours("diagonals"), ours("orthogonals")

	theirs := func(name string, places uint64) lanes {
		pieces := b.without(b.siblings.field(name), both)
		VPORQ(to, pieces, does(places), pieces)
		return pieces
	}
	b.theirPawns, b.theirKnights = theirs("theirPawns", placesPawn), theirs("theirKnights", placesKnight)
	b.theirDiagonals = theirs("theirDiagonals", placesDiagonal)
	b.theirOrthogonals = theirs("theirOrthogonals", placesOrthogonal)
	b.theirKing = theirs("theirKing", placesKing)
	// A king that castles may end where it was, so that from may not be taken away after to has been added.
	moved := logic(func(to, from, them bool) bool { return to || them && !from })
	b.them = becomes(b.copy(to), moved, from, b.siblings.field("them"))

	whenSet(b.siblings.field("stages.castled"), func() {
		for i, bit := range []uint64{castlesFirst, castlesSecond} {
			k := does(bit)
			castled := fmt.Sprintf("castled.%d.", i)
			VPXORQ_BCST(b.siblings.field(castled+"them"), b.them, k, b.them)
			VPXORQ_BCST(b.siblings.field(castled+"orthogonals"), b.theirOrthogonals, k, b.theirOrthogonals)
		}
	})
	whenSet(b.siblings.field("stages.enPassant"), func() {
		k, captured := does(capturesEnPassant), b.shift(to, 8)
		VPANDNQ(b.us, captured, k, b.us)
		VPANDNQ(b.pawns, captured, k, b.pawns)
	})
	b.occupancy = b.or(b.us, b.them)
}
