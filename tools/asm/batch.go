package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// batch is the children of up to eight moves, one in each lane, as the side to reply, us, sees
// them.
type batch struct {
	*kernel
	width
	lane reg.Register // the lanes in use: what is in the others does not matter
	name string       // for labels

	us, pawns, knights, diagonals, orthogonals                       lanes
	them, theirPawns, theirKnights, theirDiagonals, theirOrthogonals lanes
	theirKing                                                        lanes
	occupancy                                                        lanes

	targets lanes    // where our pieces may go, the king aside: no piece of ours is there, and all checks end
	pins    [4]lanes // our pieces pinned to our king, by the line: a direction modulo four
	pinned  lanes    // all of them
	danger  lanes    // squares that they attack, as far as these matter to our king

	replies lanes // the count
}

// count writes all steps and returns the number of replies, by lane.
func (b *batch) count() lanes {
	b.makeMoves()
	b.findCheckAndPins()
	b.countPawns()
	b.countKnights()
	b.findDanger()
	b.countRookLines()
	b.findRookDanger()
	b.countBishopLines()
	b.countKing()
	return b.replies
}

// add counts squares, one reply for each.
func (b *batch) add(squares lanes) {
	n := b.register()
	VPOPCNTQ(squares, n)
	VPADDQ(n, b.replies, b.replies)
}

// along returns our pieces that may move along a line: all except those pinned to another line.
func (b *batch) along(line int, pieces lanes) lanes {
	return becomes(b.copy(pieces), whereSame, b.pinned, b.pins[line%4])
}

// label returns a label that only this batch has.
func (b *batch) label(name string) string { return name + "Of" + b.name }

// The bits of a move's origin, as the package has them.
const (
	placesPawn        = 1 << 6
	placesKnight      = 1 << 7
	placesDiagonal    = 1 << 8
	placesOrthogonal  = 1 << 9
	placesKing        = 1 << 10
	capturesEnPassant = 1 << 11
	castlesFirst      = 1 << 12
	castlesSecond     = 1 << 13
)

// makeMoves makes a move in each lane.
func (b *batch) makeMoves() {
	one, from, to, origins := b.load(constant(1)), b.register(), b.register(), b.register()
	VPMOVZXWQ_Z(b.scratch.field("moves.origins").Idx(b.next, 2), b.lane, origins)
	VPMOVZXBQ_Z(b.scratch.field("moves.to").Idx(b.next, 1), b.lane, to)
	// Rotations read the six lowest bits of their count only: the squares need not be masked.
	VPROLVQ(origins, one, from)
	VPROLVQ(to, one, to)
	both := b.or(from, to)
	does := func(bit uint64) reg.Register { return meets(constant(bit), origins) }

	ours := func(name string) lanes { return b.without(b.scratch.field(name), to) }
	b.us, b.pawns, b.knights = ours("us"), ours("pawns"), ours("knights")
	b.diagonals, b.orthogonals = ours("diagonals"), ours("orthogonals")

	theirs := func(name string, places uint64) lanes {
		pieces := b.without(b.scratch.field(name), both)
		VPORQ(to, pieces, does(places), pieces)
		return pieces
	}
	b.theirPawns, b.theirKnights = theirs("theirPawns", placesPawn), theirs("theirKnights", placesKnight)
	b.theirDiagonals = theirs("theirDiagonals", placesDiagonal)
	b.theirOrthogonals = theirs("theirOrthogonals", placesOrthogonal)
	b.theirKing = theirs("theirKing", placesKing)
	// A king that castles may end where it was, so that from may not be taken away after to has
	// been added.
	moved := logic(func(to, from, them bool) bool { return to || them && !from })
	b.them = becomes(b.copy(to), moved, from, b.scratch.field("them"))

	b.when(1<<castled, func() {
		for i, bit := range []uint64{castlesFirst, castlesSecond} {
			k := does(bit)
			difference := fmt.Sprintf("castled.%d.", i)
			VPXORQ_BCST(b.scratch.field(difference+"them"), b.them, k, b.them)
			VPXORQ_BCST(b.scratch.field(difference+"orthogonals"), b.theirOrthogonals, k, b.theirOrthogonals)
		}
	})
	b.when(1<<enPassant, func() {
		k, captured := does(capturesEnPassant), b.shift(to, 8)
		VPANDNQ(b.us, captured, k, b.us)
		VPANDNQ(b.pawns, captured, k, b.pawns)
	})
	b.occupancy = b.or(b.us, b.them)
}

// findCheckAndPins finds targets, pins and pinned. All checks narrow the same set of targets. No
// square ends two checks at once, so double check needs no case of its own.
func (b *batch) findCheckAndPins() {
	b.targets = b.xor(b.ones, b.us)
	for line := range b.pins {
		b.pins[line] = b.none()
	}
	for direction := range 8 {
		b.when(bits(checks, direction), func() { b.lookAlong(direction) })
	}
	b.when(1<<theirKnights, func() {
		b.endCheck(b.and(b.king.field("knights"), b.theirKnights))
	})
	b.endCheck(b.and(b.king.field("pawns"), b.theirPawns))
	b.pinned = becomes(b.or(b.pins[0], b.pins[1]), anyOf, b.pins[2], b.pins[3])
}

// endCheck narrows the targets to the checkers, where there are any: a leaper can only be captured.
func (b *batch) endCheck(checkers lanes) {
	VPANDQ(checkers, b.targets, meets(checkers, checkers), b.targets)
}

// ray returns the address of the ray from our king.
func (b *batch) ray(direction int) Mem { return b.king.field(fmt.Sprintf("rays.%d", direction)) }

// lookAlong follows a ray from our king: a slider of theirs that is the first piece there gives
// check, one that is the second pins the first, if that is ours.
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

// seen returns the squares of a ray from our king up to and including the first of the pieces on
// it, or the whole ray if there is none. beyond returns the pieces behind that one.
func (b *batch) seen(direction int, pieces lanes) (squares lanes, beyond func() lanes) {
	ray := b.ray(direction)
	switch direction {
	case north, northEast, east, northWest:
		// The first piece is the lowest bit, and what subtracting 1 changes is all up to there.
		less := b.register()
		VPADDQ(b.ones, pieces, less)
		return becomes(b.copy(less), differIn, pieces, ray), func() lanes { return b.and(pieces, less) }
	default:
		// The first piece is the highest bit. Without any piece, the shift by 64 smears the sign
		// over all squares.
		zeros, down := b.register(), b.register()
		VPLZCNTQ(pieces, zeros)
		VPSRAVQ(zeros, b.load(constant(1<<63)), down)
		return b.and(ray, down), func() lanes { return b.without(pieces, down) }
	}
}

// countPawns counts pawn moves by the squares they arrive on, and starts the count. Pushes and the
// captures of one side never meet: one count does for them.
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
	b.when(1<<promotions, func() {
		more, east := b.and(constant(rank1<<56), arrivals), b.and(constant(rank1<<56), captureEast)
		VPOPCNTQ(more, more)
		VPOPCNTQ(east, east)
		VPADDQ(east, more, more)
		for range 3 { // beyond the one that is counted
			VPADDQ(more, b.replies, b.replies)
		}
	})
}

// countKnights counts the moves of each knight of ours in the lanes in which it is neither captured
// nor pinned.
func (b *batch) countKnights() {
	free := b.without(b.knights, b.pinned)
	knight := structure{GP64(), b.scratch.inside("knightMoves")}
	left := GP64()
	loop, done := b.label("knight"), b.label("knights")
	LEAQ(b.scratch.field("knightMoves"), knight.base)
	MOVQ(b.scratch.field("knightCount"), left)
	TESTQ(left, left)
	JEQ(LabelRef(done))
	Label(loop)
	moves := b.register()
	VPANDQ_BCST_Z(knight.field("attacks"), b.targets, meets(knight.field("square"), free), moves)
	b.add(moves)
	ADDQ(U8(sizes.Sizeof(knight.kind)), knight.base)
	DECQ(left)
	JNE(LabelRef(loop))
	Label(done)
}

// Rooks, and queens as rooks, are counted by subtraction, of all of them at once: on a rank, o - 2r
// borrows from each rook r to the next piece of o to its east, and o ^ (o-2r) is what it attacks
// there. The other directions are the same on boards mirrored and turned.
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

// countBishopLines counts the moves of our bishops and queens along diagonals, and adds to the
// danger what theirs attack.
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

// floods returns the four directions, the two of a line together. Squares at the edge are never
// passed, which keeps a flood from wrapping around the board. Our king can be passed: it does not
// shield the squares behind it.
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
			// The king's own square is among these, which does no harm: ours cannot go there
			// anyway.
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

// countCastling counts a castling, in the lanes in which its rook is there and free, the path empty
// and the king's part of it not attacked.
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
