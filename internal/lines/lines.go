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

// Recover reads a file to its end and calls take with the number, from 1, and the text of each
// complete line. It returns the numbers of the lines that are unused or too long, and of an
// incomplete last line, or 0. An error of take ends the reading.
func Recover(file io.Reader, take func(number int, line []byte) (used bool, err error)) (unused []int, torn int,
	err error) {
	in := bufio.NewReaderSize(file, MaxChecked)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		tooLong := err == bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			line, err = in.ReadSlice('\n')
		}
		used := false
		switch {
		case err == io.EOF && len(line) == 0 && !tooLong:
			return unused, 0, nil
		case err == io.EOF:
			return unused, number, nil
		case err == nil && !tooLong:
			used, err = take(number, line[:len(line)-1])
		}
		if err != nil {
			return unused, 0, err
		}
		if !used {
			unused = append(unused, number)
		}
	}
}
