package pgn

import (
	"bytes"
	"errors"
	"io"

	"github.com/fianchetto-chess/fianchetto"
)

// token is the kind of a token.
type token uint8

const (
	endOfInput  token = iota
	tagPair           // [name "value"]
	comment           // text without its delimiters
	word              // a move, or another word
	annotation        // $12 or !?
	open              // (
	closing           // )
	termination       // a result
	firstNumber       // "1." after an empty line, which may begin another game
	number            // another move number, if wantsNumbers is set
	invalid           // problem tells why
)

// scanner splits a stream into tokens. It skips move numbers, dots and lines that begin with %. It
// allocates only its buffer: name, value and text point into it and are valid until the next token.
type scanner struct {
	in      io.Reader
	failure error // the error of in, io.EOF at its end

	buffer  []byte
	dropped int64 // number of bytes dropped before buffer
	end     int   // the end of the data, where a zero byte stops all loops over bytes
	start   int   // the start of the token in buffer
	next    int   // the end of the token

	text        []byte
	name, value []byte // of a tag pair, with backslashes
	glyph       NAG
	result      Result
	problem     fianchetto.Problem
	place       place // the last place found by note
	gap         int   // the end of the last token or move number in buffer
	lineEnds    int   // line ends after gap that were discarded from buffer
	tagLine     tagLine

	wantsNumbers bool // scan returns all move numbers
}

// tagLine remembers the line of the last tag pair, so that a line with many tag pairs, good or bad,
// is searched once.
type tagLine struct {
	end      int64 // the end of the line in the stream
	open     bool  // from here on, there is no closing bracket
	unquoted bool  // from here on, there is no quote before a bracket
	escaped  bool  // from here on, a backslash precedes every quote before a bracket
}

// place is the place of a byte in the stream. Lines are counted only as far as errors need.
type place struct {
	offset       int64
	line, column int // from 1
}

const (
	firstBuffer = 1 << 16
	maxBuffer   = maxToken + 3 // plus the byte before the token, one byte too many, and the zero byte
)

func newScanner(in io.Reader) scanner {
	return scanner{in: in, buffer: make([]byte, firstBuffer), place: place{line: 1, column: 1}}
}

// class tells which parts of tokens a byte can be.
type class uint8

const (
	blank   class = 1 << iota // white space and dots
	initial                   // begins a word
	digit                     // begins a number, a result or castling
	inner
	foreign  // outside ASCII
	lead     // may begin an invisible character
	naming   // in a tag's name, where programs use more characters than the standard allows
	ordinary = initial | inner
)

var classes = newClasses()

func newClasses() (table [256]class) {
	for c := range table {
		switch {
		case bytes.IndexByte([]byte(" \t\n\v\f\r."), byte(c)) >= 0:
			table[c] = blank
		case '0' <= c && c <= '9':
			table[c] = digit | inner | naming
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', bytes.IndexByte([]byte("_+#=:-"), byte(c)) >= 0:
			table[c] = ordinary | naming
		case bytes.IndexByte([]byte("/@~<>"), byte(c)) >= 0:
			table[c] = ordinary
		case c == 0xc2 || c == 0xe2 || c == 0xef:
			table[c] = initial | foreign | lead
		case c >= 0x80:
			table[c] = ordinary | foreign
		}
	}
	return table
}

func (s *scanner) scan() token {
	s.gap, s.lineEnds = s.next, 0
	for {
		i := s.next
		for classes[s.buffer[i]] == blank {
			i++
		}
		s.start, s.next = i, i+1
		kind, found := s.scanAt(s.buffer[i])
		if found {
			return kind
		}
	}
}

// scanAt scans the token that begins with c at start. It reports false if it skipped something
// else.
func (s *scanner) scanAt(c byte) (kind token, found bool) {
	switch is := classes[c]; {
	case is&initial != 0:
		return s.scanWord(is)
	case is&digit != 0:
		return s.scanNumber()
	}
	s.text = s.buffer[s.start:s.next]
	switch c {
	case '(':
		return open, true
	case ')':
		return closing, true
	case '*':
		s.result = Unknown
		return termination, true
	case '$', '!', '?':
		return s.scanAnnotation(c), true
	case '{':
		return s.scanComment(), true
	case ';':
		return s.scanRestOfLine(), true
	case '[':
		return s.scanTagPair(), true
	case '%':
		if s.isAtLineStart() {
			s.lineEnds-- // the line of the escape is not empty
			kind = s.scanRestOfLine()
			return kind, kind == invalid
		}
	case 0:
		if s.start == s.end {
			s.next = s.start
			found = !s.more()
			s.next, s.text = s.start, nil
			return endOfInput, found
		}
	}
	s.extend()
	return s.refuse(errUnexpected), true
}

// more reads more of the stream and reports whether there was any. It keeps the data from the byte
// before start. Only the indexes start, gap and place stay valid.
func (s *scanner) more() bool {
	if s.failure != nil {
		return false
	}
	if s.start > 1 {
		s.discard(s.start - 1)
	}
	if s.end+1 == len(s.buffer) {
		if len(s.buffer) == maxBuffer {
			return false
		}
		s.buffer = append(s.buffer, make([]byte, min(len(s.buffer), maxBuffer-len(s.buffer)))...)
	}
	n, err := readSome(s.in, s.buffer[s.end:len(s.buffer)-1])
	s.end += n
	s.buffer[s.end] = 0
	s.failure = err
	return n > 0
}

func (s *scanner) discard(n int) {
	if s.place.offset < s.offsetOf(n) {
		s.place = s.find(n)
	}
	if s.gap < n {
		s.lineEnds += countLineEnds(s.buffer[s.gap:n])
		s.gap = n
	}
	copy(s.buffer, s.buffer[n:s.end])
	s.dropped += int64(n)
	s.gap -= n
	s.start -= n
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
	passed := s.buffer[p.offset-s.dropped : at]
	p.offset += int64(len(passed))
	p.column += len(passed)
	if lines := countLineEnds(passed); lines > 0 {
		p.line += lines
		p.column = len(passed) - bytes.LastIndexByte(passed, '\n')
	}
	return p
}

// note remembers the place of the token as the base of later places.
func (s *scanner) note() place {
	s.place = s.find(s.start)
	return s.place
}

func countLineEnds(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

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

func (s *scanner) isAtLineStart() bool { return s.start == 0 || s.buffer[s.start-1] == '\n' }

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

func (s *scanner) hasCommentOnLine() bool {
	for {
		s.start, s.text = s.next, nil
		switch string(s.ahead(1)) {
		case " ", "\t", "\r":
			s.next++
		case "{", ";":
			return true
		default:
			return false
		}
	}
}
