package fianchetto

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// zobrist has the keys by what they are looked up with.
type zobrist struct {
	pieces    [2][8][64]uint64 // by colour, the index in Position.pieces, and square
	castling  [2][4]uint64     // by colour, and to which sides of its king it may castle: none, east, west, both
	enPassant [8]uint64        // by file
}

// sideKey is the key of White to move. It is a constant, not part of the table, because every move changes it.
const sideKey = 0xf8d626aaaf278509

// keys is not a pointer, so that its address is a constant of the code.
var keys = newZobrist()

// newZobrist arranges the published numbers: 64 for each of black pawn, white pawn, black knight, ...
// white king, then four castling rights, eight en-passant files and the side to move.
// Source: http://hgm.nubati.net/book_format.html
func newZobrist() (z zobrist) {
	for color := range z.pieces {
		for i := range kings + 1 {
			copy(z.pieces[color][i][:], polyglot[64*(2*i+1-color):])
		}
		east, west := polyglot[768+2*color], polyglot[769+2*color]
		z.castling[color] = [4]uint64{0, east, west, east ^ west}
	}
	copy(z.enPassant[:], polyglot[772:780])
	return z
}

// Key returns the Zobrist key of the position as Polyglot defines it. Positions that differ only in the
// clocks have the same key; so may positions that differ in which rook may castle, and, rarely, any two.
// Source: http://hgm.nubati.net/book_format.html
func (p *Position) Key() uint64 {
	if p.state&enPassantMask == 0 {
		return p.key
	}
	return p.keyWithEnPassant()
}

// keyWithEnPassant is Key for a position with an en-passant square: as Polyglot asks, it counts if a pawn of the side to move
// stands next to the pawn that made the double push, whether or not its capture is legal.
func (p *Position) keyWithEnPassant() uint64 {
	if p.capturersOf(p.pushed()) == 0 {
		return p.key
	}
	return p.key ^ keys.enPassant[p.EnPassant().File()]
}

// capturersOf returns the pawns of the side to move next to a pawn that has just made a double push.
func (p *Position) capturersOf(pushed Bitboard) Bitboard {
	return neighbours(pushed) & p.pieces[pawns] & p.colors[p.state&blackToMove]
}

// neighbours returns the squares to the left and right.
func neighbours(squares Bitboard) Bitboard {
	return squares&^bitboard.FileAMask>>1 | squares&^bitboard.FileHMask<<1
}

// KeyAfter returns Key of the position after m, which must be legal here, for less than making the move costs. A search
// uses it to prefetch from its hash table.
func (p *Position) KeyAfter(m Move) uint64 {
	if debug.Enabled {
		p.mustBeLegal(m)
	}
	side, from, to := p.state&blackToMove, m&63, m>>6&63
	effect := m.effect(side)
	target := Bitboard(1) << to
	key := p.key ^ sideKey
	switch {
	case m.Kind() > DoublePush:
		key ^= m.specialKey(side)
	case m.Kind() == DoublePush && neighbours(target)&p.pieces[pawns]&p.colors[side^1] != 0:
		key ^= keys.enPassant[to&7]
		fallthrough
	default:
		key ^= effect.keys[from] ^ effect.keys[to]
	}
	if p.colors[side^1]&target != 0 {
		key ^= keys.pieces[side^1][(p.typeAt(Square(to))-Pawn)&7][to]
	}
	if lost := p.state & (castlingRooksState(target|1<<from) | effect.rare) & castlingRooksMask; lost != 0 {
		key ^= p.castlingKey(lost.castlingRooks())
	}
	return key
}

// specialKey returns what an en-passant capture, a castling or a promotion does to Key, but for what is captured on the target
// and lost rights.
func (m Move) specialKey(side state) (key uint64) {
	changes, n := m.specialChanges(Color(side))
	for _, c := range changes[:n] {
		key ^= c.Key()
	}
	return key
}

// Key returns what the change does to Key, which is the xor of the numbers of the squares: what an engine needs to keep
// keys of its own, of some pieces, from one position to the next.
func (c Change) Key() (key uint64) {
	numbers := &keys.pieces[c.Piece.Color()&1][(c.Piece.Type()-Pawn)&7] // of NoPiece, zeros
	if c.From != NoSquare {
		key = numbers[c.From&63]
	}
	if c.To != NoSquare {
		key ^= numbers[c.To&63]
	}
	return key
}

// PawnKey returns a key of the squares of all pawns. It is computed in some nanoseconds, like
// MaterialKey and NonPawnKey: keeping them from move to move would cost more.
func (p *Position) PawnKey() uint64 {
	return mix(p.pieces[pawns]&p.colors[White], p.pieces[pawns]&p.colors[Black])
}

// NonPawnKey returns a key of the squares of all pieces of colour c but its pawns.
func (p *Position) NonPawnKey(c Color) uint64 {
	own := p.colors[c&1]
	light := mix(p.pieces[knights]&own, p.pieces[bishops]&own)
	heavy := mix(p.pieces[rooks]&own, p.pieces[queens]&own)
	return mix(Bitboard(light)^p.pieces[kings]&own, Bitboard(heavy))
}

// MaterialKey returns a key of the number of pieces of each colour and type. Different numbers have
// different keys.
func (p *Position) MaterialKey() uint64 {
	var counts uint64
	for i := range kings {
		counts = counts<<12 | uint64((p.pieces[i]&p.colors[White]).Len())<<6 | uint64((p.pieces[i] & p.colors[Black]).Len())
	}
	counts *= spread
	return counts ^ counts>>32
}

// mix returns a key of two sets of squares.
func mix(a, b Bitboard) uint64 {
	high, low := bits.Mul64(uint64(a)^spread, uint64(b)^sideKey)
	return high ^ low
}

const spread = 0x9e3779b97f4a7c15 // odd, with bits well spread

// computeKey returns Position.key from the rest of the position.
func (p *Position) computeKey() (key uint64) {
	for color := range p.colors {
		for i := range p.pieces {
			for s := range (p.colors[color] & p.pieces[i]).Squares() {
				key ^= keys.pieces[color][i][s]
			}
		}
	}
	if p.SideToMove() == White {
		key ^= sideKey
	}
	return key ^ p.castlingKey(p.state.castlingRooks())
}

// castlingKey returns the keys of the rights that rooks have. Each king is looked for among its own pieces: the enemy's
// may have come to the same rank.
func (p *Position) castlingKey(rooks Bitboard) uint64 {
	white, black := p.colors[White]&p.pieces[kings], p.colors[Black]&p.pieces[kings]
	return keys.castling[White][castlingSides(white, rooks&bitboard.Rank1Mask)] ^
		keys.castling[Black][castlingSides(black, rooks&bitboard.Rank8Mask)]
}

// castlingSides returns on which sides of their king on the same rank rooks stand: 1 to the east, 2 to the west, 3 on both.
func castlingSides(king, rooks Bitboard) int {
	east, west := 0, 0
	if eastOf(king, rooks) != 0 {
		east = 1
	}
	if westOf(king, rooks) != 0 {
		west = 2
	}
	return east | west
}
