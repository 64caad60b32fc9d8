package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// After returns the position after m. m must be legal here, as every move that was generated here is:
// nothing is checked, and an illegal move gives a position without meaning.
//
// In a loop whose body hands out the address of the result, declare the variable before the loop, or it is allocated anew
// for each move; or use CopyMake.
func (p *Position) After(m Move) Position {
	var next Position
	p.CopyMake(&next, m)
	return next
}

// Undo is what Unmake needs to take a move back: the position before it.
type Undo struct {
	before Position
}

// Make plays m, which must be legal here, and returns what takes it back.
func (p *Position) Make(m Move) (undo Undo) {
	undo.before = *p // in place: a copy right after the writing would wait for it
	undo.before.CopyMake(p, m)
	return undo
}

// Unmake takes back the move whose Make returned undo.
func (p *Position) Unmake(undo Undo) { *p = undo.before }

// CopyMake puts the position after m, which must be legal here, into next, which may not be p. It is After
// without a copy of the result: an engine keeps one Position for each ply of its search.
// Source: https://www.chessprogramming.org/Copy-Make
func (p *Position) CopyMake(next *Position, m Move) { copyMake(next, p, m) }

// copyMakeGeneric is CopyMake for any move, on any processor.
//
// It does at once what every move does, without a branch for which man moves; what is left of the moves that are
// more than from one square to another comes after that.
func copyMakeGeneric(next, p *Position, m Move) {
	b, side := &p.board, p.state&blackToMove
	m ^= Move(-side) & flipSquares // as the side to move sees it
	target := Bitboard(1) << (m >> 6 & 63)
	both := target | 1<<(m&63)
	captured := b.Them & target

	mine, is := &keys.men[side][m>>12], &makings[side][m>>12]
	key := p.key ^ mine[m&63] ^ mine[m>>6&63]
	state := p.state&is.clocks + is.tick
	if captured != 0 {
		key ^= keys.men[side^1][kindOfCode[codeAt(b, m.To())&15]&15][m.To()^56]
		state &^= halfmoveMask | halfmoveOverflow
	}
	rights := b.CastlingAndEnPassant & castlingRanks
	if lost := rights & (both | is.loses); lost != 0 {
		rights ^= lost
		key ^= p.castlingKey(lost)
	}
	if state&overflows != 0 {
		state = state.saturated()
	}
	next.key, next.state = key, state

	next.board.Us = (b.Them ^ captured).FlipVertical()
	next.board.Them = (b.Us ^ both).FlipVertical()
	next.board.Pawns = (b.Pawns&^captured ^ both&is.pawns).FlipVertical()
	next.board.Knights = (b.Knights&^captured ^ both&is.knights).FlipVertical()
	next.board.Diagonals = (b.Diagonals&^captured ^ both&is.diagonals).FlipVertical()
	next.board.Orthogonals = (b.Orthogonals&^captured ^ both&is.orthogonals).FlipVertical()
	next.board.CastlingAndEnPassant = (rights | target>>8&is.passed).FlipVertical()
	if m>>12 > Move(DoublePush) {
		p.finish(next, m)
	}
}

// Constants that the assembly shares.
const (
	flipSquares   = core.FlipMove
	castlingRanks = bitboard.Rank1Mask | bitboard.Rank8Mask
)

// finish makes up for what a promotion, a castling or an en-passant capture is more than a
// move from one square to another. m is as the side to move sees it.
func (p *Position) finish(next *Position, m Move) {
	b, c, side := &p.board, &next.board, p.state&blackToMove
	from, to := m.From(), m.To()
	target := to.Bitboard().FlipVertical()
	mine := &keys.men[side]
	switch m.Kind() {
	case EnPassant:
		c.Us &^= target << 8
		c.Pawns &^= target << 8
		next.key ^= keys.men[side^1][PawnMove][to^8^56]
	case Castling:
		kingTo, rookTo := core.CastlingTargets(from, to)
		c.Them = b.Us.Without(from).Without(to).With(kingTo).With(rookTo).FlipVertical()
		c.Orthogonals = b.Orthogonals.Without(to).With(rookTo).FlipVertical()
		next.key ^= mine[KingMove][to] ^ mine[KingMove][kingTo] ^ mine[RookMove][to] ^ mine[RookMove][rookTo]
	default:
		placed := KnightMove + m.Kind() - PromoteKnight
		is := &makings[side][placed]
		c.Pawns ^= target
		c.Knights |= target & is.knights
		c.Diagonals |= target & is.diagonals
		c.Orthogonals |= target & is.orthogonals
		next.key ^= mine[PawnMove][to] ^ mine[placed][to]
	}
}

// making is what a kind of move does: which sets the man that moves is in, as masks, and what becomes of rights, side and
// clocks.
type making struct {
	pawns, knights, diagonals, orthogonals Bitboard
	loses                                  Bitboard // the rights that are lost, whichever the squares
	clocks, tick                           state    // what stays of the state, and what is added to it
	passed                                 Bitboard // all ones for a double push, which leaves an en-passant square
}

// makings are by the side that moves and the kind of move.
var makings = newMakings()

func newMakings() (table [2][16]making) {
	const all = bitboard.Full
	of := [...]making{
		Pawn:   {pawns: all},
		Knight: {knights: all},
		Bishop: {diagonals: all},
		Rook:   {orthogonals: all},
		Queen:  {diagonals: all, orthogonals: all},
		King:   {},
	}
	for side := range table {
		for kind, man := range pieceOfKind {
			is := &table[side][kind]
			*is = of[man]
			is.clocks, is.tick = ^state(0), 1<<halfmoveShift
			switch man {
			case King:
				is.loses = bitboard.Rank1Mask
			case Pawn:
				is.clocks, is.tick = ^halfmoveMask, 0
			}
			if Color(side) == White {
				is.tick += blackToMove
			} else {
				is.tick += 1<<fullmoveShift - blackToMove
			}
		}
		table[side][DoublePush].passed = all
	}
	return table
}
