package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// findCheckAndPins finds targets, pins and pinned. All checks narrow the same set of targets: what ends two at once
// is nothing, so that double check needs no case of its own.
func (b *batch) findCheckAndPins() {
	b.targets = b.xor(b.ones, b.us)
	for line := range b.pins {
		b.pins[line] = b.none()
	}
	for way := range 8 {
		b.when(bits(checks, way), func() { b.lookAlong(way) })
	}
	whenSet(b.siblings.field("stages.knights"), func() {
		b.endCheck(b.and(b.view.field("knights"), b.theirKnights))
	})
	b.endCheck(b.and(b.view.field("pawns"), b.theirPawns))
	b.pinned = becomes(b.or(b.pins[0], b.pins[1]), anyOf, b.pins[2], b.pins[3])
}

// endCheck narrows the targets to the checkers, where there are any: leapers can only be captured.
func (b *batch) endCheck(checkers lanes) {
	VPANDQ(checkers, b.targets, meets(checkers, checkers), b.targets)
}

// ray returns where the ray from our king is.
func (b *batch) ray(way int) Mem { return b.view.field(fmt.Sprintf("rays.%d", way)) }

// lookAlong looks from our king along a ray: a slider of theirs that is the first man there gives check, one
// that is the second pins the first, if that is ours.
func (b *batch) lookAlong(way int) {
	theirs := b.theirOrthogonals
	if way%2 == 1 {
		theirs = b.theirDiagonals
	}
	first, beyond := b.seen(way, b.and(b.ray(way), b.occupancy))
	second, _ := b.seen(way, beyond())
	check, pin := meets(first, theirs), meets(second, theirs)
	VPANDQ(first, b.targets, check, b.targets)
	VPTERNLOGQ(orBoth.table(), first, b.us, pin, b.pins[way%4])
}

// seen returns the squares of a ray from our king up to and including the first of the men on it, or all
// of the ray without any; and what returns the men beyond that.
func (b *batch) seen(way int, men lanes) (squares lanes, beyond func() lanes) {
	ray := b.ray(way)
	switch way {
	case north, northEast, east, northWest:
		// The first man is the lowest bit, and what subtracting 1 changes is all up to there.
		less := b.register()
		VPADDQ(b.ones, men, less)
		return becomes(b.copy(less), differIn, men, ray), func() lanes { return b.and(men, less) }
	default:
		// The first man is the highest bit. Without any man, the shift by 64 smears the sign over all squares.
		zeros, down := b.register(), b.register()
		VPLZCNTQ(men, zeros)
		VPSRAVQ(zeros, b.load(constant(1<<63)), down)
		return b.and(ray, down), func() lanes { return b.without(men, down) }
	}
}
