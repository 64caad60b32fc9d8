package fianchetto

import (
	_ "embed"
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/prefetch"
)

type zobrist struct {
	pieces    [2][8][64]uint64 // by colour, the index in Position.pieces, and square
	castling  [2][4]uint64     // by colour and castlingSides
	enPassant [8]uint64        // by file
}

// sideKey is the key of White to move, a constant because every move changes it.
const sideKey = 0xf8d626aaaf278509

// keys is not a pointer, so that its address is a constant of the code.
var keys = newZobrist()

// newZobrist arranges the published numbers: 64 for each of black pawn, white pawn, black knight,
// ... white king, then four castling rights, eight en-passant files and the side to move.
// Source: http://hgm.nubati.net/book_format.html
func newZobrist() (z zobrist) {
	number := func(i int) uint64 { return binary.BigEndian.Uint64([]byte(polyglot[8*i:])) }
	for color := range z.pieces {
		for i := range kings + 1 {
			for s := range 64 {
				z.pieces[color][i][s] = number(64*(2*i+1-color) + s)
			}
		}
		east, west := number(768+2*color), number(769+2*color)
		z.castling[color] = [4]uint64{0, east, west, east ^ west}
	}
	for file := range z.enPassant {
		z.enPassant[file] = number(772 + file)
	}
	return z
}

// Key returns the Zobrist key of the position as Polyglot defines it. Positions that differ only in
// the clocks or in which rook may castle have the same key. Others rarely collide.
// Source: http://hgm.nubati.net/book_format.html
func (p *Position) Key() uint64 {
	if p.state&enPassantMask == 0 {
		return p.key
	}
	return p.keyWithEnPassant()
}

// keyWithEnPassant is Key for a position with an en-passant square, which counts if a pawn of the
// side to move is next to the pushed pawn, even if its capture is illegal.
func (p *Position) keyWithEnPassant() uint64 {
	if p.enPassantCapturers() == 0 {
		return p.key
	}
	return p.key ^ keys.enPassant[p.EnPassant().File()]
}

// enPassantCapturers returns the pawns next to a pawn that just made a double push.
func (p *Position) enPassantCapturers() Bitboard {
	return neighbours(p.pushed()) & p.pieces[pawns] & p.colors[p.state&blackToMove]
}

func neighbours(squares Bitboard) Bitboard {
	return squares&^core.FileAMask>>1 | squares&^core.FileHMask<<1
}

// Prefetch loads the cache line of an address without waiting for it. Call it for the entry of your
// hash table right after CopyMake, before you look the position up:
//
//	pos.CopyMake(&next, m)
//	fianchetto.Prefetch(&entries[next.Key()%uint64(len(entries))])
//
// It does nothing on processors other than amd64 and arm64, and under the build tag purego.
func Prefetch[T any](address *T) { prefetch.Line(unsafe.Pointer(address)) }

// KeyAfter returns the Key of the position after m, which must be legal here.
func (p *Position) KeyAfter(m Move) uint64 {
	p.mustBeLegal(m)
	side, from, to := p.state&blackToMove, m&63, m>>6&63
	effect := m.effect(side)
	target := Bitboard(1) << to
	key := p.key ^ sideKey
	switch {
	case m.Kind() > DoublePush:
		key ^= m.specialChanges(Color(side)).key()
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

// PawnKey returns a key of the squares of all pawns. PawnKey, MaterialKey and NonPawnKey take some
// nanoseconds, less than an update with each move.
func (p *Position) PawnKey() uint64 {
	return mix(p.pieces[pawns]&p.colors[White], p.pieces[pawns]&p.colors[Black])
}

// NonPawnKey returns a key of the squares of all pieces of colour c except its pawns.
func (p *Position) NonPawnKey(c Color) uint64 {
	own := p.colors[c&1]
	light := mix(p.pieces[knights]&own, p.pieces[bishops]&own)
	heavy := mix(p.pieces[rooks]&own, p.pieces[queens]&own)
	return mix(Bitboard(light)^p.pieces[kings]&own, Bitboard(heavy))
}

// MaterialKey returns a key of the number of pieces of each colour and type. Different numbers
// never collide.
func (p *Position) MaterialKey() uint64 {
	var counts uint64
	for i := range kings {
		white, black := p.pieces[i]&p.colors[White], p.pieces[i]&p.colors[Black]
		counts = counts<<12 | uint64(white.Len())<<6 | uint64(black.Len())
	}
	counts *= spread
	return counts ^ counts>>32
}

func mix(a, b Bitboard) uint64 {
	high, low := bits.Mul64(uint64(a)^spread, uint64(b)^sideKey)
	return high ^ low
}

const spread = 0x9e3779b97f4a7c15 // odd, with bits well spread

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

// castlingKey returns the xor of the keys of the rights of rooks.
func (p *Position) castlingKey(rooks Bitboard) uint64 {
	white, black := p.colors[White]&p.pieces[kings], p.colors[Black]&p.pieces[kings]
	return keys.castling[White][castlingSides(white, rooks&core.Rank1Mask)] ^
		keys.castling[Black][castlingSides(black, rooks&core.Rank8Mask)]
}

// castlingSides returns 1 for a rook to the east of its king, 2 to the west, 3 on both sides, else
// 0.
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

// polyglot contains the 781 numbers of the Polyglot book format, the high byte of each first.
// Source: http://hgm.nubati.net/book_format.html
//
//go:embed polyglot.bin
var polyglot string
