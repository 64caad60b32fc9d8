// Package quote quotes input in error messages, long input around the problem, and writes and reads
// the values of small types by name.
package quote

import (
	"encoding/hex"
	"fmt"
	"slices"
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

// Error returns field, input, offset and problem in one line.
func (e *Error) Error() string {
	return e.Field + " " + Text(e.Input, e.Offset) + ", offset " + strconv.Itoa(e.Offset) + ": " + e.Cause.Error()
}

// Unwrap returns the problem.
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

// Plain returns at most Max bytes of text, unquoted.
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

// Shell joins words to a command line.
func Shell(words ...string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%"
	line := slices.Clone(words)
	for i, word := range line {
		if word == "" || strings.Trim(word, plain) != "" {
			line[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(line, " ")
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

// Names holds the names of a type's values.
type Names[T ~uint8] struct {
	Type string   // the name of the type
	List []string // by value; "" for a value without a name
}

// String returns the name of a value, or text such as "File(9)" for a value without a name.
func (t Names[T]) String(v T) string {
	if int(v) < len(t.List) && t.List[v] != "" {
		return t.List[v]
	}
	return t.Type + "(" + strconv.Itoa(int(v)) + ")"
}

// Text fails for a value without a name.
func (t Names[T]) Text(v T) ([]byte, error) {
	if int(v) >= len(t.List) || t.List[v] == "" {
		return nil, fmt.Errorf("%s(%d) has no name", t.Type, v)
	}
	return []byte(t.List[v]), nil
}

// ReadText sets v to the named value. An error leaves v unchanged.
func (t Names[T]) ReadText(v *T, text []byte) error {
	i := slices.Index(t.List, string(text))
	if i < 0 || len(text) == 0 {
		return fmt.Errorf("unknown %s %q", t.Type, text)
	}
	*v = T(i)
	return nil
}
