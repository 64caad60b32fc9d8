package drawing

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The measures of an SVG drawing: squares of 45 units, as is usual, with room for coordinates around.
const (
	squareSize = 45
	borderSize = 18
	boardSize  = 8*squareSize + 2*borderSize
)

// pieceShapes are the outlines of the pieces in a square of 45 units, for a path element. They are drawn larger by a fifth, so
// that a king fills 85% of the height of its square.
var pieceShapes = map[bitboard.PieceType]string{
	bitboard.Pawn: "M22.5 9a6 6 0 0 1 4.2 10.3c.2 6 2.3 9.2 6.3 12.2v5.5h-21v-5.5c4-3 6.1-6.2 6.3-12.2a6 6 0 0 1 4.2-10.3z",
	bitboard.Knight: "M17 8l3.5 3.5c9.5.5 15 8 15 18.5l-.5 7h-20c-.5-6 6-8 6.5-14.5-2.5 2-5 2-7.5 3.5l-3 3" +
		"c-2 1-4.5-1-4-3.5 1.5-4 4-6 5.5-11.5.5-2.5 2-4 4-5z",
	bitboard.Bishop: "M22.5 6a2.6 2.6 0 0 1 1.8 4.5c5 3.5 7.7 8 7.7 12.5 0 3-1.5 5.5-4 7.5l5.5 2.5v4h-22v-4l5.5-2.5" +
		"c-2.5-2-4-4.5-4-7.5 0-4.5 2.7-9 7.7-12.5a2.6 2.6 0 0 1 1.8-4.5z",
	bitboard.Rook:  "M11.5 9h5v3.5h3.5v-3.5h5v3.5h3.5v-3.5h5v8l-4 3v10l4 3v4h-22v-4l4-3v-10l-4-3z",
	bitboard.Queen: "M8 13.5l6.5 8 1-11 5 10 2-12.5 2 12.5 5-10 1 11 6.5-8-4.5 17.5v6h-20v-6z",
	bitboard.King: "M21 5h3v2.5h2.5v3h-2.5v3.5c1 .7 1.7 1.6 2.2 2.7 5-2.7 11.3-.2 11.3 5.3 0 4.5-4 6.5-5 10v5h-20v-5" +
		"c-1-3.5-5-5.5-5-10 0-5.5 6.3-8 11.3-5.3.5-1.1 1.2-2 2.2-2.7v-3.5h-2.5v-3h2.5z",
}

// SVG draws the board as a standalone SVG document.
func (d Drawing) SVG(title string) string {
	var doc strings.Builder
	fmt.Fprintf(&doc, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		boardSize, boardSize, 2*boardSize, 2*boardSize)
	fmt.Fprintf(&doc, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(&doc, `<rect width="%d" height="%d" rx="6" fill="%v"/>`+"\n", boardSize, boardSize, blackPiece)
	writeCoordinates(&doc)
	for s := range bitboard.Square(64) {
		d.writeSquare(&doc, s)
	}
	for _, arrow := range d.Arrows {
		writeArrow(&doc, arrow)
	}
	doc.WriteString("</svg>\n")
	return doc.String()
}

// writeCoordinates labels the files below and above and the ranks on both sides.
func writeCoordinates(doc *strings.Builder) {
	fmt.Fprintf(doc, `<g font-family="sans-serif" font-size="11" text-anchor="middle" fill="%v">`+"\n", lightSquare)
	for i := range 8 {
		along := borderSize + squareSize*i + squareSize/2
		file, rank := bitboard.File(i), bitboard.Rank8-bitboard.Rank(i)
		for _, across := range []int{borderSize / 2, boardSize - borderSize/2} {
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`, along, across+4, file)
			fmt.Fprintf(doc, `<text x="%d" y="%d">%v</text>`+"\n", across, along+4, rank)
		}
	}
	doc.WriteString("</g>\n")
}

// writeSquare draws a square and what is on it.
func (d Drawing) writeSquare(doc *strings.Builder, s bitboard.Square) {
	x := borderSize + squareSize*int(s.File())
	y := borderSize + squareSize*int(bitboard.Rank8-s.Rank())
	fmt.Fprintf(doc, `<g transform="translate(%d %d)"><rect width="%d" height="%d" fill="%v"/>`,
		x, y, squareSize, squareSize, d.squareColor(s))
	if piece := d.pieceAt(s); piece != bitboard.NoPiece {
		writePiece(doc, piece)
	} else {
		writeMark(doc, d.Marks[s])
	}
	doc.WriteString("</g>\n")
}

// writeArrow draws an arrow: a stroke that ends short of the middle of its target, and a head there.
func writeArrow(doc *strings.Builder, arrow Arrow) {
	const width, head = 6.0, 16.0
	fill := moveArrow
	if arrow.Attack {
		fill = attackArrow
	}
	x, y := middle(arrow.From)
	toX, toY := middle(arrow.To)
	length := math.Hypot(toX-x, toY-y)
	if length == 0 {
		return
	}
	angle := math.Atan2(toY-y, toX-x) * 180 / math.Pi
	fmt.Fprintf(doc, `<path transform="translate(%g %g) rotate(%.1f)" d="M0 %gH%.1fV%gL%.1f 0L%.1f %gV%gH0z" fill="%v" fill-opacity="0.75"/>`+"\n",
		x, y, angle, -width/2, length-head, -width*1.3, length, length-head, width*1.3, width/2, fill)
}

// middle returns the middle of a square.
func middle(s bitboard.Square) (x, y float64) {
	const half = squareSize / 2.0
	return borderSize + squareSize*float64(s.File()) + half, borderSize + squareSize*float64(bitboard.Rank8-s.Rank()) + half
}

// Symbols returns the twelve pieces as symbol elements of SVG, piece-wk to piece-bp, each in a square of 45 units.
func Symbols() string {
	var doc strings.Builder
	for piece := range bitboard.Piece(16) {
		if piece.IsValid() {
			fmt.Fprintf(&doc, `<symbol id="piece-%c%c" viewBox="0 0 %d %d">`, piece.Color().Letter(), piece.Type().Letter()|' ', squareSize, squareSize)
			writePiece(&doc, piece)
			doc.WriteString("</symbol>\n")
		}
	}
	return doc.String()
}

func writePiece(doc *strings.Builder, piece bitboard.Piece) {
	fill, line := whitePiece, blackPiece
	if piece.Color() == bitboard.Black {
		fill, line = blackPiece, lightSquare
	}
	fmt.Fprintf(doc, `<path transform="translate(-4.5 -2.9) scale(1.2)" d="%s" fill="%v" stroke="%v" stroke-width="1.2" stroke-linejoin="round"/>`,
		pieceShapes[piece.Type()], fill, line)
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
		fmt.Fprintf(doc, `<text x="22.5" y="31" font-family="sans-serif" font-size="25" text-anchor="middle" fill="%v">%s</text>`,
			blackPiece, escape(string(mark)))
	}
}

// String writes the colour as SVG does.
func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

func escape(text string) string {
	var escaped strings.Builder
	// A strings.Builder does not fail.
	_ = xml.EscapeText(&escaped, []byte(text))
	return escaped.String()
}
