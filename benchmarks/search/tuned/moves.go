package tuned

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type lists struct {
	captures []scored
	given    int
}

func (l *lists) allocate() { l.captures = make([]scored, 0, 256) }

func (l *lists) nextCapture() move {
	if l.given == len(l.captures) {
		return 0
	}
	l.given++
	return takeBest(l.captures[l.given-1:])
}

// evasions returns the squares on which a piece other than the king ends all checks.
func (b *board) evasions() set {
	switch {
	case b.checkers == 0:
		return bitboard.Full
	case b.checkers&(b.checkers-1) != 0:
		return 0
	}
	return bitboard.Between(b.King(b.toMove), b.checkers.First()) | b.checkers
}

// listCaptures lists pseudo-legal captures and promotions to queens. Their keys order promotions
// first, then captures by MVV-LVA.
func (l *lists) listCaptures(b *board) {
	list := l.captures[:0]
	own, them, allowed := b.Colors[b.toMove&1], b.Colors[b.toMove&1^1], b.evasions()
	list = b.pawnCaptures(list, own&b.Types[pawn], them, allowed)
	list = b.pieces(list, them&allowed, nil)
	s := b.King(b.toMove)
	l.captures, l.given = b.attack(list, s, king, attacks.King(s)&them), 0
}

// pieces lists pseudo-legal moves of knights to queens: captures without a history.
func (b *board) pieces(list []scored, targets set, history *[6 * 64]int32) []scored {
	own, occupancy := b.Colors[b.toMove&1], b.Occupancy()
	for x := own & b.Types[knight]; x != 0; {
		s := x.Pop()
		list = b.walk(list, s, knight, attacks.Knight(s)&targets, history)
	}
	for x := own & b.Types[bishop]; x != 0; {
		s := x.Pop()
		list = b.walk(list, s, bishop, attacks.Bishop(s, occupancy)&targets, history)
	}
	for x := own & b.Types[rook]; x != 0; {
		s := x.Pop()
		list = b.walk(list, s, rook, attacks.Rook(s, occupancy)&targets, history)
	}
	for x := own & b.Types[queen]; x != 0; {
		s := x.Pop()
		list = b.walk(list, s, queen, attacks.Queen(s, occupancy)&targets, history)
	}
	return list
}

func (b *board) attack(list []scored, from square, piece fianchetto.PieceType, targets set) []scored {
	for targets != 0 {
		to := targets.Pop()
		victim := b.squares[to&63].Type()
		rank := int32(king-victim)<<16 | int32(piece-pawn)<<13 | (int32(from)<<6 | int32(to))
		list = append(list, scored{-rank, newMove(from, to, piece, victim)})
	}
	return list
}

func (b *board) pawnCaptures(list []scored, pawns, them, allowed set) []scored {
	white := b.toMove == fianchetto.White
	push, west, east, step := pawns<<8, pawns&^bitboard.FileA.Mask()<<7, pawns&^bitboard.FileH.Mask()<<9, square(0)
	last := bitboard.Rank8.Mask()
	if !white {
		push, west, east, step = pawns>>8, pawns&^bitboard.FileA.Mask()>>9, pawns&^bitboard.FileH.Mask()>>7, 16
		last = bitboard.Rank1.Mask()
	}
	west, east = west&them&allowed, east&them&allowed
	if push &= last & allowed &^ (b.Colors[0] | b.Colors[1]); push|(west|east)&last != 0 {
		list = b.promotions(list, push, 8-step, 0)
		list = b.promotions(list, west&last, 7-step, 1)
		list = b.promotions(list, east&last, 9-step, 2)
	}
	for x := west &^ last; x != 0; {
		to := x.Pop()
		victim := b.squares[to&63].Type()
		list = append(list, scored{-(int32(king-victim)<<16 | int32(to)), newMove(to-7+step, to, pawn, victim)})
	}
	for x := east &^ last; x != 0; {
		to := x.Pop()
		victim := b.squares[to&63].Type()
		list = append(list, scored{-(int32(king-victim)<<16 | 1<<6 | int32(to)), newMove(to-9+step, to, pawn, victim)})
	}
	if b.Passed != fianchetto.NoSquare {
		for x := attacks.Pawn(b.toMove^1, b.Passed) & pawns; x != 0; {
			from := x.Pop()
			m := newMove(from, b.Passed, pawn, pawn) | enPassant
			list = append(list, scored{-(int32(king)<<16 | int32(from)), m})
		}
	}
	return list
}

func (b *board) promotions(list []scored, targets set, step square, order int32) []scored {
	for targets != 0 {
		to := targets.Pop()
		m := newMove(to-step, to, pawn, b.squares[to&63].Type()) | move(queen)<<promotionShift
		list = append(list, scored{-(order<<6 | int32(to)), m})
	}
	return list
}

// quiets lists pseudo-legal quiet moves with their history.
func (l *lists) quiets(b *board, list []scored, history *[6 * 64]int32) []scored {
	own, occupancy := b.Colors[b.toMove&1], b.Occupancy()
	targets := ^occupancy & b.evasions()
	list = b.pushes(list, own&b.Types[pawn], ^occupancy, targets, history)
	list = b.pieces(list, targets, history)
	s := b.King(b.toMove)
	list = b.walk(list, s, king, attacks.King(s)&^occupancy, history)
	if b.checkers == 0 {
		for side := range square(2) {
			if to := s + 2 - 4*side; b.mayCastle(side) {
				list = append(list, quiet(newMove(s, to, king, 0)|castling, history))
			}
		}
	}
	return list
}

func quiet(m move, history *[6 * 64]int32) scored {
	return scored{history[m.PieceTo()]<<12 - int32(m&63)<<6 - int32(m>>6&63), m}
}

func (b *board) walk(list []scored, from square, piece fianchetto.PieceType, targets set,
	history *[6 * 64]int32) []scored {
	if history == nil {
		return b.attack(list, from, piece, targets)
	}
	for targets != 0 {
		list = append(list, quiet(newMove(from, targets.Pop(), piece, 0), history))
	}
	return list
}

func (b *board) pushes(list []scored, pawns, empty, allowed set, history *[6 * 64]int32) []scored {
	single, double, step := pawns<<8&empty&^bitboard.Rank8.Mask(), set(0), square(8)
	if b.toMove == fianchetto.White {
		double = single & bitboard.Rank3.Mask() << 8 & empty
	} else {
		single = pawns >> 8 & empty &^ bitboard.Rank1.Mask()
		double = single & bitboard.Rank6.Mask() >> 8 & empty
		step = -step
	}
	for x := single & allowed; x != 0; {
		to := x.Pop()
		list = append(list, quiet(newMove(to-step, to, pawn, 0), history))
	}
	for x := double & allowed; x != 0; {
		to := x.Pop()
		list = append(list, quiet(newMove(to-2*step, to, pawn, 0)|doublePush, history))
	}
	return list
}

// mayCastle reports whether the king, which is not in check, may castle to a side, 0 for short.
func (b *board) mayCastle(side square) bool {
	if !b.MayCastle(b.toMove, side) {
		return false
	}
	home := square(bitboard.E1) + 56*square(b.toMove)
	empty, path := set(0x60), [2]square{home + 1, home + 2}
	if side != 0 {
		empty, path = 0x0e, [2]square{home - 1, home - 2}
	}
	occupancy := b.Occupancy()
	if occupancy&(empty<<(home&56)) != 0 {
		return false
	}
	return !b.isAttacked(path[0], occupancy) && !b.isAttacked(path[1], occupancy)
}

func (b *board) isAttacked(s square, occupancy set) bool {
	them := b.toMove ^ 1
	return attacks.King(s)&b.Types[king]&b.Colors[them&1] != 0 || b.Attackers(them, s, occupancy) != 0
}

// accepts reports whether a pseudo-legal move that ends all checks leaves the king safe.
func (b *board) accepts(m move) bool {
	from, to, home := m.from(), m.to(), b.King(b.toMove)
	switch {
	case m&castling != 0:
		return true
	case from == home:
		return !b.isAttacked(to, b.Occupancy().Without(from))
	case m&enPassant != 0:
		captured := to ^ 8
		occupancy := b.Occupancy().Without(from).Without(captured).With(to)
		return b.Attackers(b.toMove^1, home, occupancy)&^captured.Bitboard() == 0
	}
	return !b.pinned.Has(from) || bitboard.Line(home, from).Has(to)
}

func (b *board) isLegal(m move) bool {
	from, to := m.from(), m.to()
	if b.squares[from&63] != bitboard.PieceOf(b.toMove, m.piece()) {
		return false
	}
	victim := b.squares[to&63]
	switch {
	case m&castling != 0:
		return b.checkers == 0 && b.mayCastle((to&7^6)>>2)
	case m&enPassant != 0:
		if to != b.Passed || !attacks.Pawn(b.toMove, from).Has(to) {
			return false
		}
		return b.accepts(m)
	case victim != fianchetto.NoPiece && victim.Color() == b.toMove, victim.Type() != m.victim():
		return false
	case m.piece() == pawn:
		if !b.pawnReaches(m) {
			return false
		}
	case !attacks.Of(b.squares[from&63], from, b.Occupancy()).Has(to):
		return false
	}
	return (m.piece() == king || b.evasions().Has(to)) && b.accepts(m)
}

// pawnReaches reports whether a pawn's move other than en passant, with the right victim, is
// pseudo-legal.
func (b *board) pawnReaches(m move) bool {
	from, to := m.from(), m.to()
	if m.victim() != 0 {
		return attacks.Pawn(b.toMove, from).Has(to)
	}
	push := attacks.PawnPushes(b.toMove, from.Bitboard(), ^b.Occupancy())
	if m&doublePush != 0 {
		push = attacks.PawnDoublePushes(b.toMove, from.Bitboard(), ^b.Occupancy())
	}
	return push.Has(to)
}

func (b *board) isLegalQuiet(m move) bool { return b.isLegal(m) }
