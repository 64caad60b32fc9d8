package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// countPawns counts pawn moves by the squares they arrive on, and starts the count. Pushes and the captures of one side
// never meet: one count does for them.
func (b *batch) countPawns() {
	push := b.without(b.shift(b.along(north, b.pawns), 8), b.occupancy)
	double := b.without(b.shift(b.and(constant(rank1<<16), push), 8), b.occupancy)
	captureWest := b.shift(b.and(constant(notFileA), b.along(northWest, b.pawns)), 7)
	captureEast := b.shift(b.and(constant(notFileH), b.along(northEast, b.pawns)), 9)
	becomes(captureEast, allOf, b.them, b.targets)
	arrivals := becomes(b.and(captureWest, b.them), anyOf, push, double)
	arrivals = b.and(arrivals, b.targets)

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
