// Package drawing draws boards as text for terminals and as SVG for documents.
package drawing

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Drawing is a board with pieces and marks.
type Drawing struct {
	Position *fianchetto.Position // nil is an empty board
	Marks    bitboard.Diagram     // - | / and \ draw lines, others themselves
	LastMove bitboard.Bitboard    // two squares
	Arrows   []Arrow              // drawn by SVG only
	Flipped  bool                 // as Black sees the board
	Size     int                  // width of the SVG; 0 is DefaultSize
}

// DefaultSize is the default width of an SVG drawing in pixels.
const DefaultSize = 2 * boardSize

// Arrow is an arrow between the middles of two squares.
type Arrow struct {
	From, To bitboard.Square
	Mark     rune // sets the colour: Wrong, Legal or Reason; 0 is Legal
}

// Marks with a special form or colour.
const (
	Member  = '*' // a dot
	Origin  = 'o' // a circle
	Checked = '#' // a king in check
	Checker = '!' // a piece that gives check

	// Marks of an explained move, with the colours of the explorer's page.
	Wrong  = '×' // an illegal move: red
	Legal  = '+' // a legal move: blue
	Reason = '?' // a square of the reason: brown
)

// Explained draws a move, the squares of its explanation, and arrows from the pieces that attack
// the king.
func Explained(pos *fianchetto.Position, why *fianchetto.Explanation) Drawing {
	mark := Wrong
	if why.Legal {
		mark = Legal
	}
	from, to := why.Move.From(), why.Move.Destination()
	d := Drawing{Position: pos, Arrows: []Arrow{{from, to, mark}}}
	d.Marks = d.Marks.With(why.Squares|why.Attackers, Reason).With(bitboard.BitboardOf(from, to), mark)
	for s := range why.Attackers.Squares() {
		d.Arrows = append(d.Arrows, Arrow{s, why.Attacked, Reason})
	}
	return d
}

// Stroke returns the mark for a line of kind k: - | / or \.
func Stroke(k bitboard.LineKind) rune { return rune(`-|/\`[k&3]) }

func (d Drawing) pieceAt(s bitboard.Square) bitboard.Piece {
	if d.Position == nil {
		return bitboard.NoPiece
	}
	return d.Position.PieceAt(s)
}

// turn returns the square at a place, which counts from the top left as squares do from A1, or the
// place of a square.
func (d Drawing) turn(s bitboard.Square) bitboard.Square {
	if d.Flipped {
		return s ^ 7 // files from H to A
	}
	return s ^ 56 // ranks from 8 to 1
}

type tint uint8

const (
	plain tint = iota
	marked
	lastMove
	checked
	tints
)

func (d Drawing) tintOf(s bitboard.Square) tint {
	switch mark := d.Marks[s]; {
	case mark == Checked:
		return checked
	case mark == Origin, outlines[mark] != rgb{}: // not a member of the marked set
		return plain
	case mark != 0 && mark != Checker:
		return marked
	case d.LastMove.Has(s): // comes first if the moved piece gives check
		return lastMove
	case mark == Checker:
		return marked
	}
	return plain
}

// Style selects how to draw text.
type Style struct {
	Colors  *Palette // nil for no colours
	Symbols bool     // draw chess symbols instead of letters
}

// Text draws the board with letters or symbols. Without colours, it writes a mark on an empty
// square, and parentheses around a marked piece.
func (d Drawing) Text(style Style) string {
	files, rows := "  ", ""
	for row := range bitboard.Square(8) {
		files += "  " + d.turn(row).File().String()
		rank := " " + d.turn(8*row).Rank().String()
		rows += rank + " "
		for column := range bitboard.Square(8) {
			rows += d.cell(d.turn(8*row+column), style)
		}
		rows += rank + "\n"
	}
	return files + "\n" + rows + files + "\n"
}

func (d Drawing) cell(s bitboard.Square, style Style) string {
	piece, mark := d.pieceAt(s), d.Marks[s]
	text, ink := " . ", bitboard.White // the ink of marks
	switch {
	case piece != bitboard.NoPiece && mark != 0 && style.Colors == nil:
		text = "(" + figure(piece, style) + ")"
	case piece != bitboard.NoPiece:
		text, ink = " "+figure(piece, style)+" ", piece.Color()
	case mark != 0:
		text = " " + string(mark) + " "
	case style.Colors != nil:
		text = "   "
	}
	if style.Colors == nil {
		return text
	}
	return fmt.Sprintf("\x1b[1;%s;%sm%s\x1b[0m", style.Colors.ink[ink], style.Colors.square[d.tintOf(s)][s.Color()], text)
}

// With colours both sides use the solid symbols, which are easier to see.
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

// Palette lists the colours of a board, as parameters of an escape sequence. Both inks are legible
// on its dark squares.
type Palette struct {
	ink    [2]string        // White's pieces and marks, Black's pieces
	square [tints][2]string // light, dark
}

// The palettes for terminals with 256 and with 16 colours. With 16 the squares are blue, black and
// red, because these are dark on every terminal.
var (
	Colors256 = Palette{[2]string{"38;5;231", "38;5;159"}, [tints][2]string{plain: {"48;5;240", "48;5;237"},
		marked: {"48;5;24", "48;5;18"}, lastMove: {"48;5;58", "48;5;58"}, checked: {"48;5;88", "48;5;88"}}}
	Colors16 = Palette{[2]string{"97", "93"}, [tints][2]string{plain: {"44", "40"},
		marked: {"41", "41"}, lastMove: {"41", "41"}, checked: {"41", "41"}}}
)

// ParseArrows reads arrows separated by commas: e2e4,g1f3.
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

// The sizes in an SVG drawing, with a border for the coordinates.
const (
	squareSize = 45
	borderSize = 18
	boardSize  = 8*squareSize + 2*borderSize
)

// SVG draws the board as a standalone SVG document.
func (d Drawing) SVG(title string) string {
	size := cmp.Or(d.Size, DefaultSize)
	var doc strings.Builder
	fmt.Fprintf(&doc,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		boardSize, boardSize, size, size)
	fmt.Fprintf(&doc, "<title>%s</title>\n", html.EscapeString(title))
	if slices.Contains(d.Marks[:], Checked) {
		const glow = `<defs><radialGradient id="check"><stop offset="0.25" stop-color="%[1]v"/>` +
			`<stop offset="1" stop-color="%[1]v" stop-opacity="0.1"/></radialGradient></defs>`
		fmt.Fprintf(&doc, glow+"\n", checkGlow)
	}
	fmt.Fprintf(&doc, `<rect width="%d" height="%d" rx="6" fill="%v"/>`+"\n", boardSize, boardSize, blackPiece)
	d.writeCoordinates(&doc)
	for s := range bitboard.Square(64) {
		d.writeSquare(&doc, s)
	}
	for _, arrow := range d.Arrows {
		d.writeArrow(&doc, arrow)
	}
	doc.WriteString("</svg>\n")
	return doc.String()
}

func (d Drawing) writeCoordinates(doc *strings.Builder) {
	fmt.Fprintf(doc, `<g font-family="sans-serif" font-size="11" text-anchor="middle" fill="%v">`+"\n", lightSquare)
	for i := range 8 {
		along, s := borderSize+squareSize*i+squareSize/2, d.turn(bitboard.Square(9*i)) // on a diagonal
		for _, across := range []int{borderSize / 2, boardSize - borderSize/2} {
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`, along, across+4, s.File())
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`+"\n", across, along+4, s.Rank())
		}
	}
	doc.WriteString("</g>\n")
}

func (d Drawing) writeSquare(doc *strings.Builder, s bitboard.Square) {
	x, y := d.corner(s)
	fmt.Fprintf(doc, `<g transform="translate(%d %d)"><rect width="%d" height="%d" fill="%v"/>`,
		x, y, squareSize, squareSize, squareColors[d.tintOf(s)][s.Color()])
	if d.tintOf(s) == checked {
		doc.WriteString(`<circle cx="22.5" cy="22.5" r="22.5" fill="url(#check)"/>`)
	}
	if color, ok := outlines[d.Marks[s]]; ok {
		fmt.Fprintf(doc, `<rect x="1.5" y="1.5" width="42" height="42" fill="%[1]v" fill-opacity="0.2" stroke="%[1]v" `+
			`stroke-width="3"/><text x="7" y="13" font-family="sans-serif" font-size="12" font-weight="bold" `+
			`text-anchor="middle" fill="%[1]v">%[2]c</text>`, color, d.Marks[s])
	}
	if piece := d.pieceAt(s); piece != bitboard.NoPiece {
		writePiece(doc, piece)
	} else {
		writeMark(doc, d.Marks[s])
	}
	doc.WriteString("</g>\n")
}

// The point of an arrow is the middle of its target.
func (d Drawing) writeArrow(doc *strings.Builder, arrow Arrow) {
	const width, head = 6.0, 16.0
	fill := outlines[cmp.Or(arrow.Mark, Legal)]
	x, y := d.corner(arrow.From)
	toX, toY := d.corner(arrow.To)
	right, down := float64(toX-x), float64(toY-y)
	length := math.Hypot(right, down)
	if length == 0 {
		return
	}
	angle := math.Atan2(down, right) * 180 / math.Pi
	fmt.Fprintf(doc,
		`<path transform="translate(%g %g) rotate(%.1f)" d="M0 %gH%.1fV%gL%.1f 0L%.1f %gV%gH0z" `+
			`fill="%v" fill-opacity="0.75"/>`+"\n",
		float64(x)+squareSize/2.0, float64(y)+squareSize/2.0, angle, -width/2, length-head, -width*1.3, length, length-head, width*1.3, width/2, fill)
}

// corner returns the top left of a square in pixels.
func (d Drawing) corner(s bitboard.Square) (x, y int) {
	at := int(d.turn(s))
	return borderSize + squareSize*(at%8), borderSize + squareSize*(at/8)
}

func writeMark(doc *strings.Builder, mark rune) {
	strokes := map[rune]string{'-': "M0 22.5H45", '|': "M22.5 0V45", '/': "M0 45L45 0", '\\': "M0 0L45 45"}
	switch stroke, isStroke := strokes[mark]; {
	case mark == 0, outlines[mark] != rgb{}:
	case isStroke:
		fmt.Fprintf(doc, `<path d="%s" stroke="%v" stroke-width="2.5"/>`, stroke, blackPiece)
	case mark == Member:
		fmt.Fprintf(doc, `<circle cx="22.5" cy="22.5" r="6.5" fill="%v" fill-opacity="0.6"/>`, blackPiece)
	case mark == Origin:
		fmt.Fprintf(doc, `<circle cx="22.5" cy="22.5" r="12" fill="none" stroke="%v" stroke-width="3"/>`, blackPiece)
	default:
		fmt.Fprintf(doc,
			`<text x="22.5" y="31" font-family="sans-serif" font-size="25" text-anchor="middle" fill="%v">%s</text>`,
			blackPiece, html.EscapeString(string(mark)))
	}
}

type rgb struct{ r, g, b int }

var (
	whitePiece  = rgb{255, 255, 255}
	blackPiece  = rgb{38, 32, 30}
	lightSquare = rgb{240, 220, 190}
	checkGlow   = rgb{214, 36, 30}
)

var squareColors = [tints][2]rgb{
	plain:    {lightSquare, {181, 140, 106}},
	marked:   {{168, 206, 178}, {104, 158, 128}},
	lastMove: {{246, 226, 120}, {216, 180, 74}},
	checked:  {lightSquare, {181, 140, 106}},
}

// outlines are the colours of outlined marks and arrows, as on the explorer's page.
var outlines = map[rune]rgb{Wrong: {168, 32, 26}, Legal: {28, 79, 176}, Reason: {143, 69, 0}}

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// pieceShapes contains three lines for each piece type, from pawn to king: its name, and the data
// of two path elements, outline and details.
//
//go:embed pieces.txt
var pieceShapes string

// Symbols returns the twelve pieces as SVG symbol elements, piece-wk to piece-bp.
func Symbols() string {
	var doc strings.Builder
	for piece := range bitboard.Piece(16) {
		if piece.IsValid() {
			fmt.Fprintf(&doc, `<symbol id="piece-%.1s%c" viewBox="0 0 %d %d">`, piece.Color(),
				piece.Type().Letter()|' ', squareSize, squareSize)
			writePiece(&doc, piece)
			doc.WriteString("</symbol>\n")
		}
	}
	return doc.String()
}

// Both sides have a dark outline, so that they look equally large.
func writePiece(doc *strings.Builder, piece bitboard.Piece) {
	fill, line := whitePiece, blackPiece
	if piece.Color() == bitboard.Black {
		fill, line = blackPiece, lightSquare
	}
	shape := strings.Split(pieceShapes, "\n")[3*(piece.Type()-bitboard.Pawn):]
	fmt.Fprintf(doc, `<path d="%s" fill="%v" stroke="%v" stroke-width="1.4" stroke-linejoin="round"/>`, shape[1], fill,
		blackPiece)
	fmt.Fprintf(doc,
		`<path d="%s" fill="none" stroke="%v" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/>`,
		shape[2], line)
}
