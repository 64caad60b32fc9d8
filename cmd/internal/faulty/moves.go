package faulty

import (
	"math/bits"
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Moves returns the moves as the generator lists them, ordered by origin.
func (b *Board) Moves() []Move { return b.appendMoves(make([]Move, 0, 48), true) }

// appendMoves appends the moves, or the pseudo-legal ones.
func (b *Board) appendMoves(moves []Move, legal bool) []Move {
	var buffer [256]Move
	candidates := b.appendCandidates(buffer[:0])
	isDouble := b.twice != 0 && b.checkers()&b.twice != 0 // a piece that is listed twice checks twice
	for _, m := range candidates {
		if isDouble && b.at[m.From].Type() != bitboard.King {
			continue
		}
		if legal && m.breach != Exposes && b.isIllegal(m) || m.breach != 0 && !b.is(m.breach, m) {
			continue
		}
		if m.breach == 0 && b.is(Refuses, m) {
			continue
		}
		if moves = append(moves, m); b.is(Repeats, m) {
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

// appendCandidates appends pseudo-legal moves, and moves that break a rule which the generator may
// overlook.
func (b *Board) appendCandidates(moves []Move) []Move {
	us := b.colors[b.side]
	if b.may(MovesEnemies) {
		us |= b.colors[b.side.Opponent()]
	}
	exposes := b.may(Exposes)
	n := len(moves)
	for s := range (us &^ b.unlisted).Squares() {
		switch b.at[s].Type() {
		case bitboard.Pawn:
			moves = b.appendPawn(moves, s)
		case bitboard.King:
			moves = b.appendPiece(moves, s)
			if b.at[s].Color() == b.side {
				moves = b.appendCastlings(moves, s)
			}
		default:
			moves = b.appendPiece(moves, s)
		}
		if b.twice.Has(s) {
			moves = append(moves, moves[n:]...)
		}
		if b.at[s].Color() != b.side {
			for i := n; i < len(moves); i++ {
				moves[i].breach = MovesEnemies
			}
		}
		n = len(moves)
	}
	if exposes {
		for i, m := range moves {
			if m.breach == 0 && b.exposed(m) != 0 {
				moves[i].breach = Exposes
			}
		}
	}
	return moves
}

// appendPiece appends the moves of another piece than a pawn.
func (b *Board) appendPiece(moves []Move, s square) []Move {
	piece, occupied := b.at[s], b.occupied()
	targets := attacks.Of(piece, s, occupied)
	own := b.colors[b.side]
	for to := range (targets &^ own).Squares() {
		moves = append(moves, Move{From: s, To: to})
	}
	if b.may(CapturesOwn) {
		for to := range (targets & own &^ b.kinds[bitboard.King]).Squares() {
			moves = append(moves, Move{From: s, To: to, breach: CapturesOwn})
		}
	}
	if b.may(Jumps) && piece.Type() >= bitboard.Bishop && piece.Type() <= bitboard.Queen {
		beyond := attacks.Of(piece, s, occupied&^targets) &^ targets &^ own
		for to := range beyond.Squares() {
			moves = append(moves, Move{From: s, To: to, breach: Jumps})
		}
	}
	if b.may(Wraps) {
		moves = b.appendWraps(moves, s, targets)
	}
	return moves
}

// deltas are the steps of pieces as differences of square numbers.
var deltas = map[bitboard.PieceType][]int{
	bitboard.Knight: {-17, -15, -10, -6, 6, 10, 15, 17},
	bitboard.King:   {-9, -8, -7, -1, 1, 7, 8, 9},
}

// appendWraps appends steps over the edge of the board, as sums of square numbers without a check.
func (b *Board) appendWraps(moves []Move, s square, targets set) []Move {
	for _, d := range deltas[b.at[s].Type()] {
		to := int(s) + d
		if 0 <= to && to < 64 && !targets.Has(square(to)) && !b.colors[b.side].Has(square(to)) {
			moves = append(moves, Move{From: s, To: square(to), breach: Wraps})
		}
	}
	return moves
}

// appendPawn appends the moves of a pawn.
func (b *Board) appendPawn(moves []Move, s square) []Move {
	us, occupied := b.at[s].Color(), b.occupied()
	ahead := 8 - 16*int(us)
	at := func(n int) (square, bool) {
		to := int(s) + n*ahead
		return square(to), 0 <= to && to < 64
	}
	one, onBoard := at(1)
	two, hasTwo := at(2)
	rank := s.Rank() ^ bitboard.Rank(us)*7
	oneFree := onBoard && !occupied.Has(one)
	if oneFree {
		moves = b.appendPromotions(moves, s, one, 0)
	} else if onBoard && b.may(PushCaptures) && b.colors[us.Opponent()].Has(one) {
		moves = b.appendPromotions(moves, s, one, PushCaptures)
	}
	switch {
	case !hasTwo:
	case rank == bitboard.Rank2 && oneFree && !occupied.Has(two):
		moves = append(moves, Move{From: s, To: two})
	case rank == bitboard.Rank2 && oneFree && b.colors[us.Opponent()].Has(two) && b.may(DoubleOnto):
		moves = append(moves, Move{From: s, To: two, breach: DoubleOnto})
	case rank == bitboard.Rank2 && !oneFree && !occupied.Has(two) && b.may(DoubleOver):
		moves = append(moves, Move{From: s, To: two, breach: DoubleOver})
	case rank > bitboard.Rank2 && rank < bitboard.Rank7 && oneFree && !occupied.Has(two) && b.may(DoubleFrom):
		moves = append(moves, Move{From: s, To: two, breach: DoubleFrom})
	}
	if back, ok := at(-1); ok && rank > bitboard.Rank2 && b.may(StepsBack) && !occupied.Has(back) {
		moves = append(moves, Move{From: s, To: back, breach: StepsBack})
	}
	targets := attacks.Pawn(us, s)
	for to := range targets.Squares() {
		switch {
		case to == b.enPassant && rank == bitboard.Rank5: // whatever stands there after a mistake
			moves = append(moves, Move{From: s, To: to})
		case b.colors[b.side.Opponent()].Has(to):
			moves = b.appendPromotions(moves, s, to, 0)
		case b.colors[b.side].Has(to):
			if b.may(CapturesOwn) && b.at[to].Type() != bitboard.King {
				moves = b.appendPromotions(moves, s, to, CapturesOwn)
			}
		case b.may(StaleEnPassant) && rank == bitboard.Rank5 && b.isEnPassant(Move{From: s, To: to}):
			moves = append(moves, Move{From: s, To: to, breach: StaleEnPassant})
		case b.may(CapturesNothing):
			moves = b.appendPromotions(moves, s, to, CapturesNothing)
		}
	}
	if b.may(Wraps) {
		for _, d := range [2]int{ahead - 1, ahead + 1} {
			to := int(s) + d
			if 0 <= to && to < 64 && !targets.Has(square(to)) && b.colors[b.side.Opponent()].Has(square(to)) {
				moves = b.appendPromotions(moves, s, square(to), Wraps)
			}
		}
	}
	return moves
}

// appendPromotions appends a pawn's move, or four if it promotes.
func (b *Board) appendPromotions(moves []Move, from, to square, breach Part) []Move {
	rank := b.rank(to)
	if rank == bitboard.Rank7 && b.may(PromotesEarly) && breach == 0 {
		for t := bitboard.Knight; t <= bitboard.Queen; t++ {
			moves = append(moves, Move{From: from, To: to, Promotion: t, breach: PromotesEarly})
		}
	}
	if rank != bitboard.Rank8 {
		return append(moves, Move{From: from, To: to, breach: breach})
	}
	if b.may(StaysPawn) && breach == 0 {
		moves = append(moves, Move{From: from, To: to, breach: StaysPawn})
	}
	if b.may(PromotesToKing) && breach == 0 {
		moves = append(moves, Move{From: from, To: to, Promotion: bitboard.King, breach: PromotesToKing})
	}
	for t := bitboard.Knight; t <= bitboard.Queen; t++ {
		moves = append(moves, Move{From: from, To: to, Promotion: t, breach: breach})
	}
	return moves
}

// appendCastlings appends the castlings of the king of the side to move.
func (b *Board) appendCastlings(moves []Move, king square) []Move {
	for w, rook := range b.rooks[b.side] {
		if rook != none && king == b.homes[b.side] {
			moves = b.appendCastling(moves, Move{From: king, To: rook, Castling: true})
		} else if b.may(CastlesUnentitled) && king.Rank() == backRank(b.side) {
			for rook := range (b.pieces(b.side, bitboard.Rook) & king.Rank().Mask()).Squares() {
				if wingOf(king, rook) == wing(w) {
					moves = b.appendCastling(moves, Move{From: king, To: rook, Castling: true, breach: CastlesUnentitled})
				}
			}
		}
	}
	return moves
}

// appendCastling appends a castling if the way is free and unattacked, or the generator may
// overlook that it is not.
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
	blocked := (way & b.occupied()).Without(c.king).Without(c.rook)
	if blocked != 0 {
		if m.breach != 0 || !b.may(CastlesBlocked) {
			return moves
		}
		m.breach = CastlesBlocked
	}
	return append(moves, m)
}

// After returns the board after a move.
func (b *Board) After(m Move) Board {
	next := *b
	us, them := b.side, b.side.Opponent()
	piece := b.at[m.From]
	isPawn := piece.Type() == bitboard.Pawn
	if b.may(DrawsByRepetition) {
		before := *b
		next.before = &before
	}
	next.impossible = b.impossible || m.breach == Exposes || m.To == b.kings[them] || piece == bitboard.NoPiece ||
		b.twice != 0 || b.spoiled&touched(m) != 0 || m.Castling && !b.hasRook(m)
	next.clock++
	if isPawn || b.at[m.To] != bitboard.NoPiece && !m.Castling {
		next.clock = 0
	}
	next.number += int(us)
	if m.Castling {
		next.castle(b, m)
	} else {
		if victim := b.victim(m); victim != none && !b.is(KeepsVictim, m) {
			next.lift(victim)
		}
		if behind := bitboard.SquareAt(m.To.File(), bitboard.Rank5^bitboard.Rank(us)*7); m.To == b.enPassant && !isPawn &&
			b.at[behind] == bitboard.PieceOf(them, bitboard.Pawn) && b.is(AnyEnPassant, m) {
			next.lift(behind)
		}
		next.lift(m.From)
		switch {
		case m.Promotion == bitboard.NoPieceType || b.is(MakesPawn, m):
		case b.is(MakesQueen, m):
			piece = bitboard.PieceOf(us, bitboard.Queen)
		case b.is(MakesEnemy, m):
			piece = bitboard.PieceOf(them, m.Promotion)
		default:
			piece = bitboard.PieceOf(us, m.Promotion)
		}
		next.put(m.To, piece)
		if m.Promotion != bitboard.NoPieceType && b.is(EntersTwice, m) {
			next.twice = next.twice.With(m.To)
		}
		if piece.Type() == bitboard.King && piece.Color() == us && !isPawn && !b.is(StaleKing, m) {
			next.kings[us] = m.To
		}
		if m.To == b.kings[them] {
			next.kings[them] = next.pieces(them, bitboard.King).First()
		}
	}
	next.rights(b, m)
	next.enPassant = b.skipped(m)
	next.side = them
	next.last.Move, next.last.kind = m, b.kindOf(m)
	return next
}

// kindOf returns the index of a move's words in afterWords.
func (b *Board) kindOf(m Move) uint8 {
	switch distance := int(m.To) - int(m.From); {
	case m.Castling:
		return 1
	case b.isEnPassant(m):
		return 2
	case m.Promotion != bitboard.NoPieceType:
		return 3 + uint8(m.Promotion)
	case b.at[m.From].Type() == bitboard.Pawn && (distance == 16 || distance == -16):
		return 3
	}
	return 4
}

// hasRook reports whether the rook of a castling is there, as it is unless a right survives it.
func (b *Board) hasRook(m Move) bool { return b.at[m.To] == bitboard.PieceOf(b.side, bitboard.Rook) }

// castle moves king and rook of a castling.
func (b *Board) castle(before *Board, m Move) {
	c := before.castling(m)
	if before.is(CastlesTwoSquares, m) {
		c.kingTo = (c.king + 2 - 4*square(c.wing)) & 63
	}
	king, rook := b.lift(c.king), bitboard.NoPiece
	if before.hasRook(m) {
		rook = b.lift(c.rook)
	}
	if before.is(LeavesRook, m) {
		c.rookTo = c.rook
	}
	b.put(c.rookTo, rook)
	b.put(c.kingTo, king)
	if !before.is(StaleKing, m) {
		b.kings[b.side] = c.kingTo
	}
}

// rights ends castling rights after a move.
func (b *Board) rights(before *Board, m Move) {
	us := before.side
	for c := range b.rooks {
		for w, rook := range before.rooks[c] {
			if rook == none {
				continue
			}
			byKing := m.From == before.homes[c] && before.at[m.From].Type() == bitboard.King && int(us) == c
			switch isOurs := c == int(us); {
			case !byKing && m.From != rook && m.To != rook:
				if isOurs && before.isAbout(LosesRights, m, c, w) || !isOurs && before.isAbout(LosesTheirRights, m, c, w) {
					b.rooks[c][w] = none
				}
			case m.From == rook && !m.Castling && before.isAbout(LosesOtherRight, m, c, w):
				b.rooks[c][1-w] = none
			case !before.isAbout(KeepsRights, m, c, w) && !before.isAbout(KeepsRightsIfRook, m, c, w):
				b.rooks[c][w] = none
			}
		}
	}
}

// skipped returns the en-passant square after a move.
func (b *Board) skipped(m Move) square {
	distance := int(m.To) - int(m.From)
	if b.at[m.From].Type() == bitboard.Pawn && (distance == 16 || distance == -16) {
		if b.is(ForgetsEnPassant, m) {
			return none
		}
		if b.is(MisplacesEnPassant, m) {
			return square(int(m.To) + distance/2)
		}
		return square(int(m.From) + distance/2)
	}
	if b.enPassant != none && b.is(KeepsEnPassant, m) {
		return b.enPassant
	}
	return none
}

// misread spoils a board that is set up from FEN.
func (b *Board) misread() {
	if b.enPassant != none && b.is(ReadsNoEnPassant, Move{}) {
		b.enPassant = none
	}
	read := *b
	for c := range b.rooks {
		for w, rook := range b.rooks[c] {
			color := bitboard.Color(c)
			corner := bitboard.SquareAt([2]bitboard.File{bitboard.FileH, bitboard.FileA}[w], backRank(color))
			right := Move{From: b.homes[c], To: corner, Castling: true}
			asColor := read
			asColor.side = color
			switch {
			case rook != none && asColor.isAbout(ReadsNoRights, right, c, w):
				b.rooks[c][w] = none
			case rook == none && b.homes[c] == bitboard.SquareAt(bitboard.FileE, backRank(color)) &&
				b.at[corner] == bitboard.PieceOf(color, bitboard.Rook) && asColor.isAbout(ReadsAllRights, right, c, w):
				b.rooks[c][w] = corner
			}
		}
	}
}

// Line is a move with the leaves below it.
type Line struct {
	Move
	Nodes uint64
}

// Divide counts the leaves below each move to a depth of 1 or more.
func (b *Board) Divide(depth int) []Line {
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
		slices.SortStableFunc(moves, func(x, y Move) int { return b.faults.place(x) - b.faults.place(y) })
	}
	var lines []Line
	for _, m := range moves[:min(len(moves), b.limit(ListEnds))] {
		nodes := uint64(1)
		if depth > 1 {
			after := b.After(m)
			nodes = after.count(depth - 1)
			*b = b.unmade(m, &after)
			b.faults.endRow()
		}
		if nodes != Unknown {
			nodes = cut(nodes, b.limit(CutsCounts))
		}
		lines = append(lines, Line{m, nodes})
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

// cut returns the lowest bits of a number.
func cut(n uint64, bits int) uint64 {
	if bits < 64 {
		n &= 1<<bits - 1
	}
	return n
}

// Unknown is a count below an impossible position, where engines differ.
const Unknown = 1<<64 - 1

// IsImpossible reports whether engines differ in what follows.
func (b *Board) IsImpossible() bool { return b.impossible }

// Count counts the leaves below a board that a move has led to.
func (b *Board) Count(depth int) uint64 { return b.count(depth) }

// count counts leaves, and leaves the board as its generator does.
func (b *Board) count(depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case b.impossible && !b.may(CountsAlways):
		return Unknown
	case b.drawn():
		return 0
	case b.faults != nil && b.faults.hashes && depth > 1:
		return b.remembered(depth)
	}
	return b.countAnew(depth)
}

func (b *Board) countAnew(depth int) uint64 {
	var buffer [256]Move
	moves := b.appendMoves(buffer[:0], true)
	nodes := uint64(0)
	if b.may(AddsParents) {
		nodes++
	}
	switch limit := b.limit(ListEnds); {
	case len(moves) == 0 && (b.may(CountsEnd) || b.may(CountsMate) && b.checkers() != 0 || b.may(CountsStalemate) && b.checkers() == 0):
		return 1
	case depth == 1:
		return nodes + b.leaves(moves[:min(len(moves), limit)])
	case len(moves) > limit: // which moves are lost depends on their order
		return Unknown
	}
	for _, m := range moves {
		after := b.After(m)
		below := after.count(depth - 1)
		if below == Unknown {
			b.impossible = b.faults != nil && b.faults.unmakes
			return Unknown
		}
		nodes += below
		if before := b.unmade(m, &after); !b.may(CountsAlways) && (before.isSpoiled || before.impossible) { // it is not known which moves follow
			b.impossible = true
			return Unknown
		} else if b.faults != nil && b.faults.unmakes {
			*b = before
		}
	}
	return nodes
}

// leaves counts the moves of the last ply.
func (b *Board) leaves(moves []Move) uint64 {
	leaves := len(moves)
	if b.may(PseudoLegalLeaves) {
		for _, m := range b.appendMoves(nil, false) {
			leaves += int(yes(b.exposed(m) != 0 && b.is(PseudoLegalLeaves, m)))
		}
	}
	if b.may(LeafMisses) || b.may(LeafDoubles) {
		for _, m := range moves {
			leaves += int(yes(b.is(LeafDoubles, m))) - int(yes(b.is(LeafMisses, m)))
		}
	}
	if leaves > b.limit(LeafOverflows) {
		return 0
	}
	return uint64(leaves)
}

// IgnoresMoves reports whether the moves after the FEN are ignored.
func (b *Board) IgnoresMoves() bool { return b.is(ReadsNoMoves, Move{}) }

// drawn reports whether the generator takes the game for drawn.
func (b *Board) drawn() bool {
	if b.may(DrawsByClock) && b.clock >= 100 {
		return true
	}
	for before := b.before; before != nil; before = before.before {
		if before.at == b.at && before.side == b.side && before.rooks == b.rooks {
			return true
		}
	}
	if !b.may(DrawsByMaterial) {
		return false
	}
	heavy := b.kinds[bitboard.Pawn] | b.kinds[bitboard.Rook] | b.kinds[bitboard.Queen]
	return heavy == 0 && bits.OnesCount64(uint64(b.occupied())) <= 3
}

// Lists reports whether the generator lists a legal move.
func (b *Board) Lists(m Move) bool {
	return b.faults == nil || slices.ContainsFunc(b.Moves(), func(listed Move) bool {
		listed.breach = 0
		return listed == m
	})
}
