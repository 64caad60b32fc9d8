package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Values are what the men are worth, by kind of man: 0 for none. The king's is never asked for.
type Values = [bitboard.King + 1]int

// Exchange returns what the exchange that a legal move begins on its target square brings our side, if each
// side in turn takes back with the least of its men that legally can, or stops. Of equal men the one on the
// lowest square goes first. Values beyond low and high, low < high, are not told apart: the bound stands for them.
//
// It looks for the value along the one line of play as alpha-beta does, each side's bound being the best that it
// could have had by stopping: nothing needs to be remembered, and to ask for a threshold is to narrow the window.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func (b *Board) Exchange(from, to Square, kind Kind, values *Values, low, high int) int {
	balance, standing := b.opening(from, to, kind, values)
	if balance <= low || kind == KingMove || kind == Castling {
		return max(low, min(balance, high))
	}
	promotion := 0
	if to.Bitboard()&castlingRanks != 0 {
		promotion = values[bitboard.Queen] - values[bitboard.Pawn]
	}
	if balance-values[standing]-promotion >= high { // to take back for nothing is not enough
		return high
	}
	e := b.newExchange(from, to, kind)
	for side := 1; ; side ^= 1 {
		// Now all is as the side that is to take back sees it. It may stop: that is worth the balance.
		balance, low, high = -balance, -high, -low
		if balance >= high {
			return high * (1 - 2*side)
		}
		low = max(low, balance)
		man := e.takeBack(side)
		if man == bitboard.NoPieceType {
			return low * (1 - 2*side)
		}
		balance += values[standing]
		standing = man
		if man == bitboard.Pawn && promotion != 0 {
			balance += promotion
			standing = bitboard.Queen
		}
	}
}

// opening returns what a move wins at once, and which man stands on its target then.
func (b *Board) opening(from, to Square, kind Kind, values *Values) (won int, standing bitboard.PieceType) {
	switch {
	case kind < DoublePush:
		return values[b.manAt(to)], manOfKind[kind]
	case kind >= PromoteKnight:
		promoted := manOfKind[kind&15]
		return values[b.manAt(to)] + values[promoted] - values[bitboard.Pawn], promoted
	case kind == EnPassant:
		return values[bitboard.Pawn], bitboard.Pawn
	}
	return 0, bitboard.Pawn
}

// manOfKind is what stands on the target after a move of a kind, castling aside.
var manOfKind = [16]bitboard.PieceType{
	KingMove: bitboard.King, PawnMove: bitboard.Pawn, DoublePush: bitboard.Pawn, EnPassant: bitboard.Pawn,
	KnightMove: bitboard.Knight, BishopMove: bitboard.Bishop, RookMove: bitboard.Rook, QueenMove: bitboard.Queen,
	PromoteKnight: bitboard.Knight, PromoteBishop: bitboard.Bishop, PromoteRook: bitboard.Rook, PromoteQueen: bitboard.Queen,
}

// manAt returns the kind of man on a square, none for a king's.
func (b *Board) manAt(s Square) bitboard.PieceType {
	s &= 63
	return manOfCode[b.Pawns>>s&1|b.Knights>>s&1<<1|b.Diagonals>>s&1<<2|b.Orthogonals>>s&1<<3]
}

var manOfCode = [16]bitboard.PieceType{
	1: bitboard.Pawn, 2: bitboard.Knight, 4: bitboard.Bishop, 8: bitboard.Rook, 12: bitboard.Queen,
}

// exchange is the taking back on one square, as far as it has come.
type exchange struct {
	*Board
	target    Square
	occupancy Bitboard    // of the men that are left; the target always
	attackers Bitboard    // of the target, of both sides, that are left
	men       [2]Bitboard // ours and theirs, before
	kings     [2]Square
	snipers   [2]Bitboard // against the king of each side: the other's sliders in line with it
}

// newExchange is the exchange right after the move that begins it.
func (b *Board) newExchange(from, to Square, kind Kind) exchange {
	target := to.Bitboard()
	e := exchange{
		Board:     b,
		target:    to,
		occupancy: (b.Us|b.Them)&^from.Bitboard() | target,
		men:       [2]Bitboard{b.Us &^ from.Bitboard(), b.Them &^ target},
	}
	if kind == EnPassant {
		e.occupancy &^= target >> 8
	}
	k, kings := &kingLookups[to&63], b.Kings()
	e.attackers = k.knights&b.Knights | k.attacks&kings |
		k.pawns&b.Pawns&b.Them | attacks.Pawn(bitboard.Black, to)&b.Pawns&b.Us
	if sliders := k.diagonals & b.Diagonals; sliders != 0 {
		e.attackers |= attacks.Bishop(to, e.occupancy) & sliders
	}
	if sliders := k.orthogonals & b.Orthogonals; sliders != 0 {
		e.attackers |= attacks.Rook(to, e.occupancy) & sliders
	}
	e.attackers &= e.occupancy
	for side := range e.snipers {
		king := (kings & e.men[side]).First()
		k := &kingLookups[king&63]
		e.kings[side] = king
		e.snipers[side] = (k.diagonals&b.Diagonals | k.orthogonals&b.Orthogonals) & e.men[side^1]
	}
	return e
}

// takeBack captures with the least man of a side that may capture on the target, and returns its kind: none if
// there is no such man.
func (e *exchange) takeBack(side int) bitboard.PieceType {
	able := e.attackers & e.men[side]
	if able == 0 {
		return bitboard.NoPieceType
	}
	able &^= e.pinned(side)
	switch b := e.Board; {
	case able&b.Pawns != 0:
		e.leave(able & b.Pawns)
		e.reveal(b.Diagonals, 0)
		return bitboard.Pawn
	case able&b.Knights != 0:
		e.leave(able & b.Knights)
		return bitboard.Knight
	case able&b.Diagonals&^b.Orthogonals != 0:
		e.leave(able & b.Diagonals &^ b.Orthogonals)
		e.reveal(b.Diagonals, 0)
		return bitboard.Bishop
	case able&b.Orthogonals&^b.Diagonals != 0:
		e.leave(able & b.Orthogonals &^ b.Diagonals)
		e.reveal(0, b.Orthogonals)
		return bitboard.Rook
	case able&b.Orthogonals != 0:
		e.leave(able & b.Orthogonals)
		e.reveal(b.Diagonals, b.Orthogonals)
		return bitboard.Queen
	}
	return e.takeBackWithKing(side)
}

// takeBackWithKing captures with the king, if no man is left to take it there.
func (e *exchange) takeBackWithKing(side int) bitboard.PieceType {
	king := e.kings[side]
	if !(e.attackers & e.men[side]).Has(king) || e.attackers&e.men[side^1] != 0 {
		return bitboard.NoPieceType
	}
	e.leave(king.Bitboard())
	if e.reveal(e.Diagonals, e.Orthogonals); e.attackers&e.men[side^1] != 0 {
		return bitboard.NoPieceType // it was hiding behind itself
	}
	return bitboard.King
}

// leave takes the lowest of some men off the square it came from.
func (e *exchange) leave(men Bitboard) {
	e.occupancy ^= men & -men
	e.attackers &= e.occupancy
}

// reveal adds the sliders that see the target now that a man has left.
func (e *exchange) reveal(diagonals, orthogonals Bitboard) {
	e.attackers |= (attacks.Bishop(e.target, e.occupancy)&diagonals | attacks.Rook(e.target, e.occupancy)&orthogonals) & e.occupancy
}

// pinned returns the men that may not leave a line to the king of a side: all but the king itself if a man has
// left already, whose place only the king can answer for.
func (e *exchange) pinned(side int) (pinned Bitboard) {
	for x := e.snipers[side] & e.occupancy; x != 0; x &= x - 1 {
		between := bitboard.Between(e.kings[side], x.First()) & e.occupancy
		if between == 0 {
			return bitboard.Full
		}
		if between&(between-1) == 0 {
			pinned |= between
		}
	}
	return pinned
}
