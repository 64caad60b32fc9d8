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
	for direction := range 8 {
		b.when(bits(checks, direction), func() { b.lookAlong(direction) })
	}
	whenSet(b.siblings.field("stages.knights"), func() {
		b.endCheck(b.and(b.king.field("knights"), b.theirKnights))
	})
	b.endCheck(b.and(b.king.field("pawns"), b.theirPawns))
	b.pinned = becomes(b.or(b.pins[0], b.pins[1]), anyOf, b.pins[2], b.pins[3])
}

// endCheck narrows the targets to the checkers, where there are any: leapers can only be captured.
func (b *batch) endCheck(checkers lanes) {
	VPANDQ(checkers, b.targets, meets(checkers, checkers), b.targets)
}

// ray returns where the ray from our king is.
func (b *batch) ray(direction int) Mem { return b.king.field(fmt.Sprintf("rays.%d", direction)) }

// lookAlong follows a ray from our king: a slider of theirs that is the first piece there gives check, one
// that is the second pins the first, if that is ours.
func (b *batch) lookAlong(direction int) {
	theirs := b.theirOrthogonals
	if direction%2 == 1 {
		theirs = b.theirDiagonals
	}
	first, beyond := b.seen(direction, b.and(b.ray(direction), b.occupancy))
	second, _ := b.seen(direction, beyond())
	check, pin := meets(first, theirs), meets(second, theirs)
	VPANDQ(first, b.targets, check, b.targets)
	VPTERNLOGQ(orBoth.table(), first, b.us, pin, b.pins[direction%4])
}

// seen returns the squares of a ray from our king up to and including the first of the pieces on it, or all
// of the ray without any; and what returns the pieces beyond that.
func (b *batch) seen(direction int, pieces lanes) (squares lanes, beyond func() lanes) {
	ray := b.ray(direction)
	switch direction {
	case north, northEast, east, northWest:
		// The first piece is the lowest bit, and what subtracting 1 changes is all up to there.
		less := b.register()
		VPADDQ(b.ones, pieces, less)
		return becomes(b.copy(less), differIn, pieces, ray), func() lanes { return b.and(pieces, less) }
	default:
		// The first piece is the highest bit. Without any piece, the shift by 64 smears the sign over all squares.
		zeros, down := b.register(), b.register()
		VPLZCNTQ(pieces, zeros)
		VPSRAVQ(zeros, b.load(constant(1<<63)), down)
		return b.and(ray, down), func() lanes { return b.without(pieces, down) }
	}
}
