package bitboard

import (
	"strconv"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problem is the cause of an error. Test for one with errors.Is. Problems are constants, so code
// cannot reassign them.
type Problem string

// Error returns the problem in words.
func (p Problem) Error() string { return string(p) }

// The problems of texts and values.
const (
	errShort     Problem = "the text ends too soon"
	errLong      Problem = "extra text after the end"
	errFile      Problem = "invalid file (want a to h)"
	errRank      Problem = "invalid rank (want 1 to 8)"
	errPiece     Problem = "unknown piece (want a letter PNBRQKpnbrqk)"
	errPieceType Problem = "unknown piece type (want pawn, knight, bishop, rook, queen, king or a letter pnbrqk)"
	errRange     Problem = "value out of range of its type"
)

// ParseError reports a text that a parser cannot read.
type ParseError struct {
	Field  string // "square", "piece type" or "piece"
	Input  string // the whole text
	Offset int    // the byte of Input at which reading failed, 0..len(Input)
	Cause  error  // the problem at that byte
}

// Error returns the field, the input, the offset and the cause in one line.
func (e *ParseError) Error() string {
	return e.Field + " " + quote.Text(e.Input, e.Offset) + ", offset " + strconv.Itoa(e.Offset) + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Cause }
