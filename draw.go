package fianchetto

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Diagram returns a drawing of the men, a letter of FEN for each, to put marks on or to draw with other labels.
func (p Position) Diagram() bitboard.Diagram {
	var men bitboard.Diagram
	for s := range p.Occupancy().Squares() {
		men = men.WithSquare(s, rune(p.PieceAt(s).Letter()))
	}
	return men
}

// Draw draws the board with its coordinates, rank 8 first, White's men in upper case, and says below what
// else there is to a position: two lines of text.
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
