package fianchetto

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// AppendLegal appends the legal moves in unspecified order. It may overwrite the whole capacity,
// and allocates nothing if that suffices. A position of a game has at most 218 moves.
// Source: https://www.chessprogramming.org/Chess_Position
func (p *Position) AppendLegal(moves []Move) []Move {
	if p.isNone() {
		return moves
	}
	var b core.Board
	p.coreBoard(&b)
	return unpacked(core.AppendLegal(packed(moves), &b, p.flip()))
}

func packed(moves []Move) []uint16 {
	if debug.Enabled {
		return debug.NewList(uints(moves))
	}
	return uints(moves)
}

func uints(moves []Move) []uint16 { return *(*[]uint16)(unsafe.Pointer(&moves)) }

func unpacked(moves []uint16) []Move { return *(*[]Move)(unsafe.Pointer(&moves)) }

// LegalMoves yields the legal moves, in unspecified order. AppendLegal is faster.
func (p *Position) LegalMoves() iter.Seq[Move] {
	return slices.Values(p.AppendLegal(make([]Move, 0, 256)))
}

// CountLegal returns the number of legal moves, without listing them.
func (p *Position) CountLegal() int {
	var b core.Board
	p.coreBoard(&b)
	return b.CountMoves()
}

// IsLegal reports whether m is a legal move here. m may be any value, such as a move from a hash
// table. It repeats core's rule on White's view of the board, in 12.9 ns instead of 17.1 with a
// conversion (Xeon, Emerald Rapids).
func (p *Position) IsLegal(m Move) bool {
	if m.Kind() == Castling {
		var b core.Board
		p.coreBoard(&b)
		return b.IsLegal(p.coreMove(m))
	}
	if !p.IsPseudoLegal(m) {
		return false
	}
	side, from, captured := p.SideToMove(), m.From(), m.To()
	occupancy := p.Occupancy().Without(from)
	if m.Kind() == KingMove {
		return !p.IsAttacked(m.To(), side.Opponent(), occupancy)
	}
	if m.Kind() == EnPassant {
		captured ^= 8
	}
	attackers := p.attackersBy(side.Opponent(), p.King(side), occupancy.Without(captured).With(m.To()))
	return attackers.Without(captured) == 0
}

// IsLegalQuiet reports whether m, any value, is a legal move here that neither captures nor
// promotes. Use it for killers and counter moves, which come from other positions and may be
// captures here. It takes no longer than IsLegal.
// Source: https://www.chessprogramming.org/Killer_Heuristic
func (p *Position) IsLegalQuiet(m Move) bool {
	if m.Kind() > DoublePush {
		return m.Kind() == Castling && p.IsLegal(m)
	}
	occupancy := p.Occupancy()
	if occupancy.Has(m.To()) || !p.IsPseudoLegal(m) {
		return false
	}
	side, others := p.SideToMove(), occupancy.Without(m.From())
	if m.Kind() == KingMove {
		return !p.IsAttacked(m.To(), side.Opponent(), others)
	}
	return p.attackersBy(side.Opponent(), p.King(side), others.With(m.To())) == 0
}

// IsPseudoLegal reports whether m, any value, is legal here except that it may leave the king in
// check, or castle out of check or over attacked squares. Like IsLegal it repeats core's rule, in
// 7.8 ns instead of 11.4.
// Source: https://www.chessprogramming.org/Pseudo-Legal_Move
func (p *Position) IsPseudoLegal(m Move) bool {
	if m.Kind() == Castling {
		var b core.Board
		p.coreBoard(&b)
		return b.IsPseudoLegal(p.coreMove(m))
	}
	side, piece, from := p.SideToMove(), m.Piece(), m.From()
	own := p.ByColor(side)
	if own&p.ByType(piece)&from.Bitboard() == 0 {
		return false
	}
	if piece == Pawn {
		return p.pawnTargets(from, m.Kind()).Has(m.To())
	}
	return (attacks.Of(bitboard.PieceOf(side, piece), from, p.Occupancy()) &^ own).Has(m.To())
}

func (p *Position) pawnTargets(s Square, kind MoveKind) Bitboard {
	side, empty := p.SideToMove(), ^p.Occupancy()
	switch kind {
	case DoublePush:
		return attacks.PawnDoublePushes(side, s.Bitboard(), empty)
	case EnPassant:
		return attacks.Pawn(side, s) & (1 << p.EnPassant())
	}
	to := attacks.PawnPushes(side, s.Bitboard(), empty) | attacks.Pawn(side, s)&p.ByColor(side.Opponent())
	if kind == PawnMove {
		return to &^ (core.Rank1Mask | core.Rank8Mask)
	}
	return to & (core.Rank1Mask | core.Rank8Mask)
}

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// AppendCaptures appends the legal captures, but no other promotions, with the room and order of
// AppendLegal.
// Source: https://www.chessprogramming.org/Move_Generation#Staged_Move_Generation
func (p *Position) AppendCaptures(moves []Move) []Move {
	var b core.Board
	p.coreBoard(&b)
	return unpacked(core.AppendOnto(packed(moves), &b, b.Them, bitboard.Empty, p.flip()))
}

// AppendQuiets appends the legal moves that neither capture nor promote, with the room and order of
// AppendLegal.
// Source: https://www.chessprogramming.org/Quiet_Moves
func (p *Position) AppendQuiets(moves []Move) []Move {
	if p.isNone() {
		return moves
	}
	var b core.Board
	p.coreBoard(&b)
	return unpacked(core.AppendOnto(packed(moves), &b, ^b.Them, ^core.Rank8Mask, p.flip()))
}

// Targets returns the squares to which the piece on s may legally go, if it belongs to the side to
// move. The target of a castling is the rook's square.
func (p *Position) Targets(s Square) Bitboard {
	var targets Bitboard
	var buffer [256]Move
	for _, m := range p.AppendLegal(buffer[:0]) {
		if m.From() == s {
			targets = targets.With(m.To())
		}
	}
	return targets
}

// HasLegalMove reports whether there is a legal move. It is faster than CountLegal.
func (p *Position) HasLegalMove() bool {
	if p.isNone() {
		return false
	}
	var b core.Board
	p.coreBoard(&b)
	return b.HasLegalMove()
}

// Generator lists the moves of one position in stages and answers questions about them. Unlike the
// Position methods of the same names, it analyses the position only once, on first use. For the
// hash move use Position.IsLegal, because a node that ends with it needs no generator.
//
//	if pos.IsLegal(hashMove) { ... }
//	g := &plies[ply].generator
//	g.Reset(&pos)
//	moves = g.AppendNoisy(moves[:0])
//	...
//	moves = g.AppendQuiets(moves)
//
// A Generator takes 1.3 kilobytes. Keep one for each ply, because Go zeroes local variables. The
// zero value is ready for Reset, after which the position may change.
type Generator struct {
	place debug.Place // of Reset
	core  core.Generator
	flip  uint16 // see Position.flip
}

// Reset makes g the generator of p.
func (g *Generator) Reset(p *Position) {
	p.coreBoard(&g.core.Board)
	g.core.Reset()
	g.flip = p.flip()
	g.place.Set()
}

func (g *Generator) absolute(b Bitboard) Bitboard {
	if g.flip != 0 {
		return b.FlipVertical()
	}
	return b
}

// IsLegal reports whether m, any value, is a legal move.
func (g *Generator) IsLegal(m Move) bool {
	return g.core.Board.IsLegal(core.Decode(uint16(m) ^ g.flip))
}

// GivesCheck reports whether m, which must be legal, gives check.
func (g *Generator) GivesCheck(m Move) bool {
	if debug.Enabled && !g.IsLegal(m) {
		const format = "fianchetto: %v (%v, %#04x) is not a legal move of the position of Reset at %s%s"
		panic(fmt.Sprintf(format, m, m.Kind(), uint16(m), g.place, debug.Overwritten(uint16(m))))
	}
	return g.core.GivesCheck(uint16(m) ^ g.flip)
}

// AppendLegal appends the legal moves. Except where noted, lists of a Generator have the room and
// order of Position.AppendLegal.
func (g *Generator) AppendLegal(moves []Move) []Move {
	return unpacked(core.AppendMoves(packed(moves), g.core.Targets(), g.core.Board.EnPassant(), g.flip))
}

// AppendNoisy appends the moves of Position.AppendNoisy in its order.
func (g *Generator) AppendNoisy(moves []Move) []Move {
	return unpacked(core.AppendNoisy(packed(moves), &g.core.Board, g.core.Targets(), g.flip))
}

// AppendQuiets appends the moves that AppendNoisy leaves out.
func (g *Generator) AppendQuiets(moves []Move) []Move {
	return unpacked(core.AppendQuiets(packed(moves), g.core.Targets(), g.core.Board.Them, g.flip))
}

// AppendQuietChecks appends the moves of AppendQuiets that give check, and examines no others
// except castling moves.
func (g *Generator) AppendQuietChecks(moves []Move) []Move {
	b := &g.core.Board
	return unpacked(core.AppendQuietChecks(packed(moves), b, g.core.Targets(), g.core.CheckSquares(), g.flip))
}

// AppendMoves appends the legal moves from squares of from to squares of to. A castling goes from
// the king's square to its rook's.
func (g *Generator) AppendMoves(moves []Move, from, to Bitboard) []Move {
	from, to = g.absolute(from), g.absolute(to)
	return unpacked(core.AppendSelected(packed(moves), g.core.Targets(), from, to, g.core.Board.EnPassant(), g.flip))
}

const (
	mostCapturers = 16                  // of a side in a game
	roomOfNoisy   = 8*mostCapturers + 1 // for their captures, and one move that is overwritten
)

// AppendNoisy appends the legal captures and promotions in the order in which a search tries them:
// promotions to queens, captures, en-passant captures, then other promotions. Captures are ordered
// by victim, the most valuable first, then by attacker, the least valuable first. A quiescence
// search can stop at the first of the other promotions. AppendNoisy is fastest with room for 129
// more moves.
//
// Most nodes of a search list nothing else, so this repeats core's rules without the conversion to
// core's board. It counts or compares instead of branching on the position, because a wrong guess
// costs as much as twenty instructions.
// Source: https://www.chessprogramming.org/MVV-LVA
func (p *Position) AppendNoisy(moves []Move) []Move {
	side := p.state & blackToMove
	us := p.colors[side]
	if us.Len() > mostCapturers || cap(moves)-len(moves) < roomOfNoisy {
		return p.appendNoisyAnywhere(moves)
	}
	moves = unpacked(packed(moves))
	if us&p.pieces[pawns]&seventh(side) != 0 || p.state&enPassantMask != 0 && p.enPassantCapturers() != 0 {
		return p.appendWithPawns(moves)
	}
	return p.appendCaptures(moves)
}

func seventh(side state) Bitboard { return core.Rank7Mask >> (40 * side & 63) }

// appendWithPawns adds promotions and en-passant captures, which few positions have.
func (p *Position) appendWithPawns(moves []Move) []Move {
	var b core.Board
	p.coreBoard(&b)
	t, flip := b.FindPawns(), p.flip()
	moves = unpacked(core.AppendPromotions(uints(moves), &t, core.PromoteQueen, core.PromoteQueen, flip))
	moves = p.appendCaptures(moves)
	for x := p.absolute(t.EnPassant); x != 0; x &= x - 1 {
		moves = append(moves, NewMove(x.First(), p.EnPassant(), EnPassant))
	}
	return unpacked(core.AppendPromotions(uints(moves), &t, core.PromoteRook, core.PromoteKnight, flip))
}

// appendCaptures appends the captures that are neither promotions nor en passant. It decides
// legality afterwards, because checks and pins are rare.
func (p *Position) appendCaptures(moves []Move) []Move {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	occupancy, king := us|them, (us & p.pieces[kings]).First()

	start, n := len(moves), len(moves)
	list := moves[:cap(moves)]
	ours, turn := us&p.pieces[pawns]&^seventh(side), 16*int(side)
	n = putPawnCaptures(list, n, ours&^core.FileAMask, them, 7-turn)
	n = putPawnCaptures(list, n, ours&^core.FileHMask, them, 9-turn)
	for x := us & p.pieces[knights]; x != 0; x &= x - 1 {
		n = putCaptures(list, n, Move(x.First())|Move(KnightMove)<<12, attacks.Knight(x.First())&them)
	}
	for x := us & p.pieces[bishops]; x != 0; x &= x - 1 {
		n = putCaptures(list, n, Move(x.First())|Move(BishopMove)<<12, attacks.Bishop(x.First(), occupancy)&them)
	}
	for x := us & p.pieces[rooks]; x != 0; x &= x - 1 {
		n = putCaptures(list, n, Move(x.First())|Move(RookMove)<<12, attacks.Rook(x.First(), occupancy)&them)
	}
	for x := us & p.pieces[queens]; x != 0; x &= x - 1 {
		n = putCaptures(list, n, Move(x.First())|Move(QueenMove)<<12, attacks.Queen(x.First(), occupancy)&them)
	}
	if checkMask, pinned := p.checkMaskAndPinned(king); checkMask != bitboard.Full || pinned != 0 {
		n = keepLegal(list, start, n, king, checkMask, pinned)
	}
	for x := attacks.King(king) & them; x != 0; x &= x - 1 {
		if !p.IsAttacked(x.First(), Color(side^1), occupancy.Without(king)) {
			list[n] = Move(king) | Move(x.First())<<6 | Move(KingMove)<<12
			n++
		}
	}
	if n-start > 1 {
		p.orderByVictim(list[start:], n-start)
	}
	return list[:n]
}

// checkMaskAndPinned returns the squares where a move ends all checks, and the pinned pieces.
func (p *Position) checkMaskAndPinned(king Square) (checkMask, pinned Bitboard) {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	checkMask = bitboard.Full
	if x := core.LeaperAttackers(king, Color(side^1), p.pieces[pawns], p.pieces[knights]) & them; x != 0 {
		checkMask = x
		if x&(x-1) != 0 { // which no game reaches
			checkMask = bitboard.Empty
		}
	}
	diagonals, orthogonals := core.Lines(king)
	snipers := diagonals&(p.pieces[bishops]|p.pieces[queens]) | orthogonals&(p.pieces[rooks]|p.pieces[queens])
	for x := snipers & them; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & (us | them)
		if blockers == 0 {
			checkMask &= between | x&-x
		} else if blockers&(blockers-1) == 0 {
			pinned |= blockers & us
		}
	}
	return checkMask, pinned
}

// putCaptures puts the captures of a piece at index n of the list and returns the next index.
func putCaptures(list []Move, n int, origin Move, to Bitboard) int {
	list[n] = origin | Move(to.First())<<6
	if to != 0 {
		n++
	}
	for to &= to - 1; to != 0; to &= to - 1 {
		list[n] = origin | Move(to.First())<<6
		n++
	}
	return n
}

// putPawnCaptures is putCaptures for pawns that capture on the square step above their own.
func putPawnCaptures(list []Move, n int, pawns, victims Bitboard, step int) int {
	to := Bitboard(bits.RotateLeft64(uint64(pawns), step)) & victims
	origin, squares := Move(PawnMove)<<12-Move(step), Move(1<<6+1)
	list[n] = origin + squares*Move(to.First())
	if to != 0 {
		n++
	}
	for to &= to - 1; to != 0; to &= to - 1 {
		list[n] = origin + squares*Move(to.First())
		n++
	}
	return n
}

// keepLegal drops the moves from index start to n that expose the king, and returns the next index.
func keepLegal(list []Move, start, n int, king Square, checkMask, pinned Bitboard) int {
	end := start
	for _, m := range list[start:n] {
		line := bitboard.Line(king, m.From()) | (pinned>>(m&63)&1 - 1) // all squares unless it is pinned
		list[end] = m
		end += int(checkMask & line >> (m >> 6 & 63) & 1)
	}
	return end
}

// orderByVictim puts the most valuable victims first among the first n moves of the list, two or
// more. The list must have room for four. Most are that short and are sorted without a branch.
// Source: https://en.wikipedia.org/wiki/Sorting_network
func (p *Position) orderByVictim(list []Move, n int) {
	bit0 := p.pieces[pawns] | p.pieces[bishops] | p.pieces[queens]
	bit1 := p.pieces[knights] | p.pieces[bishops]
	bit2 := p.pieces[rooks] | p.pieces[queens]
	if n > 4 {
		orderManyByVictim(list[:n], bit0, bit1, bit2)
		return
	}
	four := (*[4]Move)(list)
	a := victim(four[0], bit0, bit1, bit2)<<20 | 3<<16 | uint32(four[0])
	b := victim(four[1], bit0, bit1, bit2)<<20 | 2<<16 | uint32(four[1])
	if n == 2 {
		four[0], four[1] = Move(max(a, b)), Move(min(a, b))
		return
	}
	c := victim(four[2], bit0, bit1, bit2)<<20 | 1<<16 | uint32(four[2])
	d := victim(four[3], bit0, bit1, bit2)<<20 | uint32(four[3])
	if n < 4 {
		d = 0
	}
	a, b = max(a, b), min(a, b)
	c, d = max(c, d), min(c, d)
	a, c = max(a, c), min(a, c)
	b, d = max(b, d), min(b, d)
	b, c = max(b, c), min(b, c)
	four[0], four[1], four[2], four[3] = Move(a), Move(b), Move(c), Move(d)
}

// victim returns the type of the captured piece. The bits are those of typeAt.
func victim(m Move, bit0, bit1, bit2 Bitboard) uint32 {
	s := m >> 6 & 63
	return uint32(bit0>>s&1 | bit1>>s&1<<1 | bit2>>s&1<<2)
}

// orderManyByVictim is orderByVictim for more than four moves. Each byte of a word counts the moves
// with one type of victim, and a multiplication adds up the more valuable ones.
// Source: https://en.wikipedia.org/wiki/Counting_sort
func orderManyByVictim(list []Move, bit0, bit1, bit2 Bitboard) {
	var unordered [roomOfNoisy]Move
	counts := uint64(0)
	for i, m := range list {
		unordered[i] = m
		counts += 1 << (8 * (7 - victim(m, bit0, bit1, bit2)))
	}
	places := counts * 0x0101010101010100
	for _, m := range unordered[:len(list)] {
		shift := 8 * (7 - victim(m, bit0, bit1, bit2))
		list[places>>shift&0xff] = m
		places += 1 << shift
	}
}

// appendNoisyAnywhere is AppendNoisy for many pieces or little room.
func (p *Position) appendNoisyAnywhere(moves []Move) []Move {
	side := p.state & blackToMove
	if us := p.colors[side]; us.Len() <= mostCapturers {
		moves = unpacked(packed(moves))
		var list [2 * roomOfNoisy]Move
		if us&p.pieces[pawns]&seventh(side)|p.enPassantCapturers() != 0 {
			return append(moves, p.appendWithPawns(list[:0])...)
		}
		return append(moves, p.appendCaptures(list[:0])...)
	}
	var g Generator
	g.Reset(p)
	return g.AppendNoisy(moves)
}
