package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// pieceStyles are the values of --pieces.
var pieceStyles = []string{"letters", "symbols"}

// style returns how a board is drawn on stdout.
func (o *options) style(stdout io.Writer) (drawing.Style, error) {
	style := drawing.Style{Colors: terminal.Colors(stdout)}
	switch cli.Canonical(o.pieces, pieceStyles) {
	case "letters":
	case "symbols":
		style.Symbols = true
	default:
		return style, fmt.Errorf("--pieces: %s is none of %s%s", quote.Text(o.pieces, 0), strings.Join(pieceStyles, ", "), cli.DidYouMean(o.pieces, pieceStyles))
	}
	return style, nil
}

// lastMove returns the squares of the last of moves in UCI, which are legal.
func lastMove(uci string) bitboard.Bitboard {
	moves := strings.Fields(uci)
	if len(moves) == 0 {
		return bitboard.Empty
	}
	arrows, err := drawing.ParseArrows(moves[len(moves)-1])
	if err != nil {
		return bitboard.Empty // a move that needs no squares, such as 0000
	}
	return arrows[0].From.Bitboard() | arrows[0].To.Bitboard()
}
