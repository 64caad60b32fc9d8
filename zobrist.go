package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// code is a kind of man as the core's four sets spell it: bit 0 pawns, 1 knights, 2 diagonals, 3
// orthogonals; a king is in none of them. Reading it costs four shifts and no branch.
type code uint8

const (
	codeKing   code = 0
	codePawn   code = 1
	codeKnight code = 2
	codeBishop code = 4
	codeRook   code = 8
	codeQueen       = codeBishop | codeRook
	codes           = 16 // including those that no man has
)

var (
	typeOfCode = [codes]PieceType{codeKing: King, codePawn: Pawn, codeKnight: Knight, codeBishop: Bishop, codeRook: Rook, codeQueen: Queen}

	// placedCode is what stands on the target after a promotion.
	placedCode = [8]code{PromoteKnight: codeKnight, PromoteBishop: codeBishop, PromoteRook: codeRook, PromoteQueen: codeQueen}
)

// codeAt returns the code of the man on s; that of an empty square is codeKing.
func codeAt(b *core.Board, s Square) code {
	s &= 63
	return code(b.Pawns>>s&1 | b.Knights>>s&1<<1 | b.Diagonals>>s&1<<2 | b.Orthogonals>>s&1<<3)
}

// zobrist has the keys in the order in which Make needs them.
type zobrist struct {
	men       [2][codes][64]uint64 // by colour, code and square
	captured  [2][codes][64]uint64 // the same, but codeKing, an empty square here, has no key
	castling  [2][2]uint64         // by colour; to the east (short), to the west (long)
	enPassant [8]uint64            // by file
	side      uint64               // White to move
}

var keys = newZobrist()

// newZobrist arranges the published numbers: 64 for each of black pawn, white pawn, black knight, ...
// white king, then four castling rights, eight en-passant files and the side to move.
// Source: http://hgm.nubati.net/book_format.html
func newZobrist() *zobrist {
	z := new(zobrist)
	order := [...]code{codePawn, codeKnight, codeBishop, codeRook, codeQueen, codeKing}
	for i, code := range order {
		for color := White; color <= Black; color++ {
			numbers := polyglot[64*(2*i+1-int(color)):]
			copy(z.men[color][code][:], numbers[:64])
			if code != codeKing {
				copy(z.captured[color][code][:], numbers[:64])
			}
		}
	}
	z.castling = [2][2]uint64{{polyglot[768], polyglot[769]}, {polyglot[770], polyglot[771]}}
	copy(z.enPassant[:], polyglot[772:780])
	z.side = polyglot[780]
	return z
}

// computeKey returns the key of the position from nothing but its men, rights and side.
func (p *Position) computeKey() uint64 {
	var key uint64
	for s := range p.board.Occupancy().Squares() {
		color := p.side
		if p.board.Them.Has(s) {
			color = p.side.Opponent()
		}
		key ^= keys.men[color][codeAt(&p.board, s)][p.relative(s)]
	}
	key ^= p.castlingKey(p.board.Rights) ^ p.enPassantKey()
	if p.side == White {
		key ^= keys.side
	}
	return key
}

// castlingKey returns the keys of those rights, as the side to move sees them, that rooks hold.
func (p *Position) castlingKey(rooks Bitboard) uint64 {
	var key uint64
	kings := p.board.Kings()
	for _, side := range [...]struct {
		color Color
		rank  Bitboard
	}{{p.side, bitboard.Rank1Mask}, {p.side.Opponent(), bitboard.Rank8Mask}} {
		king := kings & side.rank
		if rooks&side.rank&^(king-1) != 0 {
			key ^= keys.castling[side.color][0]
		}
		if rooks&side.rank&(king-1) != 0 {
			key ^= keys.castling[side.color][1]
		}
	}
	return key
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
