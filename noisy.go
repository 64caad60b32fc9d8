package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

const (
	mostCapturers = 16                  // the pieces of a side in a game
	roomOfNoisy   = 8*mostCapturers + 1 // for their captures, and one move that is overwritten
)

// AppendNoisy appends the legal captures and promotions in the order in which a search tries them:
// promotions to queens, captures, en-passant captures, then other promotions. Captures are ordered
// by victim, the most valuable first, and those of equal victims by attacker, the least valuable
// first. So you need no scores, and a quiescence search stops at the first promotion to another
// piece. It is fastest if the capacity leaves room for 129 more moves.
//
// Most nodes of a search list nothing else, so this repeats core's rules on White's view of the
// board, without the conversion to core's board. Where a branch would depend on the position, it
// counts or compares instead, because a wrong guess costs as much as twenty instructions.
// Source: https://www.chessprogramming.org/MVV-LVA
func (p *Position) AppendNoisy(moves []Move) []Move {
	side := p.state & blackToMove
	us := p.colors[side]
	if us.Len() > mostCapturers || cap(moves)-len(moves) < roomOfNoisy {
		return p.appendNoisyAnywhere(moves)
	}
	moves = unpacked(packed(moves))
	if us&p.pieces[pawns]&seventh(side) != 0 || p.state&enPassantMask != 0 && p.capturersOf(p.pushed()) != 0 {
		return p.appendWithPawns(moves)
	}
	return p.appendCaptures(moves)
}

// seventh returns the rank from which the pawns of a side promote.
func seventh(side state) Bitboard { return bitboard.Rank7Mask >> (40 * side & 63) }

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

// appendCaptures appends the captures that are neither promotions nor en passant. AppendNoisy has
// made sure of the room.
func (p *Position) appendCaptures(moves []Move) []Move {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	occupancy, king := us|them, (us & p.pieces[kings]).First()
	checkMask, pinned := p.checkMaskAndPinned(king)

	start, n := len(moves), len(moves)
	list := moves[:cap(moves)]
	victims := them & checkMask
	capturing := us & p.pieces[pawns] &^ seventh(side) & attacks.PawnAttacks(Color(side^1), victims)
	for x := capturing; x != 0; x &= x - 1 {
		to := attacks.Pawn(Color(side), x.First()) & victims
		if pinned&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		n = putCaptures(list, n, Move(x.First())|Move(PawnMove)<<12, to)
	}
	for x := us & p.pieces[knights] &^ pinned; x != 0; x &= x - 1 {
		to := attacks.Knight(x.First()) & victims
		n = putCaptures(list, n, Move(x.First())|Move(KnightMove)<<12, to)
	}
	for x := us & p.pieces[bishops]; x != 0; x &= x - 1 {
		to := attacks.Bishop(x.First(), occupancy) & victims
		if pinned&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		n = putCaptures(list, n, Move(x.First())|Move(BishopMove)<<12, to)
	}
	for x := us & p.pieces[rooks]; x != 0; x &= x - 1 {
		to := attacks.Rook(x.First(), occupancy) & victims
		if pinned&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		n = putCaptures(list, n, Move(x.First())|Move(RookMove)<<12, to)
	}
	for x := us & p.pieces[queens]; x != 0; x &= x - 1 {
		to := attacks.Queen(x.First(), occupancy) & victims
		if pinned&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		n = putCaptures(list, n, Move(x.First())|Move(QueenMove)<<12, to)
	}
	if to := attacks.King(king) & them; to != 0 {
		to = p.safeVictims(to, king)
		n = putCaptures(list, n, Move(king)|Move(KingMove)<<12, to)
	}
	if n-start > 1 {
		p.orderByVictim(list[start:], n-start)
	}
	return list[:n]
}

// checkMaskAndPinned returns the squares that end all checks of the side to move, none in a double
// check, and its pinned pieces.
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

// putCaptures puts the captures of a piece at index n of the list and returns the next index. It
// counts a move only after writing it.
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

// orderByVictim puts the most valuable victims first among the first n moves of the list, which has
// room for four. Most lists are that short, and their numbers of victim, place and move, zero behind
// the end, are compared without a branch.
// Source: https://en.wikipedia.org/wiki/Sorting_network
func (p *Position) orderByVictim(list []Move, n int) {
	if n > 4 {
		p.orderManyByVictim(list[:n])
		return
	}
	bit0 := p.pieces[pawns] | p.pieces[bishops] | p.pieces[queens]
	bit1 := p.pieces[knights] | p.pieces[bishops]
	bit2 := p.pieces[rooks] | p.pieces[queens]
	four := (*[4]Move)(list)
	a := victimKey(four[0], bit0, bit1, bit2) | 3<<16
	b := victimKey(four[1], bit0, bit1, bit2) | 2<<16
	c := victimKey(four[2], bit0, bit1, bit2) | 1<<16
	d := victimKey(four[3], bit0, bit1, bit2)
	if n < 2 {
		b = 0
	}
	if n < 3 {
		c = 0
	}
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

// victimKey returns the type of the captured piece above the move. The bits are those of typeAt.
func victimKey(m Move, bit0, bit1, bit2 Bitboard) uint32 {
	s := m >> 6 & 63
	return uint32(bit0>>s&1|bit1>>s&1<<1|bit2>>s&1<<2)<<20 | uint32(m)
}

// orderManyByVictim is orderByVictim for more than four moves.
func (p *Position) orderManyByVictim(list []Move) {
	for i := range list {
		m, victim := list[i], p.typeAt(list[i].To())
		for ; i > 0 && p.typeAt(list[i-1].To()) < victim; i-- {
			list[i] = list[i-1]
		}
		list[i] = m
	}
}

// appendNoisyAnywhere is AppendNoisy for many pieces or little room.
func (p *Position) appendNoisyAnywhere(moves []Move) []Move {
	var g Generator
	g.Reset(p)
	return g.AppendNoisy(moves)
}

// safeVictims returns the victims that the king may capture.
func (p *Position) safeVictims(victims Bitboard, king Square) Bitboard {
	for x := victims; x != 0; x &= x - 1 {
		if p.IsAttacked(x.First(), p.SideToMove().Opponent(), p.Occupancy().Without(king)) {
			victims &^= x & -x
		}
	}
	return victims
}
