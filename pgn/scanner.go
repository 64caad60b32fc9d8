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

	buffer      []byte
	dropped     int64 // bytes dropped before buffer
	end         int   // the end of the data, where a zero byte stops all loops
	start, next int   // the token in buffer
	before      int64 // the end of the previous token in the stream
	lineEnds    int   // line ends after it that were discarded from buffer
	place       place // the last place that here returned, or the beginning of buffer

	text        []byte
	name, value []byte // of a tag pair, with backslashes
	glyph       NAG
	result      Result
	problem     fianchetto.Problem

	inTags      bool   // a line may be a tag pair without its opening bracket
	isCut       bool   // the scan looked at the end of the data
	terminators string // bytes that end the remainder of an overlong token; "" without one
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

// scan scans the next token. A token that reaches the end of the buffer is scanned again with at
// least twice as many bytes, so the time is linear.
func (s *scanner) scan() token {
	s.before, s.lineEnds = s.offset(), 0
	if s.terminators != "" && s.hasRemainder() {
		return skipped
	}
	for {
		i := s.next
		for classes[s.buffer[i]]&blank != 0 {
			i++
		}
		s.start, s.isCut = i, false
		kind := s.scanAt(i)
		switch {
		case (s.isCut || s.end-s.next < lookahead) && s.failure == nil && s.end-s.start <= maxToken:
			s.next = s.start
			s.fill(2*(s.end-s.start) + 2*lookahead)
		case s.next-s.start > maxToken:
			return s.refuseOverlong()
		case kind != invisible:
			return kind
		}
	}
}

func isUTF16(b []byte) bool {
	zeros := [4]bool{b[0] == 0, b[1] == 0, b[2] == 0, b[3] == 0}
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) ||
		zeros == [4]bool{true, false, true, false} || zeros == [4]bool{false, true, false, true}
}

// neverInUTF16 as terminators lets a remainder never end.
const neverInUTF16 = "\U0010ffff"

// refuseOverlong refuses a token. If it does not end in the buffer, the rest of the comment or line
// becomes tokens that the reader skips.
func (s *scanner) refuseOverlong() token {
	if s.take(min(s.next, s.end)); s.next == s.end {
		if s.terminators = "\r\n"; s.buffer[s.start] == '{' {
			s.terminators = "}"
		}
	}
	return s.refuse(errTooLong)
}

// hasRemainder extends the token to the end of the remainder in the buffer, and reports false if
// there is none.
func (s *scanner) hasRemainder() bool {
	s.start = s.next
	s.fill(1)
	s.take(s.end)
	if i := bytes.IndexAny(s.text, s.terminators); i >= 0 {
		if s.text[i] == '}' {
			i++
		}
		s.take(s.start + i)
		s.terminators = ""
	}
	return len(s.text) > 0
}

// fill reads until the buffer contains at least n bytes from start, or is full. Only the indexes
// start and next stay valid.
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
		read, err := s.in.Read(s.buffer[s.end : len(s.buffer)-1])
		if s.failure = err; errors.Is(err, io.EOF) {
			s.failure = io.EOF
		}
		s.end += read
		s.buffer[s.end] = 0
	}
}

func (s *scanner) discard(n int) {
	s.advance(n)
	if gap := s.gap(); gap < n {
		s.lineEnds += countLineEnds(s.buffer[gap : n+1])
	}
	copy(s.buffer, s.buffer[n:s.end])
	s.dropped += int64(n)
	s.start -= n
	s.next -= n
	s.end -= n
}

// stream is a reader that returns data or an error, and repeats an error.
type stream struct {
	in  io.Reader
	err error
}

func (s *stream) Read(buffer []byte) (n int, err error) {
	const patience = 100
	for tries := 0; n == 0 && s.err == nil; tries++ {
		if n, s.err = s.in.Read(buffer); tries == patience {
			s.err = io.ErrNoProgress
		}
	}
	return n, s.err
}

func (s *scanner) here() place {
	s.advance(s.start)
	return s.place
}

// advance moves the place forward to an index.
func (s *scanner) advance(to int) {
	from := int(s.place.offset - s.dropped)
	if from >= to {
		return
	}
	s.place.offset += int64(to - from)
	s.place.column += to - from
	if lines := countLineEnds(s.buffer[from : to+1]); lines > 0 {
		s.place.line += lines
		s.place.column = to - from - bytes.LastIndexAny(s.buffer[from:to], "\r\n")
	}
}

// countLineEnds counts LF, CRLF and CR in a text before its last byte. A CRLF counts with its LF.
func countLineEnds(text []byte) int {
	lines := bytes.Count(text[:len(text)-1], []byte{'\n'})
	if returns := bytes.Count(text[:len(text)-1], []byte{'\r'}); returns > 0 {
		lines += returns - bytes.Count(text, []byte("\r\n"))
	}
	return lines
}

func (s *scanner) offset() int64 { return s.offsetOf(s.next) }

func (s *scanner) offsetOf(at int) int64 { return s.dropped + int64(at) }

// gap returns the end of the previous token, or the beginning of the buffer.
func (s *scanner) gap() int { return max(0, int(s.before-s.dropped)) }

func (s *scanner) isAtLineStart() bool { return s.start == 0 || isLineEnd(s.buffer[s.start-1]) }

func (s *scanner) lineEndsBefore() int {
	return s.lineEnds + countLineEnds(s.buffer[s.gap():s.start+1])
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// look returns an index, and notes whether the scan looked at the end of the data.
func (s *scanner) look(i int) int {
	if i >= s.end {
		s.isCut = true
	}
	return i
}

func (s *scanner) take(end int) { s.next, s.text = end, s.buffer[s.start:end] }

func (s *scanner) refuse(problem fianchetto.Problem) token {
	s.problem = problem
	return invalid
}
