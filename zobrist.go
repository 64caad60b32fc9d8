package fianchetto

import "github.com/fianchetto-chess/fianchetto/bitboard"

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
// stands beside the pawn that made the double push, whether or not its capture is legal.
func (p *Position) keyWithEnPassant() uint64 {
	if p.capturersOf(p.pushed()) == 0 {
		return p.key
	}
	return p.key ^ keys.enPassant[p.EnPassant().File()]
}

// capturersOf returns the pawns of the side to move beside a pawn that has just made a double push.
func (p *Position) capturersOf(pushed Bitboard) Bitboard {
	return (pushed&^bitboard.FileAMask>>1 | pushed&^bitboard.FileHMask<<1) & p.pieces[pawns] & p.colors[p.state&blackToMove]
}

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
