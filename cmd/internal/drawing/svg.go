package drawing

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The measures of an SVG drawing: squares of 45 units, as is usual, with room for coordinates around.
const (
	squareSize = 45
	borderSize = 18
	boardSize  = 8*squareSize + 2*borderSize
)

// SVG draws the board as a standalone SVG document.
func (d Drawing) SVG(title string) string {
	size := d.Size
	if size == 0 {
		size = DefaultSize
	}
	var doc strings.Builder
	fmt.Fprintf(&doc,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		boardSize, boardSize, size, size)
	fmt.Fprintf(&doc, "<title>%s</title>\n", escape(title))
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

// writeCoordinates labels the files below and above and the ranks on both sides.
func (d Drawing) writeCoordinates(doc *strings.Builder) {
	fmt.Fprintf(doc, `<g font-family="sans-serif" font-size="11" text-anchor="middle" fill="%v">`+"\n", lightSquare)
	for i := range 8 {
		along := borderSize + squareSize*i + squareSize/2
		file, rank := d.squareAt(i, 0).File(), d.squareAt(0, i).Rank()
		for _, across := range []int{borderSize / 2, boardSize - borderSize/2} {
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`, along, across+4, file)
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`+"\n", across, along+4, rank)
		}
	}
	doc.WriteString("</g>\n")
}

// writeSquare draws a square and what is on it.
func (d Drawing) writeSquare(doc *strings.Builder, s bitboard.Square) {
	column, row := d.place(s)
	fmt.Fprintf(doc, `<g transform="translate(%d %d)"><rect width="%d" height="%d" fill="%v"/>`,
		borderSize+squareSize*column, borderSize+squareSize*row, squareSize, squareSize, squareColors[d.tintOf(s)][s.Color()])
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

// writeArrow draws an arrow: a stroke that ends short of the middle of its target, and a head there.
func (d Drawing) writeArrow(doc *strings.Builder, arrow Arrow) {
	const width, head = 6.0, 16.0
	fill := moveArrow
	if arrow.Attack {
		fill = attackArrow
	}
	x, y := d.middle(arrow.From)
	toX, toY := d.middle(arrow.To)
	length := math.Hypot(toX-x, toY-y)
	if length == 0 {
		return
	}
	angle := math.Atan2(toY-y, toX-x) * 180 / math.Pi
	fmt.Fprintf(doc,
		`<path transform="translate(%g %g) rotate(%.1f)" d="M0 %gH%.1fV%gL%.1f 0L%.1f %gV%gH0z" `+
			`fill="%v" fill-opacity="0.75"/>`+"\n",
		x, y, angle, -width/2, length-head, -width*1.3, length, length-head, width*1.3, width/2, fill)
}

// middle returns the middle of a square.
func (d Drawing) middle(s bitboard.Square) (x, y float64) {
	column, row := d.place(s)
	return borderSize + squareSize*(float64(column)+0.5), borderSize + squareSize*(float64(row)+0.5)
}

// writeMark draws a mark in the middle of a square: a member of a set as a dot, a line as its stroke,
// any other as text.
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
			blackPiece, escape(string(mark)))
	}
}

// rgb is a colour; its parts are 0..255.
type rgb struct{ r, g, b int }

var (
	whitePiece  = rgb{255, 255, 255}
	blackPiece  = rgb{38, 32, 30}
	moveArrow   = rgb{32, 104, 176}
	attackArrow = rgb{190, 40, 40}
	lightSquare = rgb{240, 220, 190}
	checkGlow   = rgb{214, 36, 30}
)

// squareColors are the colours of light and dark squares.
var squareColors = [tints][2]rgb{
	plain:    {lightSquare, {181, 140, 106}},
	marked:   {{168, 206, 178}, {104, 158, 128}},
	lastMove: {{246, 226, 120}, {216, 180, 74}},
	checked:  {lightSquare, {181, 140, 106}},
}

// outlines are the colours of the marks that are drawn as outlines, the page's.
var outlines = map[rune]rgb{Wrong: {168, 32, 26}, Legal: {28, 79, 176}, Reason: {143, 69, 0}}

// String writes the colour as SVG does.
func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

func escape(text string) string {
	var escaped strings.Builder
	// A strings.Builder does not fail.
	_ = xml.EscapeText(&escaped, []byte(text))
	return escaped.String()
}

// pieceShapes has three lines for each type of piece, from pawn to king: its name, its outline and its details, as data
// of path elements in a square of 45 units. The pieces stand on one line, and with their outlines the king is 85% as
// high as its square.
//
//go:embed pieces.txt
var pieceShapes string

// Symbols returns the twelve pieces as symbol elements of SVG, piece-wk to piece-bp, each in a square of 45 units.
func Symbols() string {
	var doc strings.Builder
	for piece := range bitboard.Piece(16) {
		if piece.IsValid() {
			fmt.Fprintf(&doc, `<symbol id="piece-%c%c" viewBox="0 0 %d %d">`, piece.Color().Letter(),
				piece.Type().Letter()|' ', squareSize, squareSize)
			writePiece(&doc, piece)
			doc.WriteString("</symbol>\n")
		}
	}
	return doc.String()
}

// writePiece draws a piece in a square of 45 units. Its outline is dark for both sides, so that they are of one size.
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
