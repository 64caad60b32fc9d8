package fianchetto

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// The vocabulary of package bitboard, so that most engines need to import this package alone.
type (
	Square    = bitboard.Square
	Bitboard  = bitboard.Bitboard
	Color     = bitboard.Color
	PieceType = bitboard.PieceType
	Piece     = bitboard.Piece
)

// The two sides, the kinds of men, and "none" of each.
const (
	White = bitboard.White
	Black = bitboard.Black

	NoPieceType = bitboard.NoPieceType
	Pawn        = bitboard.Pawn
	Knight      = bitboard.Knight
	Bishop      = bitboard.Bishop
	Rook        = bitboard.Rook
	Queen       = bitboard.Queen
	King        = bitboard.King

	NoPiece  = bitboard.NoPiece
	NoSquare = bitboard.NoSquare
)

// Position is a chess position: the men, the side to move, castling rights, the en-passant square, the two
// clocks, and the Zobrist key of it all. It is a value of 80 bytes without pointers: copy it to keep it,
// compare it with ==, share copies between goroutines.
//
// The zero value is no legal position: get one from StartPosition, ParseFEN or Setup, or from another by After,
// Make or Null. All of them hand out playable positions only: one king each, no pawn on the back ranks, the side that
// just moved not in check, castling rights and the en-passant square consistent with the men.
type Position struct {
	board core.Board // as the side to move sees it
	key   uint64     // but for en passant and the side to move, which Key adds: they change too often to keep
	state state
	_     uint64 // whole pieces of sixteen bytes, by which it is copied: where two overlap, a copy cannot be read back at once
}

// state is the small rest of a position in one word: whether Black is to move, whether it is Chess960, and the
// clocks, each with a bit above it that takes its overflow.
type state uint64

const (
	blackToMove state = 1 << iota
	isChess960

	fullmoveShift          = 16
	halfmoveShift          = 40
	maxClock               = 1<<16 - 1 // the largest value of either clock; there they stay
	fullmoveMask     state = maxClock << fullmoveShift
	halfmoveMask     state = maxClock << halfmoveShift
	fullmoveOverflow       = fullmoveMask + 1<<fullmoveShift
	halfmoveOverflow       = halfmoveMask + 1<<halfmoveShift
	overflows              = fullmoveOverflow | halfmoveOverflow
)

// newState packs the rest of a position.
func newState(side Color, halfmove, fullmove uint16) state {
	return state(side) | state(halfmove)<<halfmoveShift | state(fullmove)<<fullmoveShift
}

// saturated returns s with clocks that have gone over their largest value put back to it.
func (s state) saturated() state {
	if s&halfmoveOverflow != 0 {
		s = s&^halfmoveOverflow | halfmoveMask
	}
	if s&fullmoveOverflow != 0 {
		s = s&^fullmoveOverflow | fullmoveMask
	}
	return s
}

// relative turns a square as White sees it into the square as the side to move sees it, and back.
func (p *Position) relative(s Square) Square { return s ^ Square(p.state&blackToMove)*56 }

// absolute turns a set as the side to move sees it into the set as White sees it, and back.
func (p *Position) absolute(b Bitboard) Bitboard {
	if p.state&blackToMove != 0 {
		return b.FlipVertical()
	}
	return b
}

// SideToMove returns the side to move.
func (p *Position) SideToMove() Color { return Color(p.state & blackToMove) }

// Occupancy returns the squares of all men.
func (p *Position) Occupancy() Bitboard { return p.absolute(p.board.Occupancy()) }

// ByColor returns the squares of the men of colour c.
func (p *Position) ByColor(c Color) Bitboard {
	if c == p.SideToMove() {
		return p.absolute(p.board.Us)
	}
	return p.absolute(p.board.Them)
}

// ByType returns the squares of the men of kind t of both colours; none for NoPieceType.
func (p *Position) ByType(t PieceType) Bitboard {
	b := &p.board
	switch t {
	case Pawn:
		return p.absolute(b.Pawns)
	case Knight:
		return p.absolute(b.Knights)
	case Bishop:
		return p.absolute(b.Diagonals &^ b.Orthogonals)
	case Rook:
		return p.absolute(b.Orthogonals &^ b.Diagonals)
	case Queen:
		return p.absolute(b.Diagonals & b.Orthogonals)
	case King:
		return p.absolute(b.Kings())
	}
	return bitboard.Empty
}

// Pieces returns the squares of the men of colour c and kind t.
func (p *Position) Pieces(c Color, t PieceType) Bitboard { return p.ByColor(c) & p.ByType(t) }

// King returns the square of the king of colour c.
func (p *Position) King(c Color) Square { return p.Pieces(c, King).First() }

// PieceAt returns the man on s, NoPiece if the square is empty or NoSquare.
func (p *Position) PieceAt(s Square) Piece {
	if !s.IsValid() {
		return NoPiece
	}
	s = p.relative(s)
	color := p.SideToMove()
	switch {
	case p.board.Us.Has(s):
	case p.board.Them.Has(s):
		color = p.SideToMove().Opponent()
	default:
		return NoPiece
	}
	return bitboard.PieceOf(color, pieceOfKind[kindOfCode[codeAt(&p.board, s)&15]])
}

// CastlingRooks returns the rooks of colour c that still have the right to castle, whether or not they may
// do so now.
func (p *Position) CastlingRooks(c Color) Bitboard {
	return p.absolute(p.board.CastlingAndEnPassant) & backRank(c)
}

// EnPassant returns the en-passant square: the square behind a pawn that has just made a double push,
// whether or not it can be captured there; NoSquare if there is none.
func (p *Position) EnPassant() Square { return p.absolute(p.board.EnPassant()).First() }

// HalfmoveClock returns the number of plies since the last capture or pawn move, 0..65535.
func (p *Position) HalfmoveClock() int { return int(p.state >> halfmoveShift & maxClock) }

// FullmoveNumber returns the number of the move, which goes up after Black's move, 0..65535.
func (p *Position) FullmoveNumber() int { return int(p.state >> fullmoveShift & maxClock) }

// Key returns the Zobrist key of the position as Polyglot defines it. Positions that differ only in the
// clocks have the same key; so may positions that differ in which rook may castle, and, rarely, any two.
// Source: http://hgm.nubati.net/book_format.html
func (p *Position) Key() uint64 { return p.key ^ p.enPassantKey() ^ keys.side[p.state&blackToMove] }

// IsChess960 reports whether castling is spelled as Chess960 does: king takes rook in UCI, rook files in FEN.
// It affects spelling only, never moves, counts or keys.
func (p *Position) IsChess960() bool { return p.state&isChess960 != 0 }

// WithChess960 returns the position with castling spelled as Chess960 does, or not.
func (p Position) WithChess960(chess960 bool) Position {
	p.state &^= isChess960
	if chess960 {
		p.state |= isChess960
	}
	return p
}

// Null returns the position after a null move: the other side is to move, the en-passant square is gone.
// The side to move must not be in check.
func (p *Position) Null() Position {
	next := *p
	next.board = p.board.Flip()
	next.state = ((p.state + 1<<halfmoveShift + p.state&blackToMove<<fullmoveShift) ^ blackToMove).saturated()
	return next
}

// FlipColors returns the position with the colours exchanged and the board turned upside down: what White could do,
// Black can. Castling rights, the en-passant square, the clocks and IsChess960 go with it. An evaluation that is
// symmetric in the colours gives it the value of p for the side to move.
// Source: https://www.chessprogramming.org/Color_Flipping
func (p *Position) FlipColors() Position {
	flipped := *p
	flipped.state ^= blackToMove // the board is as the side to move sees it: it stays the same
	flipped.key = flipped.computeKey()
	return flipped
}

// FlipHorizontal returns the position with the a-file where the h-file was, and so on, without castling rights, since
// castling is not symmetric. If p has no rights either, perft is the same.
// Source: https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating
func (p *Position) FlipHorizontal() Position {
	flipped := *p
	b := &flipped.board
	b.CastlingAndEnPassant = b.EnPassant()
	for _, set := range [...]*Bitboard{&b.Us, &b.Them, &b.Pawns, &b.Knights, &b.Diagonals, &b.Orthogonals, &b.CastlingAndEnPassant} {
		*set = set.FlipHorizontal()
	}
	flipped.key = flipped.computeKey()
	return flipped
}

// Rotate180 returns the position with the colours exchanged and the board rotated by half a turn: FlipColors and
// FlipHorizontal in one. It has no castling rights.
func (p *Position) Rotate180() Position {
	flipped := p.FlipHorizontal()
	return flipped.FlipColors()
}

// Diagram returns a drawing of the pieces, each by its letter in FEN, to put marks on or to draw with other labels.
func (p Position) Diagram() bitboard.Diagram {
	var d bitboard.Diagram
	for s := range p.Occupancy().Squares() {
		d = d.WithSquare(s, rune(p.PieceAt(s).Letter()))
	}
	return d
}

// Draw draws the board with its coordinates, rank 8 first, White's pieces in upper case, and adds the rest of the
// position in two lines of text.
func (p Position) Draw() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\nmove %d, %v to move", p.Diagram().Labelled(), p.FullmoveNumber(), p.SideToMove())
	separator := ", in check from "
	for s := range p.Checkers().Squares() {
		text.WriteString(separator + s.String())
		separator = " and "
	}
	fmt.Fprintf(&text, "\ncastling %s, en passant %v, halfmove clock %d\n", p.appendCastling(nil), p.EnPassant(), p.HalfmoveClock())
	return text.String()
}
