package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// Rooks, and queens as rooks, are counted by subtraction, of all of them at once: on a rank, o - 2r borrows from each
// rook r to the next piece of o to its east, and o ^ (o-2r) is what it attacks there. The other directions
// are the same on boards mirrored and turned.
// Source: https://www.chessprogramming.org/Subtracting_a_Rook_from_a_Blocking_Piece

// countRookLines counts the moves of our rooks and queens along ranks and files.
func (b *batch) countRookLines() {
	b.when(bits(sliders, north), func() {
		onRanks, onFiles := b.along(east, b.orthogonals), b.along(north, b.orthogonals)
		b.countEast(b.occupancy, onRanks, b.targets)
		b.countEast(b.mirrored(b.occupancy), b.mirrored(onRanks), b.mirrored(b.targets))
		occupancy, rooks, targets := b.turned(b.occupancy), b.turned(onFiles), b.turned(b.targets)
		b.countEast(occupancy, rooks, targets)
		b.countEast(b.mirrored(occupancy), b.mirrored(rooks), b.mirrored(targets))
	})
}

// countEast counts the moves to the east of rooks.
func (b *batch) countEast(occupancy, rooks, targets lanes) {
	b.add(becomes(b.borrowed(occupancy, rooks), differIn, occupancy, targets))
}

// borrowed returns o - 2r, rank by rank.
func (b *batch) borrowed(occupancy, rooks lanes) lanes {
	d := b.register()
	VPADDB(rooks, rooks, d)
	VPSUBB(d, occupancy, d)
	return d
}

// findRookDanger adds what their rooks and queens attack on ranks and files.
func (b *batch) findRookDanger() {
	b.when(bits(dangers, north, east, south, west), func() {
		open, rooks := b.withoutKing(b.occupancy), b.theirOrthogonals
		b.when(bits(dangers, east), func() {
			becomes(b.danger, orDiffer, open, b.borrowed(open, rooks))
		})
		b.when(bits(dangers, west), func() {
			VPORQ(b.mirrored(b.attackedEast(b.mirrored(open), b.mirrored(rooks))), b.danger, b.danger)
		})
		b.when(bits(dangers, north, south), func() {
			open, rooks := b.turned(open), b.turned(rooks)
			attacked := b.attackedEast(open, rooks) // which is to the south
			b.when(bits(dangers, north), func() {
				VPORQ(b.mirrored(b.attackedEast(b.mirrored(open), b.mirrored(rooks))), attacked, attacked)
			})
			VPORQ(b.mirrored(b.turnedBack(attacked)), b.danger, b.danger)
		})
	})
}

// attackedEast returns the squares that rooks attack to the east.
func (b *batch) attackedEast(occupancy, rooks lanes) lanes {
	return b.xor(occupancy, b.borrowed(occupancy, rooks))
}
