package epd

import (
	"errors"
	"io"
	"iter"

	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// maxLine is the greatest number of bytes of a line that Read reads.
const maxLine = 1 << 16

// Read reads a file line by line, and yields each record, or the *Error of a malformed line, after which it continues with the next. It
// skips blank lines and comments, which begin with # or %. A line of more than 64 KiB is malformed. If r fails, the last value is the
// error. The name is what errors call the file. Time is linear in the input, and memory does not grow with it.
//
// The sequence can be ranged over only once, because it consumes r.
func Read(r io.Reader, name string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		number := 0
		for text, failure := range lines.Read(r, maxLine) {
			number++
			line := string(text)
			var record Record
			var problem *Error
			switch {
			case errors.Is(failure, lines.ErrTooLong):
				problem = &Error{Field: "line", Offset: len(line), Input: line, Err: failure}
			case failure != nil:
				problem = &Error{Field: "file", Offset: len(line), Input: line, Err: failure}
			case lines.IsBlank(line):
				continue
			default:
				record, problem = parse(line)
			}
			record.Line = number
			var err error
			if problem != nil {
				problem.File, problem.Line = name, number
				err = problem
			}
			if !yield(record, err) {
				return
			}
		}
	}
}
