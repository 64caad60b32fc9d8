package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// draft is what a FEN, a Setup or packed bytes say, before anybody asks whether it makes sense.
type draft struct {
	byColor            [2]Bitboard
	byType             [King + 1]Bitboard
	side               Color
	rights             Bitboard // the rooks that have the right to castle
	enPassant          Square
	halfmove, fullmove uint16
	chess960           bool
}

// put puts a man on a square, which is empty.
func (d *draft) put(s Square, man Piece) {
	d.byColor[man.Color()] |= s.Bitboard()
	d.byType[man.Type()] |= s.Bitboard()
}

// onBackRank returns the men of a side and kind that stand where they may castle.
func (d *draft) onBackRank(c Color, t PieceType) Bitboard {
	return d.byColor[c] & d.byType[t] & backRank(c)
}

// isStandardRight reports whether standard chess has a right to castle: that of a king on the e-file with a
// rook in the corner.
func (d *draft) isStandardRight(c Color, rook Square) bool {
	corners := bitboard.FileAMask | bitboard.FileHMask
	return d.onBackRank(c, King).First().File() == bitboard.FileE && corners.Has(rook)
}

// backRank returns the rank of c's king and rooks before the game.
func backRank(c Color) Bitboard {
	if c == White {
		return bitboard.Rank1Mask
	}
	return bitboard.Rank8Mask
}

// eastOf and westOf return the rooks on either side of the king, all being on one rank.
func eastOf(king, rooks Bitboard) Bitboard { return rooks &^ (king - 1) }
func westOf(king, rooks Bitboard) Bitboard { return rooks & (king - 1) }

// position returns what the draft says, which must have no flaws.
func (d *draft) position() Position {
	p := Position{state: newState(d.side, d.halfmove, d.fullmove)}
	queens, rights := d.byType[Queen], d.rights
	if d.enPassant != NoSquare {
		rights = rights.With(d.enPassant)
	}
	p.board = core.Board{
		Us:          p.absolute(d.byColor[d.side]),
		Them:        p.absolute(d.byColor[d.side.Opponent()]),
		Pawns:       p.absolute(d.byType[Pawn]),
		Knights:     p.absolute(d.byType[Knight]),
		Diagonals:   p.absolute(d.byType[Bishop] | queens),
		Orthogonals: p.absolute(d.byType[Rook] | queens),
		Rights:      p.absolute(rights),
	}
	p.key = p.computeKey()
	return p.WithChess960(d.chess960)
}
