package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// countPawns counts pawn moves by the squares they arrive on, and starts the count. Pushes and the captures of one side
// never meet: one count does for them.
func (b *batch) countPawns() {
	push := b.without(b.shift(b.along(north, b.pawns), 8), b.occupancy)
	free := logic(func(arrived, occupancy, rank4 bool) bool { return arrived && !occupancy && rank4 })
	double := becomes(b.shift(push, 8), free, b.occupancy, constant(rank1<<24))
	captured := b.and(b.them, b.targets)
	captureWest := becomes(b.shift(b.along(northWest, b.pawns), 7), allOf, captured, constant(notFileH))
	captureEast := becomes(b.shift(b.along(northEast, b.pawns), 9), allOf, captured, constant(notFileA))
	arrivals := b.or(becomes(push, eitherIn, double, b.targets), captureWest)

	b.replies = b.register()
	VPOPCNTQ(arrivals, b.replies)
	b.add(captureEast)
	whenSet(b.siblings.field("stages.promotions"), func() {
		more, east := b.and(constant(rank1<<56), arrivals), b.and(constant(rank1<<56), captureEast)
		VPOPCNTQ(more, more)
		VPOPCNTQ(east, east)
		VPADDQ(east, more, more)
		for range 3 { // beyond the one that is counted
			VPADDQ(more, b.replies, b.replies)
		}
	})
}
