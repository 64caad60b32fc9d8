package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// code is a kind of man as the core's four sets spell it: bit 0 pawns, 1 knights, 2 diagonals, 3
// orthogonals. Reading it off the board costs four shifts and no branch. An empty square has code 0, and so
// has a king, which is in none of the four: where it matters, its code is codeKing.
type code uint8

const (
	codeEmpty  code = 0
	codePawn   code = 1
	codeKnight code = 2
	codeKing   code = 3
	codeBishop code = 4
	codeRook   code = 8
	codeQueen       = codeBishop | codeRook
	codes           = 16 // including those that no man has
)

var (
	typeOfCode = [codes]PieceType{codeEmpty: King, codePawn: Pawn, codeKnight: Knight, codeBishop: Bishop, codeRook: Rook, codeQueen: Queen}

	// movedCode and placedCode are what leaves the origin and what arrives on the target, by the kind of move.
	movedCode = [16]code{
		KingMove: codeKing, Castling: codeKing,
		PawnMove: codePawn, DoublePush: codePawn, EnPassant: codePawn,
		PromoteKnight: codePawn, PromoteBishop: codePawn, PromoteRook: codePawn, PromoteQueen: codePawn,
		KnightMove: codeKnight, BishopMove: codeBishop, RookMove: codeRook, QueenMove: codeQueen,
	}
	placedCode = [16]code{
		KingMove: codeKing, Castling: codeKing,
		PawnMove: codePawn, DoublePush: codePawn, EnPassant: codePawn,
		PromoteKnight: codeKnight, PromoteBishop: codeBishop, PromoteRook: codeRook, PromoteQueen: codeQueen,
		KnightMove: codeKnight, BishopMove: codeBishop, RookMove: codeRook, QueenMove: codeQueen,
	}
)

// codeAt returns the code of what stands on s, codeEmpty for a king.
func codeAt(b *core.Board, s Square) code {
	s &= 63
	return code(b.Pawns>>s&1 | b.Knights>>s&1<<1 | b.Diagonals>>s&1<<2 | b.Orthogonals>>s&1<<3)
}

// zobrist has the keys in the order in which CopyMake needs them.
type zobrist struct {
	men       [2][codes][64]uint64 // by colour, code and square; none for codeEmpty
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
			copy(z.men[color][code][:], polyglot[64*(2*i+1-int(color)):])
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
	for _, color := range [...]Color{White, Black} {
		key ^= keys.men[color][codeKing][p.King(color)]
	}
	key ^= p.castlingKey(p.board.Rights) ^ p.enPassantKey()
	if p.side == White {
		key ^= keys.side
	}
	return key
}

// castlingKey returns the keys of those rights, as the side to move sees them, that rooks hold. Each king is
// looked for among its own men: the enemy's may have come to the same rank.
func (p *Position) castlingKey(rooks Bitboard) uint64 {
	var key uint64
	for _, side := range [...]struct {
		color Color
		men   Bitboard
	}{{p.side, p.board.Us & bitboard.Rank1Mask}, {p.side.Opponent(), p.board.Them & bitboard.Rank8Mask}} {
		king, held := p.board.Kings()&side.men, rooks&side.men
		if eastOf(king, held) != 0 {
			key ^= keys.castling[side.color][0]
		}
		if westOf(king, held) != 0 {
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
