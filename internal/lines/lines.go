// Package lines reads lines of any length in bounded memory, and reads and writes lines with
// checksums.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"iter"
	"strings"
)

// ErrTooLong reports a line longer than the limit.
var ErrTooLong = errors.New("line too long")

// Read yields the lines of r without their line breaks, LF or CR LF, each valid until the next. A
// line of more than max bytes is cut to max bytes and comes with an error that wraps ErrTooLong.
// The sequence ends after an error of r.
func Read(r io.Reader, max int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, min(max+len("\r\n"), 1<<16))
		for {
			line, err := readLine(in, max)
			if err == io.EOF || !yield(line, err) || err != nil && !errors.Is(err, ErrTooLong) {
				return
			}
		}
	}
}

// readLine reads a line and skips what exceeds max bytes.
func readLine(in *bufio.Reader, max int) ([]byte, error) {
	line, more, err := in.ReadLine()
	if more { // the line fills the buffer
		line = bytes.Clone(line)
	}
	for more && err == nil {
		var part []byte
		if part, more, err = in.ReadLine(); len(line) <= max {
			line = append(line, part...)
		}
	}
	switch {
	case len(line) > max && (err == nil || err == io.EOF):
		return line[:max], fmt.Errorf("%w: more than %d bytes", ErrTooLong, max)
	case len(line) > 0 && err == io.EOF:
		return line, nil
	}
	return line[:min(len(line), max)], err
}

// Trim returns the bounds of a line without surrounding space, a leading byte order mark, and the
// trailing NUL bytes that some programs write.
func Trim(line string) (begin, end int) {
	rest := strings.TrimPrefix(line, "\ufeff")
	rest = strings.TrimLeft(rest, space)
	begin = len(line) - len(rest)
	return begin, begin + len(strings.TrimRight(rest, space+"\x00"))
}

const space = " \t\r\v\f"

// IsBlank reports whether a line contains only space or a comment, which begins with # or %.
func IsBlank(line string) bool {
	begin, end := Trim(line)
	return begin == end || line[begin] == '#' || line[begin] == '%'
}

// A checked line is text, a space, the text's CRC-64 in hexadecimal, and a line break.
//
//	fianchetto perft journal 1: depth 6, split 2, FEN ... ce374ba630b2479f
//	e2e4 e7e5: 728887 122fd6bae86a18c9

var table = crc64.MakeTable(crc64.ECMA)

// MaxChecked is the greatest length of a line for Recover, including its end.
const MaxChecked = 1 << 20

// AppendChecked appends text as a checked line. The checksum includes the key, such as the
// description of a count, so that only readers with the same key accept the line.
func AppendChecked(dst []byte, key string, text []byte) []byte {
	dst = append(dst, text...)
	return fmt.Appendf(dst, " %016x\n", checksum(key, text))
}

// CheckedText returns the text of a checked line without its line break, and whether the checksum
// is right.
func CheckedText(key string, line []byte) (text []byte, ok bool) {
	space := bytes.LastIndexByte(line, ' ')
	if space < 0 {
		return nil, false
	}
	text = line[:space]
	return text, string(line[space:]) == fmt.Sprintf(" %016x", checksum(key, text))
}

func checksum(key string, text []byte) uint64 {
	sum := uint64(0)
	if key != "" {
		sum = crc64.Checksum([]byte(key+"\n"), table)
	}
	return crc64.Update(sum, table, text)
}

// Damage describes an unused line.
type Damage struct {
	Line   int   `json:"line"`   // from 1
	Offset int64 `json:"offset"` // of its first byte
	Bytes  int   `json:"bytes"`
	Torn   bool  `json:"torn,omitzero"` // an incomplete last line
}

// String describes the place and consequence of the damage.
func (d Damage) String() string {
	what := "is damaged: its task is to be counted again"
	if d.Torn {
		what = fmt.Sprintf("was torn off after %d bytes", d.Bytes)
	}
	return fmt.Sprintf("the journal's line %d, at offset %d, %s", d.Line, d.Offset, what)
}

// Contents is the result of Recover.
type Contents struct {
	Size   int64 // of the complete lines
	Damage []Damage
}

// Torn reports whether the last line is incomplete.
func (c *Contents) Torn() bool {
	n := len(c.Damage)
	return n > 0 && c.Damage[n-1].Torn
}

// Recover reads a file to its end and calls take with the number, from 1, and the text of each
// complete line. A line that take does not use is damage. An error of take ends the reading.
func Recover(file io.Reader, take func(number int, line []byte) (used bool, err error)) (c Contents, err error) {
	in := bufio.NewReaderSize(file, MaxChecked)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		length, tooLong := len(line), err == bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			line, err = in.ReadSlice('\n')
			length += len(line)
		}
		if err == io.EOF {
			if length > 0 {
				c.Damage = append(c.Damage, Damage{number, c.Size, length, true})
			}
			return c, nil
		}
		used := false
		if err == nil && !tooLong {
			used, err = take(number, line[:len(line)-1])
		}
		if err != nil {
			return c, err
		}
		if !used {
			c.Damage = append(c.Damage, Damage{number, c.Size, length, false})
		}
		c.Size += int64(length)
	}
}
