package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// batch holds the children of up to eight moves, one in each lane.
type batch struct {
	*kernel
	width
	lane reg.Register // the lanes in use
	name string       // for labels

	replier, pawns, knights, diagonals, orthogonals                   lanes
	mover, moverPawns, moverKnights, moverDiagonals, moverOrthogonals lanes
	moverKing                                                         lanes
	occupancy                                                         lanes

	targets lanes    // of pieces other than the king: not their own, and ending all checks
	pins    [4]lanes // by line, which is a direction modulo four
	pinned  lanes    // all
	danger  lanes    // attacked squares, if they matter to the king

	replies lanes
}

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

func (b *batch) add(squares lanes) {
	n := b.register()
	VPOPCNTQ(squares, n)
	VPADDQ(n, b.replies, b.replies)
}

// along returns the pieces that may move along a line: those not pinned to a different line.
func (b *batch) along(line int, pieces lanes) lanes {
	return becomes(b.copy(pieces), whereSame, b.pinned, b.pins[line%4])
}

func (b *batch) label(name string) string { return name + "Of" + b.name }

func (b *batch) makeMoves() {
	one, from, to, origins := b.load(constant(1)), b.register(), b.register(), b.register()
	VPMOVZXWQ_Z(b.scratch.field("moves.origins").Idx(b.next, 2), b.lane, origins)
	VPMOVZXBQ_Z(b.scratch.field("moves.to").Idx(b.next, 1), b.lane, to)
	// Rotations read only the six lowest bits of their count, so the squares need no mask.
	VPROLVQ(origins, one, from)
	VPROLVQ(to, one, to)
	both := b.or(from, to)
	does := func(bit string) reg.Register { return meets(constant(b.scratch.constant(bit)), origins) }

	uncaptured := func(name string) lanes { return b.without(b.scratch.field(name), to) }
	b.replier, b.pawns, b.knights = uncaptured("replier"), uncaptured("pawns"), uncaptured("knights")
	b.diagonals, b.orthogonals = uncaptured("diagonals"), uncaptured("orthogonals")

	placed := func(name, places string) lanes {
		pieces := b.without(b.scratch.field(name), both)
		VPORQ(to, pieces, does(places), pieces)
		return pieces
	}
	b.moverPawns, b.moverKnights = placed("moverPawns", "placesPawn"), placed("moverKnights", "placesKnight")
	b.moverDiagonals = placed("moverDiagonals", "placesDiagonal")
	b.moverOrthogonals = placed("moverOrthogonals", "placesOrthogonal")
	b.moverKing = placed("moverKing", "placesKing")
	// A castling king may end on its origin, so from must be removed before to is added.
	moved := logic(func(to, from, mover bool) bool { return to || mover && !from })
	b.mover = becomes(b.copy(to), moved, from, b.scratch.field("mover"))

	b.when(1<<castled, func() {
		for i, bit := range []string{"castlesFirst", "castlesSecond"} {
			k := does(bit)
			difference := fmt.Sprintf("castled.%d.", i)
			VPXORQ_BCST(b.scratch.field(difference+"mover"), b.mover, k, b.mover)
			VPXORQ_BCST(b.scratch.field(difference+"orthogonals"), b.moverOrthogonals, k, b.moverOrthogonals)
		}
	})
	b.occupancy = b.or(b.replier, b.mover)
}

// Every check narrows the same set of targets, so a double check needs no special case.
func (b *batch) findCheckAndPins() {
	b.targets = b.xor(b.ones, b.replier)
	for line := range b.pins {
		b.pins[line] = b.none()
	}
	for direction := range 8 {
		b.when(bits(checks, direction), func() { b.lookAlong(direction) })
	}
	b.when(1<<moverKnights, func() {
		b.endCheck(b.and(b.king.field("knights"), b.moverKnights))
	})
	b.endCheck(b.and(b.king.field("pawns"), b.moverPawns))
	b.pinned = becomes(b.or(b.pins[0], b.pins[1]), anyOf, b.pins[2], b.pins[3])
}

// A leaper can only be captured, so endCheck narrows the targets to the checkers.
func (b *batch) endCheck(checkers lanes) {
	VPANDQ(checkers, b.targets, meets(checkers, checkers), b.targets)
}

func (b *batch) ray(direction int) Mem { return b.king.field(fmt.Sprintf("rays.%d", direction)) }

// A slider of the mover gives check if it is the first piece on a ray from the king. If it is the
// second, it pins a first piece of the replier.
func (b *batch) lookAlong(direction int) {
	sliders := b.moverOrthogonals
	if direction%2 == 1 {
		sliders = b.moverDiagonals
	}
	first, beyond := b.seen(direction, b.and(b.ray(direction), b.occupancy))
	second, _ := b.seen(direction, beyond())
	check, pin := meets(first, sliders), meets(second, sliders)
	VPANDQ(first, b.targets, check, b.targets)
	VPTERNLOGQ(orBoth.table(), first, b.replier, pin, b.pins[direction%4])
}

// seen returns the squares of a ray from the king up to and including its first piece, or the whole
// ray. beyond returns the pieces behind the first.
func (b *batch) seen(direction int, pieces lanes) (squares lanes, beyond func() lanes) {
	ray := b.ray(direction)
	switch direction {
	case north, northEast, east, northWest:
		// The first piece is the lowest bit. Subtracting 1 changes all bits up to there.
		less := b.register()
		VPADDQ(b.ones, pieces, less)
		return becomes(b.copy(less), differIn, pieces, ray), func() lanes { return b.and(pieces, less) }
	default:
		// The first piece is the highest bit. Without a piece, a shift by 64 fills all squares.
		zeros, down := b.register(), b.register()
		VPLZCNTQ(pieces, zeros)
		VPSRAVQ(zeros, b.load(constant(1<<63)), down)
		return b.and(ray, down), func() lanes { return b.without(pieces, down) }
	}
}

// countPawns starts the count. One population count serves pushes and the captures to one side,
// because their targets differ.
func (b *batch) countPawns() {
	push := b.without(b.shift(b.along(north, b.pawns), 8), b.occupancy)
	free := logic(func(arrived, occupancy, rank4 bool) bool { return arrived && !occupancy && rank4 })
	double := becomes(b.shift(push, 8), free, b.occupancy, constant(rank1<<24))
	captured := b.and(b.mover, b.targets)
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
		inCore := structure{kind: b.scratch.inside("targets.pieces")}
		for range inCore.constant("MorePromotions") {
			VPADDQ(more, b.replies, b.replies)
		}
	})
}

// A knight moves in the lanes in which it is neither captured nor pinned.
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

// All rooks and queens are counted at once by subtraction. On a rank, o - 2r borrows from each rook
// r up to the next piece of o to its east, and o ^ (o-2r) is the set that it attacks there.
// Mirrored and turned boards give the other directions.
// Source: https://www.chessprogramming.org/Subtracting_a_Rook_from_a_Blocking_Piece

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

func (b *batch) findRookDanger() {
	b.when(bits(dangers, north, east, south, west), func() {
		open, rooks := b.withoutKing(b.occupancy), b.moverOrthogonals
		b.when(bits(dangers, east), func() {
			becomes(b.danger, orDiffer, open, b.borrowed(open, rooks))
		})
		b.when(bits(dangers, west), func() {
			VPORQ(b.mirrored(b.attackedEast(b.mirrored(open), b.mirrored(rooks))), b.danger, b.danger)
		})
		b.when(bits(dangers, north, south), func() {
			open, rooks := b.turned(open), b.turned(rooks)
			attacked := b.attackedEast(open, rooks) // to the south
			b.when(bits(dangers, north), func() {
				VPORQ(b.mirrored(b.attackedEast(b.mirrored(open), b.mirrored(rooks))), attacked, attacked)
			})
			VPORQ(b.mirrored(b.turnedBack(attacked)), b.danger, b.danger)
		})
	})
}

func (b *batch) attackedEast(occupancy, rooks lanes) lanes {
	return b.xor(occupancy, b.borrowed(occupancy, rooks))
}

// Bishops and queens fill the diagonals in three steps of doubling length.
// Source: https://www.chessprogramming.org/Kogge-Stone_Algorithm

type flood struct {
	direction, step int
	notWrapped      uint64   // files on which a step stays on the board
	passable        [3]lanes // one, two and four squares in a row
}

// countBishopLines also adds the attacks of the mover's bishops and queens to the danger.
func (b *batch) countBishopLines() {
	any := uint32(1 << diagonals)
	b.when(any|bits(dangers, northEast, southEast, southWest, northWest), func() {
		floods := b.floods()
		b.when(any, func() {
			var bishops lanes
			for i, f := range floods {
				if i%2 == 0 { // the opposite direction follows
					bishops = b.along(f.direction, b.diagonals)
				}
				b.countFlood(f, bishops)
			}
		})
		for _, f := range floods {
			b.when(bits(dangers, f.direction), func() {
				attacked := b.shift(b.flooded(f, b.moverDiagonals), f.step)
				becomes(b.danger, orBoth, attacked, constant(f.notWrapped))
			})
		}
	})
}

func (b *batch) countFlood(f flood, bishops lanes) {
	origins := b.flooded(f, bishops)
	targets := becomes(b.shift(origins, f.step), allOf, b.targets, constant(f.notWrapped))
	b.when(bits(peeks, f.direction), func() {
		// A bishop may have passed the king: remove the squares behind it.
		behind, _ := b.seen(f.direction, b.and(b.ray(f.direction), b.occupancy))
		VPANDNQ(targets, behind, meets(b.king.field("square"), origins), targets)
	})
	b.add(targets)
}

// flooded returns bishops and the passable squares in their way.
func (b *batch) flooded(f flood, bishops lanes) lanes {
	d := b.copy(bishops)
	for i, passable := range f.passable {
		becomes(d, orBoth, passable, b.shift(d, f.step<<i))
	}
	return d
}

// floods returns the four directions, with the two of a line side by side. Squares at the edge are
// not passable, so that no fill wraps around the board. The replier's king is passable, because it
// does not shield the squares behind it.
func (b *batch) floods() []flood {
	inner := constant(notFileA & notFileH)
	free := logic(func(king, occupancy, inner bool) bool { return (king || !occupancy) && inner })
	passable := becomes(b.load(b.king.field("square")), free, b.occupancy, inner)
	line := func(direction int, step int, notWrapped uint64, opposite uint64) []flood {
		two := b.and(passable, b.shift(passable, step))
		four := b.and(two, b.shift(two, 2*step))
		// For the opposite direction.
		twoBack, fourBack := b.shift(two, -step), b.shift(four, -3*step)
		return []flood{
			{direction, step, notWrapped, [3]lanes{passable, two, four}},
			{(direction + 4) % 8, -step, opposite, [3]lanes{passable, twoBack, fourBack}},
		}
	}
	return append(line(northEast, 9, notFileA, notFileH), line(northWest, 7, notFileH, notFileA)...)
}

func (b *batch) findDanger() {
	b.danger = b.none()
	b.when(1<<kingMoves, func() {
		bothSides := func(pieces lanes, files int) lanes {
			return b.or(b.sideways(pieces, files), b.sideways(pieces, -files))
		}
		VPSRLQ(U8(8), bothSides(b.moverPawns, 1), b.danger)
		b.when(1<<moverKnights, func() {
			near, far := bothSides(b.moverKnights, 1), bothSides(b.moverKnights, 2)
			becomes(b.danger, anyOf, b.shift(near, 16), b.shift(near, -16))
			becomes(b.danger, anyOf, b.shift(far, 8), b.shift(far, -8))
		})
		b.when(1<<moverKing, func() {
			// This includes the king's own square, which the replier's king cannot enter anyway.
			row := b.or(bothSides(b.moverKing, 1), b.moverKing)
			becomes(b.danger, anyOf, b.shift(row, 8), b.shift(row, -8))
			VPORQ(row, b.danger, b.danger)
		})
	})
}

func (b *batch) withoutKing(squares lanes) lanes {
	but := logic(func(_, squares, king bool) bool { return squares && !king })
	return becomes(b.copy(squares), but, squares, b.king.field("square"))
}

// The danger must be complete.
func (b *batch) countKing() {
	b.when(1<<kingMoves, func() {
		free := logic(func(danger, replier, attacks bool) bool { return attacks && !replier && !danger })
		b.add(becomes(b.copy(b.danger), free, b.replier, b.king.field("attacks")))
		for i := range 2 {
			b.countCastling(fmt.Sprintf("castlings.%d.", i))
		}
	})
}

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
