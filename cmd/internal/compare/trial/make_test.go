package trial

// move is a move with the fields that make and unmake need.
type move struct {
	from, to  int
	promotion piece // the type, or none
	special   special
}

// special tells what a move does besides moving a piece.
type special uint8

const (
	ordinary special = iota
	doublePush
	enPassant
	castling
)

// String returns the move as UCI writes it.
func (m move) String() string {
	text := square(m.from) + square(m.to)
	if m.promotion != none {
		text += string(" pnbrqk"[m.promotion])
	}
	return text
}

// keepMask[sq] contains the rights that a move from or to a square leaves.
var keepMask = func() (masks [128]uint8) {
	for i := range masks {
		masks[i] = 15
	}
	masks[a1], masks[h1], masks[e1] = 15&^whiteLong, 15&^whiteShort, 15&^(whiteLong|whiteShort)
	masks[a8], masks[h8], masks[e8] = 15&^blackLong, 15&^blackShort, 15&^(blackLong|blackShort)
	return masks
}()

// captureSquare returns the square of the piece that a move captures.
func (p *position) captureSquare(m move) int {
	if m.special == enPassant {
		return besides(m)
	}
	return m.to
}

// besides returns the square of the pawn that an en-passant move captures.
func besides(m move) int { return m.from&^15 | m.to&15 }

// make makes a move that the generator has listed.
func (p *position) make(m move) {
	u := undo{rights: p.rights, ep: p.ep, clock: p.clock, key: p.key, unseen: p.unseen, vanished: nowhere}
	p.key ^= p.stateKey()
	moved := p.at[m.from]
	if p.has("any piece captures en passant") && m.to == p.ep && moved.kind() != pawn {
		if behind := m.to - up + 2*up*p.side; p.at[behind].kind() == pawn && p.at[behind].colour() != p.side {
			p.take(behind)
			u.vanished = behind
		}
	}
	u.captured = p.at[p.captureSquare(m)]
	switch {
	case u.captured == none:
	case p.has("en passant leaves the pawn") && m.special == enPassant && p.side == 0:
		u.captured = none
	default:
		p.take(p.captureSquare(m))
	}
	kings := p.king
	p.shift(m.from, m.to)
	if m.special == castling {
		p.castle(m, false)
		if p.has("the king's square stays when castling") {
			p.king = kings
		}
	}
	if m.promotion != none {
		p.promote(m, moved)
	}
	p.loseRights(m, moved, u.captured)
	p.ep = p.epAfter(m)
	p.clock++
	if moved.kind() == pawn || u.captured != none {
		p.clock = 0
	}
	p.number += p.side
	p.side ^= 1
	p.key ^= p.stateKey()
	p.unseen = p.overlooked(m)
	p.undo = append(p.undo, u)
}

// castle moves the rook of a castling move, or moves it back.
func (p *position) castle(m move, back bool) {
	from, to := m.from+3, m.from+1
	if m.to < m.from {
		from, to = m.from-4, m.from-1
	}
	if back {
		from, to = to, from
		if p.has("the rook is not put back") && m.to < m.from {
			return
		}
	}
	p.shift(from, to)
}

// promote replaces the pawn that has arrived.
func (p *position) promote(m move, moved piece) {
	promoted := m.promotion | moved&black
	if p.has("Black promotes to a white knight") && moved.colour() == 1 && m.promotion == knight {
		promoted = m.promotion
	}
	key := p.key
	p.take(m.to)
	p.put(promoted, m.to)
	if p.has("key of a promotion is a pawn's") {
		p.key = key
	}
	if p.has("a promoted queen is listed twice") && m.promotion == queen {
		c := promoted.colour()
		p.list[c][p.count[c]] = m.to
		p.count[c]++
	}
}

// loseRights ends the rights that a move ends.
func (p *position) loseRights(m move, moved, captured piece) {
	lost := ^keepMask[m.from] | ^keepMask[m.to]
	switch {
	case p.has("right survives a capturing promotion") && m.promotion != none,
		p.has("right survives a capture on a8") && m.to == a8:
		lost = ^keepMask[m.from]
	case p.has("a rook of the file ends the right") && moved.kind() == rook:
		mine := uint8(3) << (2 * p.side)
		if m.from&15 == 7 {
			lost |= mine & (whiteShort | blackShort)
		}
		if m.from&15 == 0 {
			lost |= mine & (whiteLong | blackLong)
		}
	case p.has("the king keeps the long right") && moved.kind() == king && m.special != castling:
		lost &^= (whiteLong | blackLong) & (3 << (2 * p.side))
	case p.has("castling ends the rights of both") && m.special == castling:
		lost = 15
	}
	p.rights &^= lost
}

// epAfter returns the en-passant square after a move.
func (p *position) epAfter(m move) int {
	if m.special != doublePush {
		if p.has("the en-passant square survives castling") && m.special == castling {
			return p.ep
		}
		return nowhere
	}
	if p.has("no en-passant square on the outer files") && (m.to&15 == 0 || m.to&15 == 7) {
		return nowhere
	}
	return (m.from + m.to) / 2
}

// overlooked reports whether the engine overlooks the check that a move has given. A mistake makes
// it find checks from the last move instead of from the board.
func (p *position) overlooked(m move) bool {
	switch {
	case p.has("the castling rook gives no check"):
		return m.special == castling
	case p.has("en passant discovers no check") && m.special == enPassant:
		return !p.attack(m.to, p.king[p.side])
	case p.has("promotion to a knight gives no check"):
		return m.promotion == knight
	}
	return false
}

// unmake takes the last move back.
func (p *position) unmake(m move) {
	u := p.undo[len(p.undo)-1]
	p.undo = p.undo[:len(p.undo)-1]
	p.side ^= 1
	p.number -= p.side
	if m.promotion != none {
		colour := p.at[m.to] & black
		if p.side == 1 {
			colour = black
		}
		p.unlist(m)
		p.take(m.to)
		p.put(pawn|colour, m.to)
	}
	kings := p.king
	p.shift(m.to, m.from)
	if p.has("the king's square stays after a capture") && u.captured != none {
		p.king = kings
	}
	if m.special == castling {
		p.castle(m, true)
		p.king[p.side] = m.from
	}
	if u.captured != none {
		p.putBack(m, u.captured)
	}
	if u.vanished != nowhere {
		p.put(pawn|(black&^(black*piece(p.side))), u.vanished)
	}
	if !p.has("rights are not restored after captures") || u.captured == none {
		p.rights = u.rights
	}
	if !p.has("the en-passant square is not restored") {
		p.ep = u.ep
	}
	p.clock, p.unseen, p.key = u.clock, u.unseen, u.key
}

// unlist takes a queen out of the list that a mistake has entered twice.
func (p *position) unlist(m move) {
	if c := p.side; p.has("a promoted queen is listed twice") && m.promotion == queen {
		p.count[c]--
	}
}

// putBack returns a captured piece to the board.
func (p *position) putBack(m move, captured piece) {
	sq := p.captureSquare(m)
	switch {
	case p.has("the en-passant pawn is put back on the target") && m.special == enPassant:
		sq = m.to
	case p.has("the list is not restored after a capturing promotion") && m.promotion != none:
		p.at[sq] = captured
		return
	case p.has("the captured pawn comes back as one's own") && m.special == enPassant && p.side == 1:
		captured ^= black
	}
	p.put(captured, sq)
}
