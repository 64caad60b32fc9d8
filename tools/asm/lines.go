package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Rooks, and queens as rooks, are counted by subtraction, of all of them at once: on a rank, o - 2r borrows from each
// rook r to the next piece of o to its east, and o ^ (o-2r) is what it attacks there. The other directions
// are the same on boards mirrored and turned.
// Source: https://www.chessprogramming.org/Subtracting_a_Rook_from_a_Blocking_Piece

// countRookLines counts the moves of our rooks and queens along ranks and files.
func (b *batch) countRookLines() {
	b.when(1<<orthogonals, func() {
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

// Bishops, and queens as bishops, flood the diagonals in three steps of doubling length.
// Source: https://www.chessprogramming.org/Kogge-Stone_Algorithm

// flood describes how one direction is flooded.
type flood struct {
	direction, step int
	notWrapped      uint64   // the files a step arrives on, if it does not leave the board
	passable        [3]lanes // squares reached by passing one, two, four squares that are free to pass
}

// countBishopLines counts the moves of our bishops and queens along diagonals, and adds to the danger what
// theirs attack.
func (b *batch) countBishopLines() {
	ours := uint32(1 << diagonals)
	b.when(ours|bits(dangers, northEast, southEast, southWest, northWest), func() {
		floods := b.floods()
		b.when(ours, func() {
			var bishops lanes
			for i, f := range floods {
				if i%2 == 0 { // the other direction of the line follows
					bishops = b.along(f.direction, b.diagonals)
				}
				b.countFlood(f, bishops)
			}
		})
		for _, f := range floods {
			b.when(bits(dangers, f.direction), func() {
				attacked := b.shift(b.flooded(f, b.theirDiagonals), f.step)
				becomes(b.danger, orBoth, attacked, constant(f.notWrapped))
			})
		}
	})
}

// countFlood counts the moves of bishops in one direction.
func (b *batch) countFlood(f flood, bishops lanes) {
	origins := b.flooded(f, bishops)
	targets := becomes(b.shift(origins, f.step), allOf, b.targets, constant(f.notWrapped))
	b.when(bits(peeks, f.direction), func() {
		// One of them may have come through our king: take away what it found behind.
		behind, _ := b.seen(f.direction, b.and(b.ray(f.direction), b.occupancy))
		VPANDNQ(targets, behind, meets(b.king.field("square"), origins), targets)
	})
	b.add(targets)
}

// flooded returns bishops and the free squares that they pass.
func (b *batch) flooded(f flood, bishops lanes) lanes {
	d := b.copy(bishops)
	for i, passable := range f.passable {
		becomes(d, orBoth, passable, b.shift(d, f.step<<i))
	}
	return d
}

// floods returns the four directions, the two of a line together. Squares at the edge are never passed, which
// keeps a flood from wrapping around the board. Our king can be passed: it does not shield the squares behind it.
func (b *batch) floods() []flood {
	inner := constant(notFileA & notFileH)
	free := logic(func(king, occupancy, inner bool) bool { return (king || !occupancy) && inner })
	passable := becomes(b.load(b.king.field("square")), free, b.occupancy, inner)
	line := func(direction int, step int, notWrapped uint64, opposite uint64) []flood {
		two := b.and(passable, b.shift(passable, step))
		four := b.and(two, b.shift(two, 2*step))
		// The same squares, for the opposite direction.
		twoBack, fourBack := b.shift(two, -step), b.shift(four, -3*step)
		return []flood{
			{direction, step, notWrapped, [3]lanes{passable, two, four}},
			{(direction + 4) % 8, -step, opposite, [3]lanes{passable, twoBack, fourBack}},
		}
	}
	return append(line(northEast, 9, notFileA, notFileH), line(northWest, 7, notFileH, notFileA)...)
}

// findDanger finds what their pawns, knights and king attack near our king.
func (b *batch) findDanger() {
	b.danger = b.none()
	b.when(1<<kingMoves, func() {
		bothSides := func(pieces lanes, files int) lanes {
			return b.or(b.sideways(pieces, files), b.sideways(pieces, -files))
		}
		VPSRLQ(U8(8), bothSides(b.theirPawns, 1), b.danger)
		b.when(1<<theirKnights, func() {
			near, far := bothSides(b.theirKnights, 1), bothSides(b.theirKnights, 2)
			becomes(b.danger, anyOf, b.shift(near, 16), b.shift(near, -16))
			becomes(b.danger, anyOf, b.shift(far, 8), b.shift(far, -8))
		})
		b.when(1<<theirKing, func() {
			// The king's own square is among these, which does no harm: ours cannot go there anyway.
			row := b.or(bothSides(b.theirKing, 1), b.theirKing)
			becomes(b.danger, anyOf, b.shift(row, 8), b.shift(row, -8))
			VPORQ(row, b.danger, b.danger)
		})
	})
}

// withoutKing returns squares except the one of our king.
func (b *batch) withoutKing(squares lanes) lanes {
	but := logic(func(_, squares, king bool) bool { return squares && !king })
	return becomes(b.copy(squares), but, squares, b.king.field("square"))
}

// countKing counts the moves of our king, once danger is complete.
func (b *batch) countKing() {
	b.when(1<<kingMoves, func() {
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
	rook := b.scratch.field(castling + "rook")
	CMPQ(rook, U8(0))
	skipIf(JEQ, func() {
		k := meets(rook, b.without(b.orthogonals, b.pinned))
		k = missesIn(k, b.scratch.field(castling+"empty"), b.occupancy)
		k = missesIn(k, b.scratch.field(castling+"unattacked"), b.danger)
		VPSUBQ(b.ones, b.replies, k, b.replies) // all ones are -1
	})
}
