package fianchetto

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// capturer is a piece that is no pawn, and its victims.
type capturer struct {
	victims Bitboard
	origin  Move // its move without the target
}

// mostCapturers is the number of pieces besides pawns for which AppendNoisy has room, because Go
// zeroes the array. A game hardly has more of one side.
const mostCapturers = 9

// AppendNoisy appends the legal captures and promotions in the order in which a search tries them:
// promotions to queens, captures, then other promotions. Captures are ordered by victim, the most
// valuable first, and those of equal victims by attacker, the least valuable first. So you need no
// scores, and a quiescence search stops at the first promotion to another piece.
//
// Most nodes of a search list nothing else, so this repeats core's rules on White's view of the
// board, without the conversion to core's board.
// Source: https://www.chessprogramming.org/MVV-LVA
func (p *Position) AppendNoisy(moves []Move) []Move {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	if (us &^ p.pieces[pawns]).Len() > mostCapturers {
		return p.appendNoisyOfMany(moves)
	}
	occupancy, king := us|them, (us & p.pieces[kings]).First()
	diagonals, orthogonals := p.pieces[bishops]|p.pieces[queens], p.pieces[rooks]|p.pieces[queens]
	checkMask, pinnedDiagonal, pinnedOrthogonal := core.ChecksAndPins(king, Color(side^1), us, them,
		p.pieces[pawns], p.pieces[knights], diagonals, orthogonals)

	var capturers [mostCapturers]capturer
	n, union, victims := 0, bitboard.Empty, them&checkMask
	for x := us & p.pieces[knights] &^ (pinnedDiagonal | pinnedOrthogonal); x != 0; x &= x - 1 {
		if to := attacks.Knight(x.First()) & victims; to != 0 {
			capturers[n] = capturer{to, Move(x.First()) | Move(KnightMove)<<12}
			union |= to
			n++
		}
	}
	for x := us & p.pieces[bishops] &^ pinnedOrthogonal; x != 0; x &= x - 1 {
		to := attacks.Bishop(x.First(), occupancy) & victims
		if pinnedDiagonal&x&-x != 0 {
			to &= pinnedDiagonal
		}
		if to != 0 {
			capturers[n] = capturer{to, Move(x.First()) | Move(BishopMove)<<12}
			union |= to
			n++
		}
	}
	for x := us & p.pieces[rooks] &^ pinnedDiagonal; x != 0; x &= x - 1 {
		to := attacks.Rook(x.First(), occupancy) & victims
		if pinnedOrthogonal&x&-x != 0 {
			to &= pinnedOrthogonal
		}
		if to != 0 {
			capturers[n] = capturer{to, Move(x.First()) | Move(RookMove)<<12}
			union |= to
			n++
		}
	}
	for x := us & p.pieces[queens]; x != 0; x &= x - 1 {
		to := attacks.Queen(x.First(), occupancy) & victims
		if (pinnedDiagonal|pinnedOrthogonal)&x&-x != 0 {
			to &= bitboard.Line(king, x.First())
		}
		if to != 0 {
			capturers[n] = capturer{to, Move(x.First()) | Move(QueenMove)<<12}
			union |= to
			n++
		}
	}
	if to := p.safeVictims(king, side); to != 0 {
		capturers[n] = capturer{to, Move(king) | Move(KingMove)<<12}
		union |= to
		n++
	}
	t := p.noisyPawns(side, checkMask, pinnedDiagonal, pinnedOrthogonal)
	return p.appendByVictim(unpacked(packed(moves)), capturers[:n], union, &t)
}

// appendNoisyOfMany is AppendNoisy for a side with many pieces.
func (p *Position) appendNoisyOfMany(moves []Move) []Move {
	var g Generator
	g.Reset(p)
	return g.AppendNoisy(moves)
}

// safeVictims returns the pieces that the king may capture.
func (p *Position) safeVictims(king Square, side state) Bitboard {
	victims := attacks.King(king) & p.colors[side^1]
	for x := victims; x != 0; x &= x - 1 {
		if p.IsAttacked(x.First(), Color(side^1), p.Occupancy().Without(king)) {
			victims &^= x & -x
		}
	}
	return victims
}

// noisyPawns are the captures and promotions of pawns, as target squares.
type noisyPawns struct {
	push, west, east Bitboard
	enPassant        Bitboard // the pawns that may capture
	up               Move     // what a push adds to a square, mod 64
}

func (p *Position) noisyPawns(side state, checkMask, pinnedDiagonal, pinnedOrthogonal Bitboard) (t noisyPawns) {
	own, them := p.colors[side]&p.pieces[pawns], p.colors[side^1]
	t.up = 8 - 16*Move(side)
	up, seventh := 8-16*int(side), bitboard.Rank7Mask
	if side != 0 {
		seventh = bitboard.Rank2Mask
	}
	across := own &^ pinnedOrthogonal
	west, east := shift(across&^bitboard.FileAMask, up-1), shift(across&^bitboard.FileHMask, up+1)
	if pinned := across & pinnedDiagonal; pinned != 0 {
		free := across &^ pinned
		west = shift(free&^bitboard.FileAMask, up-1) | shift(pinned&^bitboard.FileAMask, up-1)&pinnedDiagonal
		east = shift(free&^bitboard.FileHMask, up+1) | shift(pinned&^bitboard.FileHMask, up+1)&pinnedDiagonal
	}
	t.west, t.east = west&them&checkMask, east&them&checkMask
	if promoting := own & seventh &^ (pinnedDiagonal | pinnedOrthogonal); promoting != 0 {
		t.push = shift(promoting, up) & checkMask &^ p.Occupancy()
	}
	if p.state&enPassantMask != 0 && p.capturersOf(p.pushed()) != 0 {
		var b core.Board
		p.coreBoard(&b)
		t.enPassant = p.absolute(b.EnPassantCapturers())
	}
	return t
}

// shift moves a set by a number of squares, which may be negative.
func shift(b Bitboard, by int) Bitboard { return Bitboard(bits.RotateLeft64(uint64(b), by)) }

// appendByVictim appends the captures and promotions of pawns and capturers.
func (p *Position) appendByVictim(moves []Move, capturers []capturer, union Bitboard, t *noisyPawns) []Move {
	const last = bitboard.Rank1Mask | bitboard.Rank8Mask
	promotions := (t.push | t.west | t.east) & last
	if promotions != 0 {
		moves = t.appendPromotions(moves, PromoteQueen)
	}
	west, east, passed := t.west&^last, t.east&^last, bitboard.Empty
	if t.enPassant != 0 {
		passed = p.pushed()
	}
	union |= west | east | passed
	for i := queens; union != 0; i-- {
		victims := p.pieces[i&7] & union
		if victims == 0 {
			continue
		}
		union ^= victims
		for x := west & victims; x != 0; x &= x - 1 {
			moves = append(moves, pawnMove(x.First(), t.up-1, PawnMove))
		}
		for x := east & victims; x != 0; x &= x - 1 {
			moves = append(moves, pawnMove(x.First(), t.up+1, PawnMove))
		}
		if victims&passed != 0 {
			for x := t.enPassant; x != 0; x &= x - 1 {
				moves = append(moves, NewMove(x.First(), p.EnPassant(), EnPassant))
			}
		}
		for i := range capturers {
			c := &capturers[i]
			for x := c.victims & victims; x != 0; x &= x - 1 {
				moves = append(moves, c.origin|Move(x.First())<<6)
			}
		}
	}
	if promotions != 0 {
		for kind := PromoteRook; kind >= PromoteKnight; kind-- {
			moves = t.appendPromotions(moves, kind)
		}
	}
	return moves
}

// appendPromotions appends the promotions to one kind of piece.
func (t *noisyPawns) appendPromotions(moves []Move, kind MoveKind) []Move {
	const last = bitboard.Rank1Mask | bitboard.Rank8Mask
	for x := t.push; x != 0; x &= x - 1 {
		moves = append(moves, pawnMove(x.First(), t.up, kind))
	}
	for x := t.west & last; x != 0; x &= x - 1 {
		moves = append(moves, pawnMove(x.First(), t.up-1, kind))
	}
	for x := t.east & last; x != 0; x &= x - 1 {
		moves = append(moves, pawnMove(x.First(), t.up+1, kind))
	}
	return moves
}

// pawnMove packs the move of a pawn to a square that is a step from its own.
func pawnMove(to Square, step Move, kind MoveKind) Move {
	return (Move(to)*(1<<6+1) - step) | Move(kind)<<12
}
