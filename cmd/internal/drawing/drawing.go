// Package drawing draws boards: as text for terminals, as SVG for documents, and as symbols for pages.
package drawing

import (
	"strings"
	"unicode"

	"github.com/fatih/color"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Drawing is a board with pieces, and marks on squares.
type Drawing struct {
	Position *fianchetto.Position // whose pieces are drawn; nil for an empty board
	Marks    bitboard.Diagram     // lines are the runes - | / and \, any other rune is drawn as it is
	Arrows   []Arrow              // drawn by SVG only
}

// Arrow is an arrow from the middle of a square to the middle of another.
type Arrow struct {
	From, To bitboard.Square
	Attack   bool // in the colour of attacks, not of moves
}

// Marks that are drawn as a figure in the middle of a square.
const (
	Member = '*' // a dot
	Origin = 'o' // a circle
)

// Stroke returns the mark that draws a line of kind k: - | / or \.
func Stroke(k bitboard.LineKind) rune { return rune(`-|/\`[k&3]) }

func (d Drawing) pieceAt(s bitboard.Square) bitboard.Piece {
	if d.Position == nil {
		return bitboard.NoPiece
	}
	return d.Position.PieceAt(s)
}

// Text draws the board with letters, rank 8 first, White's pieces in upper case. Colours replace the marks of plain
// text, which are the mark itself on an empty square, and parentheses around a piece.
func (d Drawing) Text(colored bool) string {
	const files = "    a  b  c  d  e  f  g  h\n"
	var text strings.Builder
	text.WriteString(files)
	for i := range bitboard.Rank(8) {
		rank := bitboard.Rank8 - i
		text.WriteString(" " + rank.String() + " ")
		for file := range bitboard.File(8) {
			s := bitboard.SquareAt(file, rank)
			cell := d.cell(s)
			if colored {
				cell = d.paint(s, cell)
			}
			text.WriteString(cell)
		}
		text.WriteString(" " + rank.String() + "\n")
	}
	text.WriteString(files)
	return text.String()
}

// cell returns the three characters of a square.
func (d Drawing) cell(s bitboard.Square) string {
	piece, mark := d.pieceAt(s), d.Marks[s]
	switch {
	case piece != bitboard.NoPiece && mark != 0:
		return "(" + piece.String() + ")"
	case piece != bitboard.NoPiece:
		return " " + piece.String() + " "
	case mark != 0:
		return " " + string(mark) + " "
	}
	return " . "
}

// paint colours the cell of a square and removes the marks of plain text.
func (d Drawing) paint(s bitboard.Square, cell string) string {
	cell = strings.Map(func(r rune) rune {
		if r == '.' || r == '(' || r == ')' {
			return ' '
		}
		return r
	}, cell)
	ink := blackPiece
	if strings.ContainsFunc(cell, unicode.IsUpper) {
		ink = whitePiece
	}
	paper := d.squareColor(s)
	c := color.BgRGB(paper.r, paper.g, paper.b).AddRGB(ink.r, ink.g, ink.b).Add(color.Bold)
	c.EnableColor() // the package would decide by os.Stdout, which may not be the destination
	return c.Sprint(cell)
}

// rgb is a colour; its parts are 0..255.
type rgb struct{ r, g, b int }

// The colours of drawings, on the terminal and in SVG.
var (
	lightSquare = rgb{240, 220, 190}
	darkSquare  = rgb{181, 140, 106}
	lightMarked = rgb{168, 206, 178}
	darkMarked  = rgb{104, 158, 128}
	whitePiece  = rgb{255, 255, 255}
	blackPiece  = rgb{38, 32, 30}
	moveArrow   = rgb{32, 104, 176}
	attackArrow = rgb{190, 40, 40}
)

func (d Drawing) squareColor(s bitboard.Square) rgb {
	dark, marked := bitboard.DarkSquares.Has(s), d.Marks[s] != 0
	switch {
	case dark && marked:
		return darkMarked
	case dark:
		return darkSquare
	case marked:
		return lightMarked
	}
	return lightSquare
}
