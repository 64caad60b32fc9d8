package faulty

import (
	"slices"
	"sort"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Moves returns the moves as the generator lists them, ordered by origin.
func (b *Board) Moves() []Move { return b.appendMoves(make([]Move, 0, 48), true) }

// appendMoves appends the moves, or the pseudo-legal ones.
func (b *Board) appendMoves(moves []Move, legal bool) []Move {
	var buffer [256]Move
	for _, m := range b.appendCandidates(buffer[:0]) {
		switch {
		case legal && m.breach != Exposes && b.isIllegal(m), m.breach != 0 && !b.is(m.breach, m):
		case m.breach == 0 && b.is(Refuses, m):
		case b.is(Repeats, m):
			moves = append(moves, m, m)
		default:
			moves = append(moves, m)
		}
	}
	return moves
}

// isIllegal reports whether the generator believes that a move leaves the king attacked.
func (b *Board) isIllegal(m Move) bool {
	if m.Castling && b.is(StandardAttacks, m) {
		c := b.castling(m)
		return b.attacked(bitboard.BitboardOf(c.king, c.kingTo, c.rookTo)) != 0
	}
	return b.exposed(m) != 0
}

// extraParts have a piece move where it may not.
var extraParts = []Part{CapturesOwn, Jumps, DoubleOver, DoubleOnto, DoubleFrom, PushCaptures, CapturesNothing,
	StaleEnPassant, Wraps, StepsBack}

// appendCandidates appends pseudo-legal moves, and moves that break a rule which the generator may
// overlook.
func (b *Board) appendCandidates(moves []Move) []Move {
	us := b.colors[b.side]
	if b.may(MovesEnemies) {
		us |= b.colors[b.side.Opponent()]
	}
	for s := range (us &^ b.unlisted).Squares() {
		n := len(moves)
		moves = b.appendTargets(moves, s, Right)
		if b.faults != nil {
			for _, part := range extraParts {
				if b.may(part) {
					moves = b.appendTargets(moves, s, part)
				}
			}
		}
		if b.at[s] == bitboard.PieceOf(b.side, bitboard.King) {
			moves = b.appendCastlings(moves, s)
		}
		if b.at[s].Color() != b.side {
			for i := n; i < len(moves); i++ {
				moves[i].breach = MovesEnemies
			}
		}
	}
	if b.may(Exposes) {
		for i, m := range moves {
			if m.breach == 0 && b.exposed(m) != 0 {
				moves[i].breach = Exposes
			}
		}
	}
	return moves
}

// appendTargets appends the moves of a piece, or those that a part adds.
func (b *Board) appendTargets(moves []Move, s square, part Part) []Move {
	for to := range b.targets(s, part).Squares() {
		if b.at[s].Type() == bitboard.Pawn {
			moves = b.appendPawn(moves, s, to, part)
		} else {
			moves = append(moves, Move{From: s, To: to, breach: part})
		}
	}
	return moves
}

func (b *Board) targets(s square, part Part) set {
	piece, occupied, own := b.at[s], b.occupied(), b.colors[b.side]
	reach := attacks.Of(piece, s, occupied)
	switch {
	case part == CapturesOwn:
		return reach & own &^ b.kinds[bitboard.King]
	case piece.Type() == bitboard.Pawn:
		return b.pawnTargets(s, part)
	case part == Right:
		return reach &^ own
	case part == Jumps:
		return attacks.Of(piece, s, occupied&^reach) &^ reach &^ own
	case part == Wraps:
		return wraps(s, piece.Type()) &^ reach &^ own
	}
	return 0
}

// wraps returns the steps of a piece as sums of square numbers, without a check of the board's
// edge.
func wraps(s square, t bitboard.PieceType) (to set) {
	steps := map[bitboard.PieceType][]int{bitboard.Knight: {6, 10, 15, 17}, bitboard.King: {1, 7, 8, 9}}
	for _, d := range steps[t] {
		to |= s.Bitboard()<<d | s.Bitboard()>>d
	}
	return to
}

func (b *Board) pawnTargets(s square, part Part) set {
	us, free, theirs := b.at[s].Color(), ^b.occupied(), b.colors[b.side.Opponent()]
	rank, own := s.Rank()^bitboard.Rank(us)*7, s.Bitboard()
	one, two, back := own<<8, own<<16, own>>8
	if us == bitboard.Black {
		one, two, back = own>>8, own>>16, own<<8
	}
	sides, passed := attacks.Pawn(us, s), set(0)
	if b.enPassant != none && rank == bitboard.Rank5 {
		passed = sides & b.enPassant.Bitboard() // whatever is there after a mistake
	}
	isSecond, isFree := rank == bitboard.Rank2, one&free != 0
	switch {
	case part == Right && isSecond && isFree:
		return one | two&free | sides&theirs
	case part == Right:
		return one&free | sides&theirs | passed
	case part == PushCaptures:
		return one & theirs
	case part == DoubleOnto && isSecond && isFree:
		return two & theirs
	case part == DoubleOver && isSecond && !isFree,
		part == DoubleFrom && bitboard.Rank2 < rank && rank < bitboard.Rank7 && isFree:
		return two & free
	case part == StepsBack && rank > bitboard.Rank2:
		return back & free
	case part == StaleEnPassant && rank == bitboard.Rank5:
		beside := b.pieces(us.Opponent(), bitboard.Pawn) & s.Rank().Mask()
		return sides & free & (beside<<8 | beside>>8) &^ passed
	case part == CapturesNothing:
		return sides & free &^ passed
	case part == Wraps:
		return (one<<1 | one>>1) & theirs &^ sides
	}
	return 0
}

// appendPawn appends a pawn's move, or its promotions, and the promotions of a mistake.
func (b *Board) appendPawn(moves []Move, from, to square, breach Part) []Move {
	add := func(t bitboard.PieceType, breach Part) {
		moves = append(moves, Move{From: from, To: to, Promotion: t, breach: breach})
	}
	rank := b.rank(to)
	isLast, isEarly := rank == bitboard.Rank8, rank == bitboard.Rank7 && b.may(PromotesEarly) && breach == 0
	if !isLast {
		add(bitboard.NoPieceType, breach)
		breach = max(breach, PromotesEarly)
	}
	lowest := bitboard.Knight
	if isLast && b.is(KeepsPawn, Move{From: from, To: to, Promotion: bitboard.Queen}) {
		lowest = bitboard.Queen // as which one move is read
	}
	for t := lowest; t <= bitboard.Queen && (isLast || isEarly); t++ {
		add(t, breach)
	}
	if isLast && b.may(StaysPawn) && breach == 0 {
		add(bitboard.NoPieceType, StaysPawn)
	}
	if isLast && b.may(PromotesToKing) && breach == 0 {
		add(bitboard.King, PromotesToKing)
	}
	return moves
}

func (b *Board) appendCastlings(moves []Move, king square) []Move {
	for w, rook := range b.rooks[b.side] {
		if rook != none && king == b.homes[b.side] {
			moves = b.appendCastling(moves, Move{From: king, To: rook, Castling: true})
		} else if b.may(CastlesUnentitled) && king.Rank() == backRank(b.side) {
			for rook := range (b.pieces(b.side, bitboard.Rook) & king.Rank().Mask()).Squares() {
				if wingOf(king, rook) == wing(w) {
					m := Move{From: king, To: rook, Castling: true, breach: CastlesUnentitled}
					moves = b.appendCastling(moves, m)
				}
			}
		}
	}
	return moves
}

func (b *Board) appendCastling(moves []Move, m Move) []Move {
	if b.may(KeepsRightsIfRook) && !b.hasRook(m) {
		return moves
	}
	if b.is(OuterRook, m) {
		rooks := b.pieces(b.side, bitboard.Rook) & m.From.Rank().Mask()
		if m.To = rooks.Last(); wingOf(m.From, m.To) == queenSide {
			m.To = rooks.First()
		}
	}
	c := b.castling(m)
	way := c.kingWay() | c.rookWay()
	if b.is(StandardPieces, m) {
		way = bitboard.Between(c.kingTo, c.rookTo).With(c.kingTo).With(c.rookTo)
	}
	if (way & b.occupied()).Without(c.king).Without(c.rook) != 0 {
		if m.breach != 0 || !b.may(CastlesBlocked) {
			return moves
		}
		m.breach = CastlesBlocked
	}
	return append(moves, m)
}

// Line is a move with the leaves below it.
type Line struct {
	Move
	Nodes uint64
}

// Unknown is a count below an impossible position, where engines differ.
const Unknown = 1<<64 - 1

// Divide counts the leaves below each move to a depth of 1 or more.
func (b *Board) Divide(depth int) (lines []Line) {
	switch {
	case b.may(PlyMore):
		depth++
	case b.may(PlyLess):
		depth = max(1, depth-1)
	}
	if b.drawn() {
		return nil
	}
	moves := b.Moves()
	if b.faults != nil && b.faults.place != nil {
		sort.SliceStable(moves, func(i, j int) bool { return b.faults.place(moves[i]) < b.faults.place(moves[j]) })
	}
	for _, m := range moves[:min(len(moves), b.limit(ListEnds))] {
		nodes := uint64(1)
		switch {
		case depth > 1:
			after := b.After(m)
			nodes = after.Count(depth - 1)
			*b = b.unmade(m, &after)
		case b.isUnsure(m):
			nodes = Unknown
		}
		if b.faults != nil {
			b.faults.row++
		}
		if nodes != Unknown {
			nodes = cut(nodes, b.limit(CutsCounts))
		}
		lines = append(lines, Line{m, nodes})
	}
	if b.faults != nil {
		b.faults.lastEnPassant = b.enPassant
	}
	return lines
}

// Total returns the total of a divide, as the generator prints it.
func (b *Board) Total(lines []Line) (total uint64) {
	for _, line := range lines {
		if line.Nodes == Unknown {
			return Unknown
		}
		total += line.Nodes
	}
	return cut(total, b.limit(CutsTotal))
}

func cut(n uint64, bits int) uint64 {
	if bits < 64 {
		n &= 1<<bits - 1
	}
	return n
}

// IsImpossible reports whether engines differ in what follows.
func (b *Board) IsImpossible() bool { return b.impossible }

// Count counts leaves, and leaves the board as its generator does.
func (b *Board) Count(depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case depth == 1 && b.may(LeavesRight):
		right := *b
		right.faults = nil
		return right.expand(1)
	case b.impossible && !b.may(CountsAlways):
		return Unknown
	case b.drawn():
		return 0
	case b.faults == nil || b.faults.table == nil || depth == 1:
		return b.expand(depth)
	}
	key, exact := b.keys(depth)
	if e, isKnown := b.faults.table[key]; isKnown {
		if e.exact != exact && e.row == b.faults.row && !b.may(CountsAlways) {
			return Unknown // which of two positions comes first is not known
		}
		return e.nodes
	}
	nodes := b.expand(depth)
	b.faults.table[key] = entry{nodes, exact, b.faults.row}
	return nodes
}

func (b *Board) expand(depth int) (nodes uint64) {
	var buffer [256]Move
	moves := b.appendMoves(buffer[:0], true)
	if b.may(AddsParents) {
		nodes++
	}
	switch limit := b.limit(ListEnds); {
	case len(moves) == 0 && b.countsEnd():
		return 1
	case depth == 1 && b.faults != nil && slices.ContainsFunc(moves, b.isUnsure):
		return Unknown
	case depth == 1:
		return nodes + b.leaves(moves[:min(len(moves), limit)])
	case len(moves) > limit: // which moves are lost depends on their order
		return Unknown
	}
	unmakes := b.faults != nil && b.faults.unmakes
	for _, m := range moves {
		after := b.After(m)
		below := after.Count(depth - 1)
		if below == Unknown {
			b.impossible = unmakes
			return Unknown
		}
		nodes += below
		before := b.unmade(m, &after)
		if !b.may(CountsAlways) && (before.isSpoiled || before.impossible) { // it is not known which moves follow
			b.impossible = true
			return Unknown
		}
		if unmakes {
			*b = before
		}
	}
	return nodes
}

// isUnsure reports whether engines differ in listing a castling: in place of the rook, it moves a
// piece of the opponent, which then attacks the king.
func (b *Board) isUnsure(m Move) bool {
	if !m.Castling || b.may(CountsAlways) {
		return false
	}
	piece := b.at[m.To]
	return piece != bitboard.NoPiece && piece.Color() != b.side && piece.Type() >= bitboard.Rook
}

func (b *Board) countsEnd() bool {
	return b.may(CountsEnd) || b.may(CountsMate) && b.checkers() != 0 || b.may(CountsStalemate) && b.checkers() == 0
}

func (b *Board) leaves(moves []Move) uint64 {
	leaves := len(moves)
	if b.may(PseudoLegalLeaves) {
		for _, m := range b.appendMoves(nil, false) {
			if b.exposed(m) != 0 && b.is(PseudoLegalLeaves, m) {
				leaves++
			}
		}
	}
	if b.may(LeafMisses) || b.may(LeafDoubles) {
		for _, m := range moves {
			if b.is(LeafDoubles, m) {
				leaves++
			}
			if b.is(LeafMisses, m) {
				leaves--
			}
		}
	}
	if leaves > b.limit(LeafOverflows) {
		return 0
	}
	return uint64(leaves)
}

func (b *Board) drawn() bool {
	heavy := b.kinds[bitboard.Pawn] | b.kinds[bitboard.Rook] | b.kinds[bitboard.Queen]
	for before := b.before; before != nil; before = before.before {
		if before.at == b.at && before.side == b.side && before.rooks == b.rooks {
			return true
		}
	}
	return b.may(DrawsByClock) && b.clock >= 100 || b.may(DrawsByMaterial) && heavy == 0 && b.occupied().Len() <= 3
}

type hashKey struct {
	at        [64]bitboard.Piece
	side      bitboard.Color
	rooks     [2][2]square
	enPassant square
	depth     int
}

type entry struct {
	nodes uint64
	exact hashKey
	row   int // of the divide
}

// keys returns the key of the generator, and one with all that matters.
func (b *Board) keys(depth int) (key, exact hashKey) {
	exact = hashKey{b.at, b.side, b.rooks, b.enPassant, depth}
	key = exact
	if b.may(HashesNoSide) {
		key.side = bitboard.White
	}
	if m := b.last.Move; m.Promotion != bitboard.NoPieceType && b.may(HashesNoPromotion) {
		key.at[m.To] = bitboard.PieceOf(b.side.Opponent(), bitboard.Pawn)
	}
	if b.may(HashesNoEnPassant) {
		key.enPassant = none
	}
	if b.may(HashesNoRights) {
		key.rooks = [2][2]square{}
	}
	if b.may(HashesNoDepth) {
		key.depth = 0
	}
	return key, exact
}
