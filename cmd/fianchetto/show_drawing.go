package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// pieceStyles are the values of --pieces.
var pieceStyles = []string{"letters", "symbols"}

// style returns how a board is drawn on stdout.
func (o *showOptions) style(stdout io.Writer) (drawing.Style, error) {
	style := drawing.Style{Colors: colorsOf(stdout)}
	switch canonical(o.pieces, pieceStyles) {
	case "letters":
	case "symbols":
		style.Symbols = true
	default:
		return style, fmt.Errorf("--pieces: %s is none of %s%s", quote.Text(o.pieces, 0), strings.Join(pieceStyles, ", "), didYouMean(o.pieces, pieceStyles))
	}
	return style, nil
}

// parseArrows reads arrows with commas between: e2e4,g1f3.
func parseArrows(text string) ([]drawing.Arrow, error) {
	var arrows []drawing.Arrow
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if len(part) < 4 {
			return nil, fmt.Errorf("%s is not an arrow: e2e4", quote.Text(part, 0))
		}
		from, err := bitboard.ParseSquare(strings.ToLower(part[:2]))
		if err != nil {
			return nil, err
		}
		to, err := bitboard.ParseSquare(strings.ToLower(part[2:4]))
		if err != nil {
			return nil, err
		}
		arrows = append(arrows, drawing.Arrow{From: from, To: to})
	}
	return arrows, nil
}
