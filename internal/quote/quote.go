// Package quote quotes input in error messages: short input whole, long input around the problem.
package quote

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error reports a text that a parser of package bitboard cannot read.
type Error struct {
	Field  string // "square", "piece type" or "piece"
	Input  string // the whole text
	Offset int    // the byte of Input at which reading failed, 0..len(Input)
	Cause  error  // the problem at that byte
}

// Error returns the field, the input, the offset and the cause in one line.
func (e *Error) Error() string {
	return e.Field + " " + Text(e.Input, e.Offset) + ", offset " + strconv.Itoa(e.Offset) + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Max is the greatest number of bytes of input in a message.
const Max = 200

// Text quotes text like strconv.Quote. Of long text it quotes Max bytes around an offset and writes
// dots for the rest.
func Text(text string, offset int) string {
	from, to := bounds(len(text), offset)
	for range utf8.UTFMax - 1 { // neither end is within a character
		if from > 0 && from < offset && !utf8.RuneStart(text[from]) {
			from++
		}
		if to > offset && to < len(text) && !utf8.RuneStart(text[to]) {
			to--
		}
	}
	return ellipsis(from > 0) + strconv.Quote(text[from:to]) + ellipsis(to < len(text))
}

// Plain returns text unquoted, or its first Max bytes and dots.
func Plain(text string) string {
	part := text[:min(len(text), Max)]
	return part + ellipsis(len(part) < len(text))
}

// Printable replaces control characters, including those that reverse the direction of text, so
// that foreign text cannot control a terminal or take more than one line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(strings.TrimSpace(text), "?"))
}

// Hex returns data in hexadecimal, or Max bytes of it around an offset with dots for the rest.
func Hex(data string, offset int) string {
	from, to := bounds(len(data), offset)
	return ellipsis(from > 0) + hex.EncodeToString([]byte(data[from:to])) + ellipsis(to < len(data))
}

// bounds returns the bounds of the quoted part: at most Max bytes, centred on the offset if
// possible.
func bounds(length, offset int) (from, to int) {
	from = max(0, min(offset-Max/2, length-Max))
	return from, min(length, from+Max)
}

func ellipsis(cut bool) string {
	if cut {
		return "..."
	}
	return ""
}
