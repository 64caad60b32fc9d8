package fianchetto

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// After returns the position after m, which must be legal here, as every generated move is. An
// illegal move gives a meaningless position, or a panic if its Kind is no constant or under the
// build tag fianchettodebug. CopyMake and Make require the same.
//
// If a loop's body passes on the address of the result, declare the variable before the loop or use
// CopyMake, or each move allocates.
func (p *Position) After(m Move) Position {
	var next Position
	p.CopyMake(&next, m)
	return next
}

// CopyMake writes the position after m, which must be legal here, into next, which must not be p.
// It returns the type of the captured piece, or NoPieceType. An engine keeps one Position for each
// ply of its search.
// Source: https://www.chessprogramming.org/Copy-Make
//
// It repeats Make, but reads p wherever both positions agree, because reading back part of a wider
// pending store defeats store forwarding. One function for both costs 6% of listing and CopyMake
// (EPYC, Zen 4).
func (p *Position) CopyMake(next *Position, m Move) (captured PieceType) {
	p.mustBeLegal(m)
	if debug.Enabled && next == p {
		panic("fianchetto: CopyMake into the position itself, " + p.String())
	}
	if m.Kind() > DoublePush {
		*next = *p
		next.makeSpecial(m)
		return p.Captured(m)
	}
	side, from, to := p.state&blackToMove, m&63, m>>6&63
	effect := m.effect(side)
	target := Bitboard(1) << to
	both := target | 1<<from
	key, state := p.afterPlain(m, effect)
	*next = *p
	next.colors[side] ^= both
	next.pieces[effect.piece] ^= both
	if p.colors[side^1]&target != 0 {
		captured = p.typeAt(Square(to))
		i := captured - Pawn
		next.colors[side^1] ^= target
		next.pieces[i] ^= target
		key ^= keys.pieces[side^1][i&7][to]
		state &^= halfmoveMask | halfmoveOverflow
	}
	if rare := state & (castlingRooksState(both) | effect.rare); rare != 0 {
		key, state = p.afterRare(key, state, rare)
	}
	next.key, next.state = key, state
	return captured
}

// Undo is the input of Unmake. The compiler keeps structs of up to four fields in registers.
// Through memory, Make and Unmake take three times as long.
type Undo struct {
	key   uint64
	state state
	moved Bitboard // origin and target of a plain move, otherwise empty
	rest  changes  // lowest pieceBits: the index of that piece in Position.pieces; above: other changes
}

// changes are up to four pieces that come or leave, in changeBits each: the square and, above it,
// the Piece, which is never zero.
type changes uint64

const (
	pieceBits  = 3
	squareBits = 6
	changeBits = squareBits + 4
)

func (c changes) and(piece Piece, s Square) changes {
	return c<<changeBits | changes(piece)<<squareBits | changes(s)
}

// Make plays m, which must be legal here, and returns the Undo that takes it back.
func (p *Position) Make(m Move) Undo {
	p.mustBeLegal(m)
	if m.Kind() > DoublePush {
		return p.makeSpecial(m)
	}
	side, from, to := p.state&blackToMove, m&63, m>>6&63
	effect := m.effect(side)
	target := Bitboard(1) << to
	both := target | 1<<from
	key, state := p.afterPlain(m, effect)
	if rare := state & (castlingRooksState(both) | effect.rare); rare != 0 {
		key, state = p.afterRare(key, state, rare)
	}
	undo := Undo{p.key, p.state, both, changes(effect.piece)}
	if p.colors[side^1]&target != 0 {
		captured := p.typeAt(Square(to))
		undo.rest |= changes(0).and(bitboard.PieceOf(Color(side^1), captured), Square(to)) << pieceBits
		captured -= Pawn
		p.colors[side^1] ^= target
		p.pieces[captured] ^= target
		key ^= keys.pieces[side^1][captured&7][to]
		state &^= halfmoveMask | halfmoveOverflow
	}
	p.colors[side] ^= both
	p.pieces[effect.piece] ^= both
	p.key, p.state = key, state
	return undo
}

// Unmake takes back the move whose Make returned undo.
func (p *Position) Unmake(undo Undo) {
	if debug.Enabled {
		defer p.mustLeadTo(*p)
	}
	p.key, p.state = undo.key, undo.state
	p.colors[undo.state&blackToMove] ^= undo.moved
	p.pieces[undo.rest&(1<<pieceBits-1)] ^= undo.moved
	p.toggle(undo.rest >> pieceBits)
}

// toggle makes changes on the sets of pieces, or takes them back.
func (p *Position) toggle(c changes) {
	for ; c != 0; c >>= changeBits {
		square := Bitboard(1) << (c & 63)
		p.colors[c>>(squareBits+3)&1] ^= square
		p.pieces[c>>squareBits&7-changes(Pawn)] ^= square
	}
}

func (p *Position) makeSpecial(m Move) Undo {
	side, target := p.state&blackToMove, m.To().Bitboard()
	effect := m.effect(side)
	key, state := p.key^sideKey, p.state&effect.keep+effect.add
	if rare := state & (castlingRooksState(target) | effect.rare); rare != 0 {
		key, state = p.afterRare(key, state, rare)
	}
	all := m.specialChanges(Color(side))
	if p.colors[side^1]&target != 0 {
		all = all.and(bitboard.PieceOf(Color(side^1), p.typeAt(m.To())), m.To())
	}
	undo := Undo{key: p.key, state: p.state, rest: all << pieceBits}
	p.toggle(all)
	p.key, p.state = key^all.key(), state
	return undo
}

// specialChanges returns the changes by makeSpecial, except a capture on the target.
func (m Move) specialChanges(side Color) (c changes) {
	pawn, from, to := bitboard.PieceOf(side, Pawn), m.From(), m.To()
	switch m.Kind() {
	case EnPassant:
		return c.and(pawn, from).and(pawn, to).and(bitboard.PieceOf(side.Opponent(), Pawn), to^8)
	case Castling:
		king, rook := bitboard.PieceOf(side, King), bitboard.PieceOf(side, Rook)
		kingTo, rookTo := m.CastlingTargets()
		return c.and(king, from).and(king, kingTo).and(rook, to).and(rook, rookTo)
	default:
		return c.and(pawn, from).and(bitboard.PieceOf(side, m.Promotion()), to)
	}
}

func (c changes) key() (key uint64) {
	for ; c != 0; c >>= changeBits {
		key ^= keys.pieces[c>>(squareBits+3)&1][(c>>squareBits-changes(Pawn))&7][c&63]
	}
	return key
}

// afterPlain returns key and state after a move that is not special, before captures, lost rights
// and overflows.
func (p *Position) afterPlain(m Move, e *moveEffect) (key uint64, s state) {
	key = p.key ^ e.keys[m&63] ^ e.keys[m>>6&63] ^ sideKey
	s = p.state&e.keep + e.add
	if m.Kind() == DoublePush {
		s |= enPassantState(m&63 ^ 24) // from rank 2 to rank 3, from 7 to 6
	}
	return key, s
}

// afterRare returns key and state after the loss of the rights and the overflows in rare.
func (p *Position) afterRare(key uint64, s, rare state) (uint64, state) {
	lost := rare & castlingRooksMask
	if lost != 0 {
		key ^= p.castlingKey(lost.castlingRooks())
	}
	return key, (s ^ lost).saturated()
}

// moveEffect is the effect of a kind of move of one side on state and key.
type moveEffect struct {
	keep, add state       // the bits to keep, and the number to add
	rare      state       // the overflows of the clocks and, for the king, the side's castling rooks
	piece     int         // the index of the moving piece in Position.pieces
	keys      *[64]uint64 // the keys of the moving piece
	_         [3]uint64   // pads to a power of two, so that an index is a shift
}

func enPassantState(s Move) state { return (state(s) ^ state(NoSquare)) << enPassantShift }

func (m Move) effect(side state) *moveEffect { return &moveEffects[side&1][m>>12] }

var moveEffects = newMoveEffects()

func newMoveEffects() (effects [2][16]moveEffect) {
	for side := White; side <= Black; side++ {
		for kind, t := range pieceOfKind {
			i := int(max(t, Pawn) - Pawn)
			e := moveEffect{keep: ^enPassantMask, add: blackToMove, rare: halfmoveOverflow | fullmoveOverflow}
			e.piece, e.keys = i, &keys.pieces[side][i]
			if side == Black {
				e.add = 1<<fullmoveShift - blackToMove
			}
			if t == Pawn {
				e.keep &^= halfmoveMask
			} else {
				e.add += 1 << halfmoveShift
			}
			if t == King {
				e.rare |= castlingRooksState(backRank(side))
			}
			effects[side][kind] = e
		}
	}
	return effects
}

// Null returns the position after a null move, without an en-passant square. The side to move must
// not be in check. Both clocks advance as after any quiet move.
// Source: https://www.chessprogramming.org/Null_Move
func (p *Position) Null() (next Position) {
	p.CopyNull(&next)
	return next
}

// CopyNull writes the result of Null into next.
func (p *Position) CopyNull(next *Position) {
	p.mustNotBeInCheck()
	side := p.state & blackToMove
	*next = *p
	next.key ^= sideKey
	next.state = ((p.state&^enPassantMask + 1<<halfmoveShift + side<<fullmoveShift) ^ blackToMove).saturated()
}

func (p *Position) mustBeLegal(m Move) {
	if debug.Enabled && !p.IsLegal(m) {
		const format = "fianchetto: %v (%v, %#04x) is not a legal move in %v%s"
		panic(fmt.Sprintf(format, m, m.Kind(), uint16(m), p, debug.Overwritten(uint16(m))))
	}
}

func (p *Position) mustNotBeInCheck() {
	if debug.Enabled && p.InCheck() {
		panic(fmt.Sprintf("fianchetto: a null move in check in %v", p))
	}
}

func (p *Position) mustBeOnBoard(s Square) {
	if debug.Enabled && !s.IsValid() {
		panic(fmt.Sprintf("fianchetto: square %d is not on the board, in %v", s, p))
	}
}

// mustLeadTo panics unless p, to which Unmake led from next, has the key that Undo stored.
func (p *Position) mustLeadTo(next Position) {
	if p.key != p.computeKey() {
		panic(fmt.Sprintf("fianchetto: Unmake of a move that was not the last, in %v", next))
	}
}
