package pgn

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// What may be wrong with a game that is read or written, for errors.Is. A text that is no legal move is a problem of package
// fianchetto's, in a *fianchetto.MoveError, and so is a FEN, in a *fianchetto.PositionError.
const (
	ErrUnexpected  fianchetto.Problem = "nothing in PGN begins like this"
	ErrTag         fianchetto.Problem = `a tag pair is [Name "value"] on one line`
	ErrComment     fianchetto.Problem = "a comment that begins with { ends with }"
	ErrNAG         fianchetto.Problem = "a numeric annotation glyph is $ and a number from 0 to 65535"
	ErrParenthesis fianchetto.Problem = "each ( has its )"
	ErrVariation   fianchetto.Problem = "a variation follows the move that it replaces"
	ErrDepth       fianchetto.Problem = "variations are nested 256 deep at most"
	ErrTooLong     fianchetto.Problem = "a tag pair, a comment or a word has a mebibyte at most"
	ErrGameTooLong fianchetto.Problem = "the text of a game has 16 mebibytes at most"
	ErrVariant     fianchetto.Problem = "the variant is neither standard chess nor Chess960"
	ErrNullInCheck fianchetto.Problem = "the side to move is in check and cannot pass"
	ErrNotes       fianchetto.Problem = "notes are in the order of their plies, one a ply, none after the last move"
	ErrText        fianchetto.Problem = "a text to write is UTF-8, a tag's value without line breaks"
)

// Limits of what a Reader takes, so that no input makes it use memory without bound.
const (
	MaxToken = 1 << 20 // bytes of a tag pair, a comment or a word
	MaxGame  = 1 << 24 // bytes of a game
	MaxDepth = 256     // of variations in variations
)

// Error says what is wrong with a game, and where.
type Error struct {
	Game   int    // number of the game in the input, from 1
	Line   int    // of the offending token, from 1
	Column int    // of the offending token, in bytes, from 1
	Token  string // the offending token, its first 40 bytes if it is longer; "" at the end of the input
	Err    error  // the cause
}

// Error names the game, the place, the token and the cause, in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("pgn: game %d, line %d, column %d, %q: %v", e.Game, e.Line, e.Column, e.Token, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
