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
	comment           // text is between { and }, or after ;
	word              // a move, or another word
	annotation        // text is $12 or !?
	open              // (
	closing           // )
	termination       // a result
	firstNumber       // the move number 1. behind an empty line, which may begin another game
	number            // another move number, in text, if wantsNumbers is set
	invalid           // problem is the reason
)

// scanner splits a stream into tokens. It allocates only its buffer: name, value and text are parts
// of it and valid until the next token is scanned. Move numbers, dots and lines that begin with %
// are skipped.
type scanner struct {
	in      io.Reader
	failure error // of in; io.EOF at its end

	buffer  []byte
	dropped int64 // bytes of the stream before buffer
	end     int   // of the data in buffer; a zero byte follows, so that loops over bytes end there
	start   int   // of the token in buffer
	next    int   // where the token ends and the next one may begin

	text        []byte
	name, value []byte             // of a tag pair, the value with its backslashes
	glyph       NAG                // of an annotation
	result      Result             // of a termination
	problem     fianchetto.Problem // of an invalid token
	place       place              // the last one that note found
	gap         int                // where in buffer the last token or move number ended
	lineEnds    int                // after gap and discarded from buffer
	tagLine     tagLine

	wantsNumbers bool // scan returns move numbers
}

// tagLine keeps the findings about the last tag pair's line, so that a line with many tag pairs is
// searched only once.
type tagLine struct {
	end     int64 // where in the stream it ends
	escaped bool  // every quote before a bracket, from here to the end, has a backslash before it
}

// place is the place of a byte in the stream. Lines are counted only up to the places that errors
// may need.
type place struct {
	offset       int64
	line, column int // from 1
}

const (
	firstBuffer = 1 << 16
	maxBuffer   = maxToken + 3 // with the byte before the token, the first byte too many, and the zero
)

func newScanner(in io.Reader) scanner {
	return scanner{in: in, buffer: make([]byte, firstBuffer), place: place{line: 1, column: 1}}
}

// class is the set of tokens that a byte may be part of.
type class uint8

const (
	blank    class = 1 << iota // white space and dots
	initial                    // begins a word
	digit                      // begins a number, a result or castling
	inner                      // continues a word
	foreign                    // byte of a character outside ASCII
	lead                       // first byte of an invisible character, and of others
	naming                     // part of a tag's name; some programs write more than letters, digits and underscores
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

// scan finds the next token.
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

// scanAt scans the token that begins with c at start, or skips what is not a token.
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

// more reads more of the stream, keeps the data from the byte before start on, and reports whether
// there was more. It invalidates indexes into the buffer except start, gap and place.
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

// discard drops the first n bytes of the buffer.
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

// readSome reads once, and again while the reader returns neither data nor an error.
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

// find returns the place of a byte of the buffer that is not before the last place noted.
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

// note finds the place of the token, from which later places are counted.
func (s *scanner) note() place {
	s.place = s.find(s.start)
	return s.place
}

func countLineEnds(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// source is the value of a tag as the stream has it, with its backslashes and in its character set,
// and the tag's place.
type source struct {
	place
	value []byte // no more of it than an error has
}

// noteFirst stores the value and the place of the tag pair in first, unless there is one already.
func (s *scanner) noteFirst(first *source) {
	if first.line == 0 {
		first.place = s.note()
		first.value = append(first.value[:0], quotable(s.value)...)
	}
}

// offset returns the offset in the stream at which the token ends.
func (s *scanner) offset() int64 { return s.offsetOf(s.next) }

// offsetOf returns the offset in the stream of a byte of the buffer.
func (s *scanner) offsetOf(at int) int64 { return s.dropped + int64(at) }

func (s *scanner) isAtLineStart() bool { return s.start == 0 || s.buffer[s.start-1] == '\n' }

// failed returns the error of the stream, nil if it has none or is at its end.
func (s *scanner) failed() error {
	if errors.Is(s.failure, io.EOF) {
		return nil
	}
	return s.failure
}

// refuse makes the token invalid.
func (s *scanner) refuse(problem fianchetto.Problem) token {
	s.text, s.problem = s.buffer[s.start:s.next], problem
	return invalid
}

// hasCommentOnLine reports whether a comment follows on the same line.
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
