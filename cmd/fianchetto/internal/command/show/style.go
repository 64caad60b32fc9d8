package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
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
