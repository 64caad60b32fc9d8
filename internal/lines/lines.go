// Package lines reads lines of any length in memory of a fixed size, and lines with checksums.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// ErrTooLong reports a line that is longer than the limit.
var ErrTooLong = errors.New("line too long")

// Read yields the lines of r without their line breaks, \n or \r\n. A line of more than max bytes is cut to max bytes
// and comes with an error that wraps ErrTooLong; the sequence continues. It ends after an error of r. A line is valid
// until the next one is read.
func Read(r io.Reader, max int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, max+len("\r\n"))
		for {
			line, err := readLine(in, max)
			if err == io.EOF || !yield(line, err) || err != nil && !errors.Is(err, ErrTooLong) {
				return
			}
		}
	}
}

// readLine reads a line, and skips the rest of one that is too long.
func readLine(in *bufio.Reader, max int) ([]byte, error) {
	line, more, err := in.ReadLine()
	if err != nil || len(line) <= max && !more {
		return line, err
	}
	line = bytes.Clone(line[:min(len(line), max)])
	for more && err == nil {
		_, more, err = in.ReadLine()
	}
	if err != nil && err != io.EOF {
		return line, err
	}
	return line, fmt.Errorf("%w: more than %d bytes", ErrTooLong, max)
}

// Trim returns the bounds of a line without the space around it, a byte order mark at its beginning, and the NUL
// bytes that some programs write at its end.
func Trim(line string) (begin, end int) {
	rest := strings.TrimPrefix(line, "\ufeff")
	rest = strings.TrimLeft(rest, space)
	begin = len(line) - len(rest)
	return begin, begin + len(strings.TrimRight(rest, space+"\x00"))
}

const space = " \t\r\v\f"

// IsBlank reports whether a line is empty except for space and a comment, which begins with # or %.
func IsBlank(line string) bool {
	begin, end := Trim(line)
	return begin == end || line[begin] == '#' || line[begin] == '%'
}
