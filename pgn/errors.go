package pgn

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrVariant is the problem of a game that programs may handle; errors.Is finds it. An illegal move is a *fianchetto.MoveError,
// and a tag FEN that cannot be played from a *fianchetto.PositionError.
const ErrVariant fianchetto.Problem = "unsupported variant (want standard chess or Chess960)"

// The other problems of a game that is read or written.
const (
	errUnexpected  fianchetto.Problem = "unexpected character"
	errTag         fianchetto.Problem = `malformed tag pair (want [Name "value"] on one line)`
	errComment     fianchetto.Problem = "unterminated comment"
	errNAG         fianchetto.Problem = "malformed numeric annotation glyph (want $0 to $65535)"
	errParenthesis fianchetto.Problem = "unbalanced parenthesis"
	errVariation   fianchetto.Problem = "variation without a move before it"
	errDepth       fianchetto.Problem = "variations nested more than 256 deep"
	errTooLong     fianchetto.Problem = "tag pair, comment or word longer than 1 MiB"
	errGameTooLong fianchetto.Problem = "game longer than 16 MiB"
	errNullInCheck fianchetto.Problem = "null move in check"
	errNotes       fianchetto.Problem = "notes not in the order of their plies, or after the last move"
	errText        fianchetto.Problem = "text that is not UTF-8, or a tag value with a line break"
)

// Limits of a Reader, which bound the memory that it uses.
const (
	maxToken = 1 << 20 // bytes of a tag pair, a comment or a word
	maxGame  = 1 << 24 // bytes of a game
	maxDepth = 256     // of variations within variations
)

// Error reports what is wrong with a game, and where.
type Error struct {
	Game   int    // number of the game in the input, from 1
	Line   int    // of the offending token, from 1
	Column int    // of the offending token, in bytes, from 1
	Token  string // the offending token, its first 40 bytes if it is longer; "" at the end of the input
	Err    error  // the cause
}

// Error names the game, the place and the cause, in one line, and the token unless the cause quotes it.
func (e *Error) Error() string {
	place := fmt.Sprintf("pgn: game %d, line %d, column %d", e.Game, e.Line, e.Column)
	if _, ours := e.Err.(fianchetto.Problem); ours && e.Token != "" {
		place += ", " + quote.Text(e.Token, 0)
	}
	return place + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
