package drawing

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Style is how a board is drawn as text.
type Style struct {
	Colors  Colors
	Symbols bool // pieces are chess symbols, not letters
}

// Colors is how many colours a terminal has.
type Colors uint16

// The colours that are drawn with.
const (
	NoColors  Colors = 0
	Colors16  Colors = 16
	Colors256 Colors = 256
)

// Text draws the board with letters, White's pieces in upper case, or with symbols. Colours replace the marks of plain
// text, which are the mark itself on an empty square, and parentheses around a piece.
func (d Drawing) Text(style Style) string {
	files := "  "
	for column := range 8 {
		files += "  " + d.squareAt(column, 0).File().String()
	}
	var text strings.Builder
	text.WriteString(files + "\n")
	for row := range 8 {
		rank := d.squareAt(0, row).Rank().String()
		text.WriteString(" " + rank + " ")
		for column := range 8 {
			text.WriteString(d.cell(d.squareAt(column, row), style))
		}
		text.WriteString(" " + rank + "\n")
	}
	text.WriteString(files + "\n")
	return text.String()
}

// cell draws a square, three columns wide.
func (d Drawing) cell(s bitboard.Square, style Style) string {
	piece, mark := d.pieceAt(s), d.Marks[s]
	text := " . "
	switch {
	case piece != bitboard.NoPiece && mark != 0 && style.Colors == NoColors:
		text = "(" + figure(piece, style) + ")"
	case piece != bitboard.NoPiece:
		text = " " + figure(piece, style) + " "
	case mark != 0:
		text = " " + string(mark) + " "
	case style.Colors != NoColors:
		text = "   "
	}
	if style.Colors == NoColors {
		return text
	}
	ink := 0
	if piece != bitboard.NoPiece && piece.Color() == bitboard.Black {
		ink = 1
	}
	shade := 0
	if bitboard.DarkSquares.Has(s) {
		shade = 1
	}
	colors := palette16
	if style.Colors == Colors256 {
		colors = palette256
	}
	return fmt.Sprintf("\x1b[1;%s;%sm%s\x1b[0m", colors.ink[ink], colors.square[d.tintOf(s)][shade], text)
}

// figure returns the letter or the symbol of a piece. Where there are colours both sides have the solid symbols, which are
// easier to see.
func figure(piece bitboard.Piece, style Style) string {
	if !style.Symbols {
		return piece.String()
	}
	symbols := []rune("♟♞♝♜♛♚")
	if piece.Color() == bitboard.White && style.Colors == NoColors {
		symbols = []rune("♙♘♗♖♕♔")
	}
	return string(symbols[piece.Type()-bitboard.Pawn])
}

// palette is the colours of a board, as parameters of the escape sequence that selects them. Its squares are dark, so that two
// inks can be read on all of them.
type palette struct {
	ink    [2]string        // of White's pieces and marks, and of Black's pieces
	square [tints][2]string // light and dark
}

var palette256 = palette{
	ink: [2]string{"38;5;231", "38;5;221"},
	square: [tints][2]string{
		plain:    {"48;5;240", "48;5;237"},
		marked:   {"48;5;24", "48;5;18"},
		lastMove: {"48;5;58", "48;5;58"},
		checked:  {"48;5;88", "48;5;88"},
	},
}

// palette16 has bright white and yellow on blue, black and red, which are dark on every terminal.
var palette16 = palette{
	ink: [2]string{"97", "93"},
	square: [tints][2]string{
		plain:    {"44", "40"},
		marked:   {"41", "41"},
		lastMove: {"41", "41"},
		checked:  {"41", "41"},
	},
}
