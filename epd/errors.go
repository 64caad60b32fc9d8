package epd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// The problems of a record that is read or written. A position that cannot be read or played from is a *fianchetto.PositionError, an
// illegal move a *fianchetto.MoveError.
const (
	errNoPosition  fianchetto.Problem = "no position"
	errOpcode      fianchetto.Problem = "malformed opcode (want a letter first)"
	errString      fianchetto.Problem = "unterminated string"
	errClock       fianchetto.Problem = "malformed clock (want a number)"
	errMoves       fianchetto.Problem = "moves and operands that do not fit the opcode"
	errNullInCheck fianchetto.Problem = "null move in check"
	errLineBreak   fianchetto.Problem = "line break within the line"
)

// Error reports what is wrong with a line, and where. If reading the file itself fails, Field is "file" and Err the reader's error.
type Error struct {
	File   string // the name given to Read; "" from Parse
	Line   int    // from 1; 0 from Parse
	Offset int    // the first byte of Input that shows the problem, 0..len(Input)
	Field  string // "position", a field of a FEN as in fianchetto.PositionProblem, "operation", an opcode, "line" or "file"
	Input  string // the line, or its first 64 KiB
	Err    error  // the cause
}

// Error names the place, the field and the cause, in one line, and quotes the input from the offset on unless the cause does.
func (e *Error) Error() string {
	place := ""
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	var position *fianchetto.PositionError
	var move *fianchetto.MoveError
	switch cause := strings.TrimPrefix(e.Err.Error(), "fianchetto: "); {
	case errors.As(e.Err, &position):
		return place + cause
	case errors.As(e.Err, &move):
		return fmt.Sprintf("%s%s at offset %d: %s", place, e.Field, e.Offset, cause)
	default:
		return fmt.Sprintf("%s%s at offset %d, %s: %s", place, e.Field, e.Offset, quote.Text(e.Input[min(e.Offset, len(e.Input)):], 0), cause)
	}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
