package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// codeAt returns what stands on s as the core's four sets spell it: bit 0 pawns, 1 knights, 2 diagonals, 3
// orthogonals. Reading it off the board costs four shifts and no branch. An empty square has code 0, and so
// has a king, which is in none of the four.
func codeAt(b *core.Board, s Square) uint8 {
	s &= 63
	return uint8(b.Pawns>>s&1 | b.Knights>>s&1<<1 | b.Diagonals>>s&1<<2 | b.Orthogonals>>s&1<<3)
}

// kindOfCode is the kind of the moves of the man with a code.
var kindOfCode = [16]MoveKind{0: KingMove, 1: PawnMove, 2: KnightMove, 4: BishopMove, 8: RookMove, 12: QueenMove}

// kindOfType is the kind of the moves of a man.
var kindOfType = [...]MoveKind{King: KingMove, Pawn: PawnMove, Knight: KnightMove, Bishop: BishopMove, Rook: RookMove, Queen: QueenMove}

// zobrist has the keys in the order in which CopyMake needs them.
type zobrist struct {
	men       [2][16][64]uint64 // by colour, the kind of its move, and the square as that colour sees it
	castling  [2][4]uint64      // by colour, and on which wings it may castle: none, east, west, both
	enPassant [8]uint64         // by file
	side      [2]uint64         // by the side to move: none for Black
}

// keys is no pointer, so that its address is a constant of the code.
var keys = newZobrist()

// newZobrist arranges the published numbers: 64 for each of black pawn, white pawn, black knight, ...
// white king, then four castling rights, eight en-passant files and the side to move.
// Source: http://hgm.nubati.net/book_format.html
func newZobrist() (z zobrist) {
	for color := range z.men {
		for kind, man := range pieceOfKind {
			if man == NoPieceType {
				continue
			}
			numbers := polyglot[64*(2*int(man-Pawn)+1-color):]
			for s := range z.men[color][kind] {
				z.men[color][kind][s] = numbers[s^56*color]
			}
		}
	}
	for color := range z.castling {
		east, west := polyglot[768+2*color], polyglot[769+2*color]
		z.castling[color] = [4]uint64{0, east, west, east ^ west}
	}
	copy(z.enPassant[:], polyglot[772:780])
	z.side[White] = polyglot[780]
	return z
}

// computeKey returns the key of the position, but for en passant and the side to move, from nothing but its men and rights.
func (p *Position) computeKey() uint64 {
	var key uint64
	for s := range p.Occupancy().Squares() {
		man := p.PieceAt(s)
		key ^= keys.men[man.Color()][kindOfType[man.Type()]][s^56*Square(man.Color())]
	}
	key ^= p.castlingKey(p.board.CastlingAndEnPassant)
	return key
}

// castlingKey returns the keys of those rights, as the side to move sees them, that rooks hold. Each king is
// looked for among its own men: the enemy's may have come to the same rank.
func (p *Position) castlingKey(rooks Bitboard) uint64 {
	b, kings, side := &p.board, p.board.Kings(), p.state&blackToMove
	return keys.castling[side][wings(kings&b.Us, rooks&bitboard.Rank1Mask)] ^
		keys.castling[side^1][wings(kings&b.Them, rooks&bitboard.Rank8Mask)]
}

// wings tells on which sides of its king on the same rank rooks stand: 1 to the east, 2 to the west, 3 on both.
func wings(king, rooks Bitboard) int {
	east, west := 0, 0
	if eastOf(king, rooks) != 0 {
		east = 1
	}
	if westOf(king, rooks) != 0 {
		west = 2
	}
	return east | west
}

// enPassantKey returns the key of the en-passant file if a pawn of the side to move stands beside the pawn
// that made the double push, as Polyglot asks, whether or not its capture is legal.
func (p *Position) enPassantKey() uint64 {
	target := p.board.EnPassant()
	beside := (target&^bitboard.FileAMask>>9 | target&^bitboard.FileHMask>>7) & p.board.Pawns & p.board.Us
	if beside == 0 {
		return 0
	}
	return keys.enPassant[target.First()&7]
}
