package bitboard

import (
	"fmt"
	"strconv"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problem is the cause of an error. The problems are constants, so that no code can reassign them;
// find one in an error with errors.Is.
type Problem string

// Error returns the problem in words.
func (p Problem) Error() string { return string(p) }

// Problems of squares and pieces, which notations have too.
const (
	ErrShort Problem = "the text ends too soon"
	ErrLong  Problem = "extra text after the end"
	ErrFile  Problem = "invalid file (want a to h)"
	ErrRank  Problem = "invalid rank (want 1 to 8)"
	ErrPiece Problem = "unknown piece (want a letter PNBRQKpnbrqk)"
)

// The problems of other texts and values.
const (
	errColor     Problem = "unknown colour (want w, b, white or black)"
	errPieceType Problem = "unknown piece type (want pawn, knight, bishop, rook, queen, king or a letter pnbrqk)"
	errLineKind  Problem = "unknown kind of line (want rank, file, diagonal or antidiagonal)"
	errMark      Problem = "invalid mark of a square (want . or 1)"
	errRange     Problem = "value out of range of its type"
)

// ParseError reports text that a parser cannot read.
type ParseError struct {
	Field  string // what was being read: "square", "file", "piece"...
	Input  string // the whole text given
	Offset int    // byte of Input at which reading failed, 0..len(Input)
	Cause  error  // a Problem
}

// Error names the field, the input, the offset and the cause, in one line.
func (e *ParseError) Error() string {
	return e.Field + " " + quote.Text(e.Input, e.Offset) + ", offset " + strconv.Itoa(e.Offset) + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Cause }

// must returns v and panics on an error. It is for constants in code, never for data from outside.
func must[T any](v T, err error) T {
	if err != nil {
		panic("bitboard: " + err.Error())
	}
	return v
}

// named is a type whose values have names.
type named interface {
	~uint8
	fmt.Stringer
	IsValid() bool
}

// parseName finds the value between first and last whose name is text. The offset of a failure is
// where text departs from every name.
func parseName[T named](field, text string, first, last T, cause Problem) (T, error) {
	offset := 0
	for v := first; v <= last; v++ {
		name := v.String()
		if name == text {
			return v, nil
		}
		offset = max(offset, commonPrefix(name, text))
	}
	var none T
	return none, &ParseError{field, text, offset, cause}
}

// commonPrefix counts the bytes with which a and b begin alike.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// appendName appends the name of v. It returns errRange for a value without one.
func appendName[T named](text []byte, v T) ([]byte, error) {
	if !v.IsValid() {
		return text, fmt.Errorf("%w: %v", errRange, v)
	}
	return append(text, v.String()...), nil
}

// appendOptional is appendName for a type with a value for "none", which has a text too.
func appendOptional[T named](text []byte, v, none T) ([]byte, error) {
	if v == none {
		return append(text, none.String()...), nil
	}
	return appendName(text, v)
}

// unmarshal sets *v to what parse reads; after an error *v is as it was.
func unmarshal[T any](v *T, text []byte, parse func(string) (T, error)) error {
	parsed, err := parse(string(text))
	if err == nil {
		*v = parsed
	}
	return err
}

// unmarshalOptional is unmarshal for a type with a value for "none", whose text Parse refuses.
func unmarshalOptional[T named](v *T, text []byte, none T, parse func(string) (T, error)) error {
	if string(text) == none.String() {
		*v = none
		return nil
	}
	return unmarshal(v, text, parse)
}

// nameless formats a value out of range of its type, as in "File(9)".
func nameless(typeName string, v uint8) string {
	return typeName + "(" + strconv.Itoa(int(v)) + ")"
}
