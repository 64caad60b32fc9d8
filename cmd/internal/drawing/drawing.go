// Package drawing draws boards: as text for terminals, as SVG for documents, and as symbols for pages.
package drawing

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
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

	// Of a move that is explained, outlined as on the explorer's page.
	Wrong  = '×' // an illegal move
	Legal  = '+' // a legal one, which a program may miss
	Reason = '?' // what the reason names
)

// Explained returns the drawing of a move, legal or not, with what its explanation names and the pieces that attack the
// king.
func Explained(pos *fianchetto.Position, why *fianchetto.Explanation) Drawing {
	mark := Wrong
	if why.Legal {
		mark = Legal
	}
	from, to := why.Move.From(), why.Move.Destination()
	d := Drawing{Position: pos, Arrows: []Arrow{{From: from, To: to}}}
	d.Marks = d.Marks.With(why.Squares|why.Attackers, Reason).WithSquare(from, mark).WithSquare(to, mark)
	for s := range why.Attackers.Squares() {
		d.Arrows = append(d.Arrows, Arrow{From: s, To: why.Attacked, Attack: true})
	}
	return d
}

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
	if d.Flipped {
		return 7 - int(s.File()), int(s.Rank())
	}
	return int(s.File()), 7 - int(s.Rank())
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
	case mark == Origin, outlines[mark] != rgb{}: // not in the set that is marked
		return plain
	case mark != 0 && mark != Checker:
		return marked
	case d.LastMove.Has(s): // it may give check
		return lastMove
	case mark == Checker:
		return marked
	}
	return plain
}

// Style is how a board is drawn as text.
type Style struct {
	Colors  *Palette // nil for none
	Symbols bool     // pieces are chess symbols, not letters
}

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
	case piece != bitboard.NoPiece && mark != 0 && style.Colors == nil:
		text = "(" + figure(piece, style) + ")"
	case piece != bitboard.NoPiece:
		text = " " + figure(piece, style) + " "
	case mark != 0:
		text = " " + string(mark) + " "
	case style.Colors != nil:
		text = "   "
	}
	if style.Colors == nil {
		return text
	}
	ink := bitboard.White // of marks, too
	if piece != bitboard.NoPiece {
		ink = piece.Color()
	}
	return fmt.Sprintf("\x1b[1;%s;%sm%s\x1b[0m", style.Colors.ink[ink], style.Colors.square[d.tintOf(s)][s.Color()], text)
}

// figure returns the letter or the symbol of a piece. Where there are colours both sides have the solid symbols, which
// are easier to see.
func figure(piece bitboard.Piece, style Style) string {
	if !style.Symbols {
		return piece.String()
	}
	symbols := []rune("♟♞♝♜♛♚")
	if piece.Color() == bitboard.White && style.Colors == nil {
		symbols = []rune("♙♘♗♖♕♔")
	}
	return string(symbols[piece.Type()-bitboard.Pawn])
}

// Palette is the colours of a board, as parameters of the escape sequence that selects them. Its squares are dark, so
// that two inks can be read on all of them.
type Palette struct {
	ink    [2]string        // of White's pieces and marks, and of Black's pieces
	square [tints][2]string // light and dark
}

// Colors256 is for terminals with 256 colours.
var Colors256 = Palette{
	ink: [2]string{"38;5;231", "38;5;221"},
	square: [tints][2]string{
		plain:    {"48;5;240", "48;5;237"},
		marked:   {"48;5;24", "48;5;18"},
		lastMove: {"48;5;58", "48;5;58"},
		checked:  {"48;5;88", "48;5;88"},
	},
}

// Colors16 has bright white and yellow on blue, black and red, which are dark on every terminal.
var Colors16 = Palette{
	ink: [2]string{"97", "93"},
	square: [tints][2]string{
		plain:    {"44", "40"},
		marked:   {"41", "41"},
		lastMove: {"41", "41"},
		checked:  {"41", "41"},
	},
}

// ParseArrows reads arrows with commas between: e2e4,g1f3.
func ParseArrows(text string) ([]Arrow, error) {
	var arrows []Arrow
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if len(part) < 4 {
			return nil, fmt.Errorf("%s is not an arrow: e2e4", quote.Text(part, 0))
		}
		from, wrongFrom := bitboard.ParseSquare(strings.ToLower(part[:2]))
		to, wrongTo := bitboard.ParseSquare(strings.ToLower(part[2:4]))
		if err := cmp.Or(wrongFrom, wrongTo); err != nil {
			return nil, err
		}
		arrows = append(arrows, Arrow{From: from, To: to})
	}
	return arrows, nil
}
