package pgn

import (
	"bytes"
	"errors"
	"io"

	"github.com/fianchetto-chess/fianchetto"
)

// scanner splits a stream into tokens. It allocates only its buffer: name, value and text point
// into it and are valid until the next token.
type scanner struct {
	in      io.Reader
	failure error // the error of in, io.EOF at its end

	buffer  []byte
	dropped int64 // number of bytes dropped before buffer
	end     int   // the end of the data, where a zero byte stops all loops over bytes
	start   int   // the start of the token in buffer
	next    int   // the end of the token
	before  int64 // the end of the previous token in the stream

	text        []byte
	name, value []byte // of a tag pair, with backslashes
	glyph       NAG
	result      Result
	problem     fianchetto.Problem
	place       place // the last place found by note
	gap         int   // the end of the previous token in buffer
	lineEnds    int   // line ends after gap that were discarded from buffer
	isUTF16     bool
	terminators string // bytes that end the remainder of a token that was too long; "" without one
}

// place is the place of a byte in the stream. Lines are counted only as far as errors need.
type place struct {
	offset       int64
	line, column int // from 1
}

const (
	firstBuffer  = 1 << 16
	longestPlain = 8               // bytes of a token of plain movetext
	lookahead    = 4               // bytes after a token that its scan may look at
	maxBuffer    = maxToken + 1<<8 // more than the longest token, with the byte before it
)

func newScanner(in io.Reader) scanner {
	return scanner{in: in, buffer: make([]byte, firstBuffer), place: place{line: 1, column: 1}}
}

// scan scans the next token. A token that reaches the end of the buffer is scanned again with at
// least twice as many bytes, so the time is linear and no rule needs to care about the buffer.
func (s *scanner) scan() token {
	s.gap, s.lineEnds, s.before = s.next, 0, s.dropped+int64(s.next)
	if (s.terminators != "" || s.isUTF16) && s.hasRemainder() {
		return remainder
	}
	for {
		i := s.next
		for classes[s.buffer[i]]&blank != 0 {
			i++
		}
		s.start = i
		kind := s.scanAt(i)
		if s.end-s.next < lookahead && s.failure == nil && s.next-s.start <= maxToken {
			s.next = s.start
			s.fill(2*(s.end-s.start) + 2*lookahead)
			continue
		}
		if s.next-s.start > maxToken {
			kind = s.cutOverlong()
		}
		if kind != invisible {
			return kind
		}
	}
}

// cutOverlong refuses a token. Its remainder, if it does not end in the buffer, becomes tokens that
// the reader skips.
func (s *scanner) cutOverlong() token {
	if s.next >= s.end {
		s.next = s.end
		switch s.terminators = " \t\r\n\v\f"; s.buffer[s.start] {
		case '{':
			s.terminators = "}"
		case ';', '%', '[':
			s.terminators = "\r\n"
		}
	}
	return s.refuse(errTooLong)
}

// hasRemainder extends the token to the end of the remainder in the buffer, and reports false if
// there is none.
func (s *scanner) hasRemainder() bool {
	s.start = s.next
	s.fill(1)
	s.next = s.end
	if i := bytes.IndexAny(s.buffer[s.start:s.end], s.terminators); i >= 0 && !s.isUTF16 {
		if s.next = s.start + i; s.terminators == "}" {
			s.next++
		}
		s.terminators = ""
	}
	s.text = s.buffer[s.start:s.next]
	return len(s.text) > 0
}

// detectUTF16 looks for a byte order mark or zero bytes at the beginning of the stream. The whole
// stream is then a remainder.
func (s *scanner) detectUTF16() {
	s.fill(4)
	begin := s.buffer[:min(s.end, 4)]
	s.isUTF16 = bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff")) ||
		len(begin) == 4 && (begin[0] == 0 && begin[2] == 0 && begin[1] != 0 && begin[3] != 0 ||
			begin[1] == 0 && begin[3] == 0 && begin[0] != 0 && begin[2] != 0)
}

// fill reads until the buffer contains at least n bytes from start, or as many as it can hold. Only
// the indexes start, next, gap and place stay valid.
func (s *scanner) fill(n int) {
	for s.end-s.start < n && s.failure == nil {
		if s.start > 1 {
			s.discard(s.start - 1)
		}
		if s.end+1 == len(s.buffer) {
			if len(s.buffer) == maxBuffer {
				return
			}
			s.buffer = append(s.buffer, make([]byte, min(len(s.buffer), maxBuffer-len(s.buffer)))...)
		}
		var read int
		read, s.failure = readSome(s.in, s.buffer[s.end:len(s.buffer)-1])
		s.end += read
		s.buffer[s.end] = 0
	}
}

func (s *scanner) discard(n int) {
	if s.place.offset < s.offsetOf(n) {
		s.place = s.find(n)
	}
	if s.gap < n {
		s.lineEnds += s.countLineEnds(s.gap, n)
		s.gap = n
	}
	copy(s.buffer, s.buffer[n:s.end])
	s.dropped += int64(n)
	s.gap -= n
	s.start -= n
	s.next -= n
	s.end -= n
}

// readSome reads until the reader returns data or an error.
func readSome(in io.Reader, buffer []byte) (n int, err error) {
	const patience = 100
	for range patience {
		n, err = in.Read(buffer)
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// find returns the place of a byte in the buffer, at or after the place of the last note.
func (s *scanner) find(at int) place {
	p := s.place
	from := int(p.offset - s.dropped)
	p.offset += int64(at - from)
	p.column += at - from
	if lines := s.countLineEnds(from, at); lines > 0 {
		p.line += lines
		p.column = at - from - bytes.LastIndexAny(s.buffer[from:at], "\r\n")
	}
	return p
}

// note remembers the place of the token as the base of later places.
func (s *scanner) note() place {
	s.place = s.find(s.start)
	return s.place
}

func (s *scanner) countLineEnds(from, to int) int {
	return countLineEnds(s.buffer[from:to], s.buffer[to])
}

// countLineEnds counts LF, CRLF and CR in a text before the byte next. A CRLF counts with its LF.
func countLineEnds(text []byte, next byte) int {
	lines := bytes.Count(text, []byte{'\n'})
	if returns := bytes.Count(text, []byte{'\r'}); returns > 0 {
		lines += returns - bytes.Count(text, []byte("\r\n"))
		if text[len(text)-1] == '\r' && next == '\n' {
			lines--
		}
	}
	return lines
}

// source is the unconverted value of a tag and its place.
type source struct {
	place
	value []byte // cut to the length that errors quote
}

// noteFirst stores the tag pair in first, unless first is set.
func (s *scanner) noteFirst(first *source) {
	if first.line == 0 {
		first.place = s.note()
		first.value = append(first.value[:0], quotable(s.value)...)
	}
}

// offset returns the end of the token in the stream.
func (s *scanner) offset() int64 { return s.offsetOf(s.next) }

// offsetOf converts an index into the buffer to an offset in the stream.
func (s *scanner) offsetOf(at int) int64 { return s.dropped + int64(at) }

func (s *scanner) isAtLineStart() bool { return s.start == 0 || isLineEnd(s.buffer[s.start-1]) }

// lineEndsBefore counts the line ends between the previous token and this one.
func (s *scanner) lineEndsBefore() int { return s.lineEnds + s.countLineEnds(s.gap, s.start) }

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// failed returns the error of the stream, except io.EOF.
func (s *scanner) failed() error {
	if errors.Is(s.failure, io.EOF) {
		return nil
	}
	return s.failure
}

func (s *scanner) refuse(problem fianchetto.Problem) token {
	s.text, s.problem = s.buffer[s.start:s.next], problem
	return invalid
}
