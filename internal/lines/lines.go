// Package lines reads lines of any length in memory of a fixed size.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// ErrTooLong reports a line that is longer than the reader wants.
var ErrTooLong = errors.New("line too long")

// Read yields the lines of r without their ends, which are \n or \r\n. A line of more than max bytes comes cut to max bytes, with an
// error that wraps ErrTooLong, and the next ones follow. After an error of r the sequence ends. A line is valid until the next is
// read.
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
