package main

import (
	"go/types"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// preparation holds what all children of a node share. Most lanes are directions.
type preparation struct {
	width
	scratch, king, zone structure

	odd     reg.Register // the bishops' directions
	onBoard lanes        // the targets of steps on the board
	steps   [3]lanes     // by one, two and four steps

	replier, occupancy lanes
	sliders            lanes        // the replier's, by direction
	moverSliders       lanes        // the mover's
	attacks            lanes        // of the replier's sliders
	free               reg.Register // all lanes, or none if a slider of the replier may be pinned

	line      lanes         // from the king up to the replier's second piece
	kingZone  lanes         // from the targets of the king up to the replier's first piece
	wideZone  lanes         // of all children
	kingMoves reg.GPVirtual // its targets in any child

	to, from lanes // of listed moves, by kind
	pawns    lanes // where a piece stops a push or a double push, or can be captured to either side

	backwards       lanes // shuffles the bytes of a board
	listed, sources Mem   // by source: the targets of listed moves, and the origin, for pawns less the target

	freed [2]lanes // targets of free moves, by piece and by kind of pawn move
}

func writePreparation(pkg *types.Package) {
	p := preparation{
		scratch: newScratch(pkg), odd: K(), free: K(), listed: AllocLocal(2 * 64), sources: AllocLocal(2 * 64),
	}
	p.king, p.zone = p.scratch.pointed("king"), p.scratch.pointed("zone")
	p.register = func() lanes { return ZMM() }
	p.ones = p.register()
	VPTERNLOGQ(U8(0xff), p.ones, p.ones, p.ones)
	p.loadBoard()
	p.lookFromKing()
	p.findSensitive()
	p.list()
	p.sum()
	VZEROUPPER()
	RET()
}

func (p *preparation) loadBoard() {
	mask := GP32()
	MOVL(U32(0b10101010), mask)
	KMOVB(mask, p.odd)
	for i := range p.steps {
		p.steps[i] = p.vector(eachLane(func(direction int) uint64 { return rotations[direction] << i % 64 }))
	}
	p.onBoard = p.vector(byLane(onBoard))
	p.replier = p.load(p.scratch.field("replier"))
	p.occupancy = p.or(p.replier, p.load(p.scratch.field("mover")))
	p.sliders = p.byDirection("orthogonals", "diagonals")
	p.moverSliders = p.byDirection("moverOrthogonals", "moverDiagonals")
}

// By the compass: a step as a rotation of the board, and the targets of steps on the board.
var (
	rotations = [8]uint64{8, 9, 1, 64 - 7, 64 - 8, 64 - 9, 64 - 1, 7}
	onBoard   = [8]uint64{
		north: notRank1, northEast: notRank1 & notFileA, east: notFileA, southEast: notRank8 & notFileA,
		south: notRank8, southWest: notRank8 & notFileH, west: notFileH, northWest: notRank1 & notFileH,
	}
)

func (p *preparation) vector(m Mem) lanes { return p.put(VMOVDQU64, m) }

func (p *preparation) broadcast(x reg.GPVirtual) lanes { return p.put(VPBROADCASTQ, x) }

func (p *preparation) byDirection(orthogonals, diagonals string) lanes {
	d := p.load(p.scratch.field(orthogonals))
	VPBROADCASTQ(p.scratch.field(diagonals), p.odd, d)
	return d
}

// where returns x in the lanes k, and empty sets in the others.
func (p *preparation) where(k reg.Register, x lanes) lanes {
	d := p.register()
	VMOVDQA64_Z(x, k, d)
	return d
}

func (p *preparation) step(x lanes, n int) lanes { return p.put(VPROLVQ, p.steps[n], x) }

func (p *preparation) stepBack(x lanes) lanes { return p.put(VPRORVQ, p.steps[0], x) }

func (p *preparation) passing(passable lanes) [3]lanes {
	two := p.and(passable, p.step(passable, 0))
	return [3]lanes{passable, two, p.and(two, p.step(two, 1))}
}

// Source: https://www.chessprogramming.org/Kogge-Stone_Algorithm
func (p *preparation) attacked(pieces lanes, passing [3]lanes) lanes {
	d := p.copy(pieces)
	for i, passable := range passing {
		becomes(d, orBoth, passable, p.step(d, i))
	}
	return p.and(p.onBoard, p.step(d, 0))
}

// reversed reverses the boards of the directions to lower squares, so that the first piece on every
// ray is the lowest bit.
func (p *preparation) reversed(x lanes) lanes {
	var bits, bytes [8]uint64
	for i, rotation := range rotations {
		bits[i], bytes[i] = diagonalA8H1, 0x0706050403020100+secondHalf(i)
		if rotation > 32 {
			bits[i], bytes[i] = diagonalA1H8, 0x0001020304050607+secondHalf(i)
		}
	}
	return p.put(VPSHUFB, byLane(bytes), p.put(VGF2P8AFFINEQB, U8(0), byLane(bits), x))
}

const eightBytes = 0x0808080808080808 // 8 in each byte

// Shuffles number the bytes of two lanes together.
func secondHalf(lane int) uint64 { return uint64(lane%2) * eightBytes }

// inLanes returns all squares in the given lanes, and empty sets in the others.
func (p *preparation) inLanes(all ...int) lanes {
	var values [8]uint64
	for _, lane := range all {
		values[lane] = ^uint64(0)
	}
	return p.vector(byLane(values))
}

// union returns the union of all lanes or, with two levels, of the even or the odd lanes.
func (p *preparation) union(x lanes, levels int) lanes {
	for level := range levels {
		x = p.or(x, p.swapped(level, x))
	}
	return x
}

func (p *preparation) lookFromKing() {
	s := p.scratch
	rays := p.vector(p.king.field("rays"))
	pieces := p.reversed(p.and(rays, p.replier))           // a captured piece leaves its captor there
	behind := p.and(pieces, p.put(VPADDQ, p.ones, pieces)) // all but the first
	p.line = p.and(rays, p.reversed(p.xor(behind, p.put(VPADDQ, p.ones, behind))))

	replier, targets, captured := GP64(), GP64(), GP64()
	MOVQ(s.field("replier"), replier)
	ANDNQ(p.king.field("attacks"), replier, targets)
	ORQ(s.field("castlings.0.unattacked"), targets)
	ORQ(s.field("castlings.1.unattacked"), targets)
	MOVQ(s.field("targets.union"), captured)
	for _, set := range []string{"CaptureWest", "CaptureEast", "king.To"} {
		ORQ(s.field("targets."+set), captured)
	}
	BSWAPQ(captured)
	p.kingMoves = GP64()
	ANDNQ(replier, captured, p.kingMoves) // pieces that cannot be captured
	ANDNQ(p.king.field("attacks"), p.kingMoves, p.kingMoves)
	ORQ(targets, p.kingMoves)

	seen := logic(func(king, replier, onBoard bool) bool { return (king || !replier) && onBoard })
	passing := p.passing(becomes(p.load(p.king.field("square")), seen, p.replier, p.onBoard))
	p.kingZone = p.attacked(p.broadcast(targets), passing)
	p.wideZone = p.attacked(p.broadcast(p.kingMoves), passing)

	// The squares that matter to one kind of piece only.
	kings, knights, pawns, east := GP64(), GP64(), GP64(), GP64()
	XORQ(kings, kings)
	MOVQ(p.king.field("knights"), knights)
	TESTQ(targets, targets)
	CMOVQNE(p.zone.field("kings"), kings)
	CMOVQNE(p.zone.field("knights"), knights)
	ORQ(p.king.field("square"), targets)
	MOVQ(U64(notFileA), pawns)
	MOVQ(U64(notFileH), east)
	ANDQ(targets, pawns)
	ANDQ(targets, east)
	SHLQ(U8(7), pawns)
	SHLQ(U8(9), east)
	ORQ(east, pawns)
	low, high := XMM(), XMM()
	VMOVQ(kings, low)
	VPINSRQ(U8(pawn), pawns, low, low)
	VMOVQ(knights, high)
	VINSERTI64X2(U8(1), high, low.AsY(), low.AsY())
	sliders := p.union(p.or(p.line, p.kingZone), 2)
	p.to = p.or(low.AsZ(), p.and(sliders, p.inLanes(bishop, rook, queen)))
	becomes(p.to, orBoth, p.swapped(2, sliders), p.inLanes(queen))
}

// The kinds of moves, as in package core.
const (
	king = iota
	pawn
	knight
	bishop
	rook
	queen
)

// findSensitive finds the origins and targets that make a move listed.
func (p *preparation) findSensitive() {
	s := p.scratch
	p.attacks = p.attacked(p.sliders, p.passing(p.without(p.onBoard, p.occupancy)))
	// A piece on the last square before the edge or a piece of the replier takes no target away.
	leaving := p.and(p.attacks, p.stepBack(p.without(p.onBoard, p.replier)))

	checks := p.union(p.where(meets(p.line, p.moverSliders), p.line), 3)
	pinned := p.and(checks, p.replier) // possibly
	sliders := p.or(p.load(s.field("orthogonals")), p.load(s.field("diagonals")))
	VPTESTNMQ(pinned, sliders, p.free)

	// Pawns that are pinned or may promote are not summed.
	apart := logic(func(pawns, pinned, rank7 bool) bool { return pawns && (pinned || rank7) })
	pawns := p.load(s.field("pawns"))
	still := becomes(p.copy(pawns), apart, pinned, constant(rank1<<48))
	moving := p.stopped(p.xor(pawns, still))

	common := p.or(p.where(meets(p.kingZone, p.moverSliders), p.kingZone), p.stopped(still))
	bound := K()
	KNOTB(p.free, bound)
	becomes(common, anyOf, p.where(bound, leaving), checks)
	becomes(common, anyOf, p.replier, p.load(s.field("castlings.0.empty")))
	common = p.union(p.or(common, p.load(s.field("castlings.1.empty"))), 3)
	p.to = p.or(p.to, common)
	p.from = p.or(p.to, p.union(p.or(leaving, moving), 3))

	// A piece on the first square of a double push also stops it.
	empty := logic(func(squares, occupancy, lanes bool) bool { return squares && !(occupancy && lanes) })
	p.pawns = becomes(moving, empty, p.occupancy, p.inLanes(0, 1))
	becomes(p.pawns, empty, p.shift(p.occupancy, 8), p.inLanes(1))
	becomes(p.pawns, orBoth, p.shift(p.pawns, -8), p.inLanes(1))
}

// stopped returns the squares where a piece of the mover matters to the replier's pawns: one and
// two before them, and the attacked ones to the west and east.
func (p *preparation) stopped(pawns lanes) lanes {
	d := p.and(pawns, p.vector(byLane([8]uint64{^uint64(0), rank1 << 8, notFileA, notFileH})))
	VPSLLVQ(byLane([8]uint64{8, 16, 7, 9}), d, d)
	return d
}

// list lists the moves that are not free and finds the targets of the others.
func (p *preparation) list() {
	p.backwards = p.vector(eachLane(func(lane int) uint64 { return 0x0001020304050607 + secondHalf(lane) }))
	pieces, pawns := p.listPieces(), p.listPawns()
	left, more := GP32(), GP32()
	KMOVB(pieces, left)
	KMOVB(pawns, more)
	SHLL(U8(8), more)
	ORL(more, left)
	p.listSources(left)
}

func (p *preparation) flipped(x lanes) lanes { return p.put(VPSHUFB, p.backwards, x) }

// divide divides targets by a limit into free and listed moves, and returns the lanes with listed ones.
func (p *preparation) divide(source int, to, limit, origins lanes) (listed reg.Register) {
	p.freed[source] = p.without(to, limit)
	VPANDQ(limit, to, limit)
	VMOVDQU64(limit, p.listed.Offset(64*source))
	VMOVDQU64(origins, p.sources.Offset(64*source))
	return meets(limit, limit)
}

// listPieces takes the first eight pieces, by lane. The others are already listed.
func (p *preparation) listPieces() (listed reg.Register) {
	s := p.scratch
	count, used, valid := GP32(), GP32(), K()
	MOVBLZX(s.field("targets.ends.3"), count)
	INCL(count)
	MOVL(U32(0xff), used)
	BZHIL(count, used, used)
	KMOVB(used, valid)
	piece := structure{s.base, s.inside("targets.pieces")}
	pieces := s.field("targets.pieces")
	split := func(first uint64) lanes {
		d := p.vector(pieces)
		words := p.vector(eachLane(func(lane int) uint64 { return first + uint64(2*lane) }))
		VPERMT2Q_Z(pieces.Offset(64), words, valid, d)
		return d
	}
	to, origins := p.flipped(split(uint64(piece.field("To").Disp/8))), split(uint64(piece.field("From").Disp/8))
	kindAt := 8*(piece.field("origin").Disp-piece.field("From").Disp) + int(piece.constant("kindShift"))
	kinds := p.shift(origins, -kindAt)
	byKind := func(table lanes) lanes { return p.put(VPERMQ, table, kinds) }
	limit, from := byKind(p.to), p.load(constant(1))
	VPXORQ_BCST(constant(56), origins, origins)
	VPROLVQ(origins, from, from)
	sensitive := meets(from, byKind(p.from))
	VPTERNLOGQ(U8(0xff), limit, limit, sensitive, limit)
	within := logic(func(squares, places, lowest bool) bool { return squares && lowest || places })
	bit := s.constant
	places := p.vector(byLane([8]uint64{
		king: bit("placesKing"), pawn: bit("placesPawn"), knight: bit("placesKnight"), bishop: bit("placesDiagonal"),
		rook: bit("placesOrthogonal"), queen: bit("placesDiagonal") | bit("placesOrthogonal"),
	}))
	becomes(origins, within, byKind(places), constant(63))
	listed = p.divide(0, to, limit, origins)
	p.findParts(to, origins)
	return listed
}

// listPawns takes the pawns, in the order of the fields. Their promotions are already listed.
func (p *preparation) listPawns() (listed reg.Register) {
	four := p.register().(reg.VecVirtual)
	VMOVDQU64(p.scratch.field("targets.Push"), four.AsY())
	to := p.without(p.flipped(four), p.load(constant(rank1)))
	pawnAt := p.load(constant(pawn))
	origin := p.put(VPERMQ, p.from, pawnAt)
	VPSRLVQ(byLane([8]uint64{8, 16, 9, 7}), origin, origin)
	limits := p.or(p.put(VPERMQ, p.to, pawnAt), origin)
	const fromTarget = 0xffff0000
	base := fromTarget | p.scratch.constant("placesPawn")
	return p.divide(1, to, limits, p.vector(byLane([8]uint64{base + 8, base + 16, base + 9, base + 7})))
}

func (p *preparation) listSources(left reg.GPVirtual) {
	s := p.scratch
	squares := p.vector(eachLane(func(lane int) uint64 { return 0x0706050403020100 + uint64(lane)*eightBytes }))
	end, source, n := GP64(), GP64(), GP64()
	XORQ(source, source)
	MOVQ(s.field("moves.end"), end)
	JMP(LabelRef("more"))

	Label("source")
	TZCNTL(left, source.As32())
	BLSRL(left, left)
	k, to := K(), p.register().(reg.VecVirtual)
	KMOVQ(p.listed.Idx(source, 8), k)
	VPCOMPRESSB_Z(squares, k, to)
	first := s.field("moves.to").Idx(end, 1)
	store := func(quarter lanes, at int) {
		origins, part := YMM(), YMM()
		VPMOVZXBW(quarter, origins)
		VPBROADCASTW(p.sources.Offset(2).Idx(source, 8), part)
		VPANDQ(part, origins, origins)
		VPBROADCASTW(p.sources.Idx(source, 8), part)
		VPADDW(part, origins, origins)
		VMOVDQU16(origins, s.field("moves.origins").Offset(2*at).Idx(end, 2))
	}
	VMOVDQU8(to.AsX(), first)
	store(to.AsX(), 0)
	POPCNTQ(p.listed.Idx(source, 8), n)
	CMPQ(n, U8(16))
	skipIf(JLE, func() {
		VMOVDQU8(to, first)
		for i := 1; i < 4; i++ {
			quarter := XMM()
			VEXTRACTI64X2(U8(i), to, quarter)
			store(quarter, 16*i)
		}
	})
	ADDQ(n, end)
	Label("more")
	TESTL(left, left)
	JNE(LabelRef("source"))
	MOVQ(end, s.field("moves.end"))
}

func (p *preparation) findParts(to, origins lanes) {
	s := p.scratch
	parts, mask := GP64(), GP32()
	MOVL(s.field("parts"), parts.As32())
	find := func(purpose int, squares, pieces lanes) {
		KMOVB(meets(squares, pieces), mask)
		if purpose != checks { // in the opposite direction
			ROLB(U8(4), mask.As8())
			SHLL(U8(purpose), mask)
		}
		ORL(mask, parts.As32())
	}
	flag := func(bit int) { // by the result of the last test
		SETNE(mask.As8())
		MOVBLZX(mask.As8(), mask)
		SHLL(U8(bit), mask)
		ORL(mask, parts.As32())
	}
	orthogonal := p.where(meets(constant(s.constant("placesOrthogonal")), origins), to)
	diagonal := p.where(meets(constant(s.constant("placesDiagonal")), origins), to)
	reach := p.or(p.put(VPUNPCKLQDQ, diagonal, orthogonal), p.put(VPUNPCKHQDQ, diagonal, orthogonal))
	reach = p.union(reach, 2)
	reach = p.or(reach, p.byDirection("reach.orthogonals", "reach.diagonals"))
	find(checks, p.line, reach)
	find(dangers, p.wideZone, reach)
	find(peeks, p.line, p.sliders)

	leapers := func(bit int, places string, reach Mem, squares reg.GPVirtual) {
		arriving, all, some := meets(constant(s.constant(places)), origins), p.broadcast(squares), K()
		VPTESTMQ(to, all, arriving, some)
		KMOVB(some, mask)
		ANDQ(reach, squares)
		ORQ(mask.As64(), squares)
		flag(bit)
	}
	knights, kings := GP64(), GP64()
	XORQ(kings, kings)
	MOVQ(p.king.field("knights"), knights)
	TESTQ(p.kingMoves, p.kingMoves)
	CMOVQNE(p.zone.field("knights"), knights)
	CMOVQNE(p.zone.field("kings"), kings)
	flag(kingMoves)
	leapers(moverKnights, "placesKnight", s.field("reach.knights"), knights)
	leapers(moverKing, "placesKing", s.field("reach.king"), kings)
	CMPQ(s.field("orthogonals"), U8(0))
	flag(orthogonals)
	CMPQ(s.field("diagonals"), U8(0))
	flag(diagonals)
	MOVQ(U64(rank1<<48), kings)
	TESTQ(kings, s.field("pawns"))
	flag(promotions)
	MOVL(parts.As32(), s.field("parts"))
}

func (p *preparation) sum() {
	n := p.arrivals()
	// A move to a square that a slider attacks takes away the squares beyond. beyond[i] contains
	// the targets with at least i squares beyond, from which follow the bits of the number.
	losses := p.none()
	TESTL(U32(1<<orthogonals|1<<diagonals), p.scratch.field("parts"))
	skipIf(JEQ, func() {
		open, through := p.register(), p.register()
		VPANDNQ_Z(p.attacks, p.replier, p.free, open)
		VPANDNQ(open, p.occupancy, through)
		beyond := [7]lanes{1: p.stepBack(open)}
		for i := 2; i < len(beyond); i++ {
			beyond[i] = p.stepBack(p.and(beyond[i-1], through))
		}
		twos := becomes(p.copy(beyond[2]), oddOf, beyond[4], beyond[6])
		ones := becomes(p.xor(twos, beyond[1]), oddOf, beyond[3], beyond[5])
		VMOVDQA64(p.product(n[:], []lanes{ones, twos, beyond[4]}), losses)
	})

	// A fifth lane counts the free moves.
	const lane = 4
	pawns := p.product(n[:], []lanes{p.or(p.pawns, p.inLanes(lane))})
	free := YMM()
	VEXTRACTI64X4(U8(1), pawns, free)
	VMOVQ(free.AsX(), p.scratch.field("free"))
	// Lost pushes count negatively: -x is ^x+1.
	negated := logic(func(n, lost, all bool) bool { return n != lost && all })
	lost := p.inLanes(0, 1)
	becomes(pawns, negated, lost, p.inLanes(0, 1, 2, 3))
	VPSUBQ(lost, pawns, pawns)
	VPSUBQ(losses, pawns, pawns)
	VMOVDQU64(pawns, p.scratch.field("change"))
}

// arrivals returns the bits of the number of free moves to each square, in all lanes. There are
// twelve sources, each with at most one move to a square.
func (p *preparation) arrivals() [4]lanes {
	a, b := p.freed[0], p.freed[1]
	majority := logic(func(a, b, c bool) bool { return a && b || c && (a || b) })
	bits := []lanes{p.xor(a, b), p.and(a, b)}
	for level := range 3 {
		var sum []lanes
		var carry lanes
		for i, x := range bits {
			y := p.swapped(level, x)
			if i == 0 {
				sum, carry = append(sum, p.xor(x, y)), p.and(x, y)
				continue
			}
			sum = append(sum, becomes(p.copy(x), oddOf, y, carry))
			if i < 3 {
				carry = becomes(p.copy(x), majority, y, carry)
			}
		}
		if len(sum) < 4 {
			sum = append(sum, carry)
		}
		bits = sum
	}
	return [4]lanes(bits)
}

// product returns, for each lane, the sum over all squares of the product of two numbers, given by
// their bits.
func (p *preparation) product(a, b []lanes) lanes {
	sums := make([]lanes, len(a)+len(b)-1)
	for i := range a {
		for j := range b {
			x := p.and(a[i], b[j])
			VPOPCNTQ(x, x)
			if sums[i+j] != nil {
				VPADDQ(sums[i+j], x, x)
			}
			sums[i+j] = x
		}
	}
	for i := len(sums) - 1; i > 0; i-- {
		VPADDQ(sums[i], sums[i], sums[i])
		VPADDQ(sums[i], sums[i-1], sums[i-1])
	}
	return sums[0]
}
