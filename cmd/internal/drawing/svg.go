package drawing

import (
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
		borderSize+squareSize*column, borderSize+squareSize*row, squareSize, squareSize, d.squareColor(s))
	if d.tintOf(s) == checked {
		doc.WriteString(`<circle cx="22.5" cy="22.5" r="22.5" fill="url(#check)"/>`)
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
	case mark == 0:
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

func (d Drawing) squareColor(s bitboard.Square) rgb { return squareColors[d.tintOf(s)][shadeOf(s)] }

// String writes the colour as SVG does.
func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

func escape(text string) string {
	var escaped strings.Builder
	// A strings.Builder does not fail.
	_ = xml.EscapeText(&escaped, []byte(text))
	return escaped.String()
}

// shape is the form of a piece in a square of 45 units, for path elements.
type shape struct{ outline, details string }

// The pieces stand on one line, and with their outlines the king is 85% as high as its square.
var pieceShapes = map[bitboard.PieceType]shape{
	bitboard.Pawn: {
		outline: "M22.5 9.2a5.4 5.4 0 0 1 4.1 8.9c1.3.4 2.3 1.3 2.8 2.5h-2.6c.3 5.2 2.6 8.4 6 11.3 1.5 1.3 2.2 3.1 " +
			"2.2 5.1v3.9H10v-3.9" +
			"c0-2 .7-3.8 2.2-5.1 3.4-2.9 5.7-6.1 6-11.3h-2.6c.5-1.2 1.5-2.1 2.8-2.5A5.4 5.4 0 0 1 22.5 9.2z",
		details: "M10.6 36.6h23.8",
	},
	bitboard.Knight: {
		outline: "M15.6 4.6l3.6 3.9c.9-.1 1.8 0 2.7.2l1.9-3 1.9 4.1c7.4 2.5 11.9 9.9 11.9 20.4 0 3.6-.2 7.1-.5 " +
			"10.7H14" +
			"c-.6-6.9 7.4-9.4 8-17.3-2.9 2.3-6 2.5-9 4.3l-3.4 3.4c-2.4 1.4-5.5-1-4.9-4 1.6-4.8 4.7-7.3 " +
			"6.5-13.6.5-2.3 1.8-4.2 3.6-5.4z",
		details: "M14.6 15.4l1.6-1M8 27l1-1.3M27.4 14c4.4 3.4 6.2 9 6 16.4",
	},
	bitboard.Bishop: {
		outline: "M22.5 4.1a2.4 2.4 0 0 1 1.6 4.2c5 3.6 8 8.6 8 13.6 0 3.2-1.4 5.9-3.8 7.6l1 3.6 4.6 2.6c1.2.7 1.7 " +
			"1.6 1.7 2.8v2.4H9.4v-2.4" +
			"c0-1.2.5-2.1 1.7-2.8l4.6-2.6 1-3.6c-2.4-1.7-3.8-4.4-3.8-7.6 0-5 3-10 8-13.6A2.4 2.4 0 0 1 22.5 4.1z",
		details: "M22.5 14.6v8M18.5 18.6h8M16.7 29.5h11.6M15.7 33.1h13.6",
	},
	bitboard.Rook: {
		outline: "M10.5 6.6h5v3.6h4.2V6.6h5.6v3.6h4.2V6.6h5v9.2l-4.2 3.6v11.3l3.4 " +
			"3.1v2.6h2.3v4.5H9.2v-4.5h2.3v-2.6l3.4-3.1V19.4l-4.4-3.6z",
		details: "M14.9 19.4h15.4M14.9 30.7h15.4M11.5 36.4h22",
	},
	bitboard.Queen: {
		outline: "M10 27L6.4 13.7a2.2 2.2 0 1 1 1.5-.5l6.3 8.9.2-12.2a2.2 2.2 0 1 1 1.6.1l3.9 11.6 2-13a2.2 2.2 0 1 " +
			"1 1.2 0l2 13L29 10" +
			"a2.2 2.2 0 1 1 1.6-.1l.2 12.2 6.3-8.9a2.2 2.2 0 1 1 1.5.5L35 27c-.9 2-1.7 3.3-1.7 4.8.9 1.3 1.5 2.5 " +
			"1.7 4.2l.6 4.9H9.4L10 36" +
			"c.2-1.7.8-2.9 1.7-4.2 0-1.5-.8-2.8-1.7-4.8z",
		details: "M10 27c8-2 17-2 25 0M11.7 31.8c7-1.5 14.6-1.5 21.6 0M10 36c8-1.4 17-1.4 25 0",
	},
	bitboard.King: {
		outline: "M21.1 4.1h2.8v2.4h2.6v2.7h-2.6v3.4c1.5.7 2.6 1.8 3.1 3.2 5.3-2.8 12.4-.4 12.4 6.1 0 4.9-4.2 " +
			"7.3-5.4 10.6v8.4H11v-8.4" +
			"c-1.2-3.3-5.4-5.7-5.4-10.6 0-6.5 7.1-8.9 12.4-6.1.5-1.4 1.6-2.5 3.1-3.2V9.2h-2.6V6.5h2.6z",
		details: "M18 15.8c2.6 3.4 4.5 7.2 4.5 11.7 0-4.5 1.9-8.3 4.5-11.7M11 32.5c7-2 16-2 23 0M11 36.7c7-1.6 " +
			"16-1.6 23 0",
	},
}

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
	s := pieceShapes[piece.Type()]
	fmt.Fprintf(doc, `<path d="%s" fill="%v" stroke="%v" stroke-width="1.4" stroke-linejoin="round"/>`, s.outline, fill,
		blackPiece)
	fmt.Fprintf(doc,
		`<path d="%s" fill="none" stroke="%v" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/>`,
		s.details, line)
}
