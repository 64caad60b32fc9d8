// Package drawing draws boards: as text for terminals, as SVG for documents, and as symbols for pages.
package drawing

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Drawing is a board with pieces, and marks on squares.
type Drawing struct {
	Position *fianchetto.Position // whose pieces are drawn; nil for an empty board
	Marks    bitboard.Diagram     // lines are the runes - | / and \, any other rune is drawn as it is
	LastMove bitboard.Bitboard    // the squares of the last move, in a colour of their own
	Arrows   []Arrow              // drawn by SVG only
	Flipped  bool                 // seen by Black
	Size     int                  // of SVG: the width in pixels; 0 is DefaultSize
}

// DefaultSize is the width of an SVG drawing in pixels.
const DefaultSize = 2 * boardSize

// Arrow is an arrow from the middle of a square to the middle of another.
type Arrow struct {
	From, To bitboard.Square
	Attack   bool // in the colour of attacks, not of moves
}

// Marks with a form or a colour of their own.
const (
	Member  = '*' // a dot
	Origin  = 'o' // a circle
	Checked = '#' // a king in check
	Checker = '!' // what gives check to it
)

// Stroke returns the mark that draws a line of kind k: - | / or \.
func Stroke(k bitboard.LineKind) rune { return rune(`-|/\`[k&3]) }

func (d Drawing) pieceAt(s bitboard.Square) bitboard.Piece {
	if d.Position == nil {
		return bitboard.NoPiece
	}
	return d.Position.PieceAt(s)
}

// squareAt returns the square of a column, from the left, and a row, from the top.
func (d Drawing) squareAt(column, row int) bitboard.Square {
	if d.Flipped {
		column, row = 7-column, 7-row
	}
	return bitboard.SquareAt(bitboard.File(column), bitboard.Rank8-bitboard.Rank(row))
}

// place returns the column and the row of a square.
func (d Drawing) place(s bitboard.Square) (column, row int) {
	column, row = int(s.File()), int(bitboard.Rank8-s.Rank())
	if d.Flipped {
		column, row = 7-column, 7-row
	}
	return column, row
}

// tint is why a square is coloured.
type tint uint8

const (
	plain tint = iota
	marked
	lastMove
	checked
	tints // how many there are
)

func (d Drawing) tintOf(s bitboard.Square) tint {
	switch mark := d.Marks[s]; {
	case mark == Checked:
		return checked
	case mark != 0 && mark != Checker:
		return marked
	case d.LastMove.Has(s): // it may give check
		return lastMove
	case mark == Checker:
		return marked
	}
	return plain
}
