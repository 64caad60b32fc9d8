package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// capturer is a piece that captures, and its victims.
type capturer struct {
	victims Bitboard
	origin  Move // its move without the target
}

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
// counts instead, because a wrong guess costs as much as twenty instructions.
// Source: https://www.chessprogramming.org/MVV-LVA
func (p *Position) AppendNoisy(moves []Move) []Move {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	if us.Len() > mostCapturers || cap(moves)-len(moves) < roomOfNoisy {
		return p.appendNoisyAnywhere(moves)
	}
	moves = unpacked(packed(moves))
	occupancy, king := us|them, (us & p.pieces[kings]).First()
	diagonals, orthogonals := p.pieces[bishops]|p.pieces[queens], p.pieces[rooks]|p.pieces[queens]
	checkMask, pinnedDiagonal, pinnedOrthogonal := core.ChecksAndPins(king, Color(side^1), us, them,
		p.pieces[pawns], p.pieces[knights], diagonals, orthogonals)

	var capturers [mostCapturers]capturer
	n, union, victims := 0, bitboard.Empty, them&checkMask
	seventh := bitboard.Rank7Mask >> (40 * side & 63) // or the second for Black
	capturing := us & p.pieces[pawns] &^ (seventh | pinnedOrthogonal) & attacks.PawnAttacks(Color(side^1), victims)
	for x := capturing; x != 0; x &= x - 1 {
		to := attacks.Pawn(Color(side), x.First()) & victims
		if pinnedDiagonal&x&-x != 0 {
			to &= pinnedDiagonal
		}
		capturers[n&15] = capturer{to, Move(x.First()) | Move(PawnMove)<<12}
		union |= to
		n++
	}
	for x := us & p.pieces[knights] &^ (pinnedDiagonal | pinnedOrthogonal); x != 0; x &= x - 1 {
		to := attacks.Knight(x.First()) & victims
		capturers[n&15] = capturer{to, Move(x.First()) | Move(KnightMove)<<12}
		union |= to
		if to != 0 {
			n++
		}
	}
	for x := us & p.pieces[bishops] &^ pinnedOrthogonal; x != 0; x &= x - 1 {
		to := attacks.Bishop(x.First(), occupancy) & victims
		if pinnedDiagonal&x&-x != 0 {
			to &= pinnedDiagonal
		}
		capturers[n&15] = capturer{to, Move(x.First()) | Move(BishopMove)<<12}
		union |= to
		if to != 0 {
			n++
		}
	}
	for x := us & p.pieces[rooks] &^ pinnedDiagonal; x != 0; x &= x - 1 {
		to := attacks.Rook(x.First(), occupancy) & victims
		if pinnedOrthogonal&x&-x != 0 {
			to &= pinnedOrthogonal
		}
		capturers[n&15] = capturer{to, Move(x.First()) | Move(RookMove)<<12}
		union |= to
		if to != 0 {
			n++
		}
	}
	for x := us & p.pieces[queens]; x != 0; x &= x - 1 {
		to := attacks.Queen(x.First(), occupancy) & victims
		if (pinnedDiagonal|pinnedOrthogonal)&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		capturers[n&15] = capturer{to, Move(x.First()) | Move(QueenMove)<<12}
		union |= to
		if to != 0 {
			n++
		}
	}
	if to := attacks.King(king) & them; to != 0 {
		to = p.safeVictims(to, king)
		capturers[n&15] = capturer{to, Move(king) | Move(KingMove)<<12}
		union |= to
		n++
	}
	if us&p.pieces[pawns]&seventh != 0 || p.state&enPassantMask != 0 && p.capturersOf(p.pushed()) != 0 {
		return p.appendWithPawns(moves, capturers[:n], union)
	}
	return p.appendCaptures(moves, capturers[:n], union)
}

// appendCaptures appends the captures by capturers, the least valuable of which comes first. union
// contains all victims. There is room for one move more, because it counts a move only after writing
// it.
func (p *Position) appendCaptures(moves []Move, capturers []capturer, union Bitboard) []Move {
	n := len(moves)
	moves = moves[:cap(moves)]
	for i := queens; i >= pawns; i-- {
		victims := p.pieces[i] & union
		for j := range capturers {
			c := &capturers[j]
			x := c.victims & victims
			moves[n] = c.origin | Move(x.First())<<6
			if x != 0 {
				n++
			}
			for x &= x - 1; x != 0; x &= x - 1 {
				moves[n] = c.origin | Move(x.First())<<6
				n++
			}
		}
	}
	return moves[:n]
}

// appendWithPawns adds the promotions and en-passant captures, which few positions have.
func (p *Position) appendWithPawns(moves []Move, capturers []capturer, union Bitboard) []Move {
	var b core.Board
	p.coreBoard(&b)
	t, flip := b.FindPawns(), p.flip()
	moves = unpacked(core.AppendPromotions(uints(moves), &t, core.PromoteQueen, core.PromoteQueen, flip))
	moves = p.appendCaptures(moves, capturers, union)
	for x := p.absolute(t.EnPassant); x != 0; x &= x - 1 {
		moves = append(moves, NewMove(x.First(), p.EnPassant(), EnPassant))
	}
	return unpacked(core.AppendPromotions(uints(moves), &t, core.PromoteRook, core.PromoteKnight, flip))
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
