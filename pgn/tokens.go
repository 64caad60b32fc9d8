package pgn

import (
	"bytes"
	"strconv"
)

// scanWord scans a word, or skips an invisible character.
func (s *scanner) scanWord(is class) (kind token, found bool) {
	if is&lead != 0 {
		s.next, s.text = s.start, nil
		if n := invisible(s.ahead(longestInvisible)); n > 0 {
			s.next = s.start + n
			return invalid, false
		}
		s.next = s.start + 1
	}
	if !s.extend() {
		return s.refuse(errTooLong), true
	}
	switch s.buffer[s.next] {
	case '.':
		if s.cutEnPassant() && len(s.text) == 0 {
			return invalid, false
		}
	case '(':
		s.takePromotion()
	}
	if is&foreign == 0 {
		return word, true
	}
	if result, ok := parseResult(s.text); ok {
		s.result = result
		return termination, true
	}
	return word, true
}

// extend extends the token to the end of its word, and reports whether it is not too long.
func (s *scanner) extend() bool {
	for i := s.next; ; {
		for classes[s.buffer[i]]&inner != 0 {
			i++
		}
		s.next, s.text = i, s.buffer[s.start:i]
		switch c := s.buffer[i]; {
		case c >= 0x80 && invisible(s.ahead(longestInvisible)) == 0:
			i = s.next + 1
		case c == 0 && i == s.end && s.readOn():
			i = s.next
		default:
			return !s.isTooLong()
		}
	}
}

// readOn reads more of the stream, keeps text and next at their places behind start, and reports
// whether there was more.
func (s *scanner) readOn() bool {
	length := len(s.text)
	more := s.more()
	s.next = s.start + length
	s.text = s.buffer[s.start:s.next]
	return more
}

// isTooLong reports whether the token is too long. If the buffer is full before the token ends, the
// rest is scanned as another token.
func (s *scanner) isTooLong() bool { return s.next-s.start > maxToken }

// cutEnPassant removes the remark e.p. from the end of a word, and reports whether it is there: the
// word ends before the first dot.
func (s *scanner) cutEnPassant() bool {
	last := len(s.text) - 1
	if rest := s.ahead(2); s.text[last] != 'e' || string(rest) != ".p" {
		return false
	}
	s.text = s.text[:last]
	s.next += 2 // scan skips the last dot
	return true
}

// takePromotion adds to a word a piece in brackets that follows it: e8(Q).
func (s *scanner) takePromotion() {
	if rest := s.ahead(3); len(rest) == 3 && bytes.IndexByte([]byte("QRBNqrbn"), rest[1]) >= 0 && rest[2] == ')' {
		s.next += len(rest)
		s.extend() // a check may follow
	}
}

// ahead returns the next n bytes after a word, or fewer at the end of the stream.
func (s *scanner) ahead(n int) []byte {
	for s.end < s.next+n && s.readOn() {
	}
	return s.buffer[s.next:min(s.next+n, s.end)]
}

// longestInvisible is the greatest number of bytes that invisible returns.
const longestInvisible = 3

// invisible returns the length of a byte order mark, an ellipsis or a no-break space at the
// beginning of text, 0 if there is none. They end words as spaces and dots do.
func invisible(text []byte) int {
	for _, character := range []string{"\ufeff", "…", "\u00a0"} {
		if bytes.HasPrefix(text, []byte(character)) {
			return len(character)
		}
	}
	return 0
}

// scanNumber skips the number of a move, or scans a result, castling or a null move that begins
// with a digit.
func (s *scanner) scanNumber() (kind token, found bool) {
	i := s.next
	for classes[s.buffer[i]]&digit != 0 {
		i++
	}
	if classes[s.buffer[i]] == blank && s.buffer[s.start] != '0' {
		return s.passNumber(i - s.start)
	}
	if !s.extend() {
		return s.refuse(errTooLong), true
	}
	if result, ok := parseResult(s.text); ok {
		s.result = result
		return termination, true
	}
	if bytes.HasPrefix(s.text, []byte("0-0")) || string(s.text) == "0000" {
		return word, true
	}
	return s.passNumber(len(s.text) - len(bytes.TrimLeft(s.text, "0123456789")))
}

// passNumber skips the number of a move, unless it may begin another game: it is 1 with one dot, as
// before White's first move, after an empty line.
func (s *scanner) passNumber(digits int) (kind token, found bool) {
	s.next = s.start + digits
	s.text = s.buffer[s.start:s.next]
	if s.buffer[s.start] == '1' && digits == 1 && s.buffer[s.next] == '.' &&
		s.lineEnds+countLineEnds(s.buffer[s.gap:s.start]) > 1 {
		if dots := s.ahead(2); len(dots) < 2 || dots[1] != '.' {
			return firstNumber, true
		}
	}
	s.gap, s.lineEnds = s.next, 0
	return number, s.wantsNumbers
}

// scanAnnotation scans $ and a number, or one or two of ! and ?.
func (s *scanner) scanAnnotation(c byte) token {
	if c == '$' {
		if !s.extend() {
			return s.refuse(errTooLong)
		}
		number, err := strconv.ParseUint(string(s.text[1:]), 10, 16)
		if err != nil {
			return s.refuse(errNAG)
		}
		s.glyph = NAG(number)
		return annotation
	}
	if second := string(s.ahead(1)); second == "!" || second == "?" {
		s.next++
	}
	s.text = s.buffer[s.start:s.next]
	s.glyph = signsByText[string(s.text)].nag
	return annotation
}

// nextGame within a comment may show that the comment is unterminated.
var nextGame = []byte("\n[Event \"")

func (s *scanner) scanComment() token {
	found := s.findCommentEnd()
	switch {
	case s.isTooLong():
		return s.refuse(errTooLong)
	case !found:
		return s.refuse(errComment)
	}
	s.text = s.buffer[s.start+1 : s.next]
	s.next++
	return comment
}

// findCommentEnd extends the token to its closing brace and reports true, or to the end of the
// stream and reports false. If a line begins like a game and an opening brace follows before the
// closing one, the closing brace belongs to that game: the token then ends before the line.
//
// It searches at most about twice as far as it gets, or up to the next brace, so that many
// unterminated comments take linear time.
func (s *scanner) findCommentEnd() bool {
	game := 0 // offset from start of a line that begins like a game; 0 before it is found
	for done := 1; ; {
		limit := min(2*done+512, s.end-s.start)
		text := s.buffer[s.start : s.start+limit]
		end := bytes.IndexByte(text[done:], '}')
		if end >= 0 {
			text = text[:done+end]
		}
		if seen := max(done-len(nextGame)+1, 0); game == 0 {
			if i := bytes.Index(text[seen:], nextGame); i >= 0 {
				game = seen + i
			}
		}
		if game > 0 && bytes.IndexByte(text[max(game, done):], '{') >= 0 {
			s.next = s.start + game
			return false
		}
		s.next = s.start + len(text)
		if end >= 0 {
			return true
		}
		if done = limit; s.next == s.end && !s.more() {
			if s.next = s.end; game > 0 {
				s.next = s.start + game
			}
			return false
		}
	}
}

// scanRestOfLine scans a line from its ; or % on.
func (s *scanner) scanRestOfLine() token {
	s.findLineEnd()
	if s.isTooLong() {
		return s.refuse(errTooLong)
	}
	s.text = s.buffer[s.start+1 : s.next]
	return comment
}

// findLineEnd extends the token to the end of its line, or to the end of the stream or the buffer.
func (s *scanner) findLineEnd() {
	length := 1
	for {
		if i := bytes.IndexByte(s.buffer[s.start+length:s.end], '\n'); i >= 0 {
			s.next = s.start + length + i
			return
		}
		length = s.end - s.start
		if !s.more() {
			s.next = s.end
			return
		}
	}
}

// scanTagPair scans a tag pair, which others may follow on its line.
func (s *scanner) scanTagPair() token {
	line := &s.tagLine
	if begin := s.offsetOf(s.start); begin < line.end {
		s.next = s.start + int(line.end-begin)
	} else {
		s.findLineEnd()
		*line = tagLine{end: s.offset()}
	}
	if s.isTooLong() {
		return s.refuse(errTooLong)
	}
	text := s.buffer[s.start:s.next]
	name, rest := cutTagName(text[1:])
	s.name, s.value = name, rest
	value, rest := line.cutTagValue(rest)
	if len(name) == 0 || rest == nil {
		switch end := bytes.IndexByte(text, ']') + 1; {
		case end > 0:
			s.next = s.start + end
			s.value = s.value[:max(0, end-len(text)+len(s.value))]
		case len(name) == 0:
			s.next = s.start + 1
			s.extend()
		}
		return s.refuse(errTag)
	}
	s.name, s.value = name, value
	s.next -= len(rest)
	s.text = text[:len(text)-len(rest)]
	return tagPair
}

// cutTagName returns the name of a tag pair and the rest of text.
func cutTagName(text []byte) (name, rest []byte) {
	text = trimBlanks(text)
	length := 0
	for length < len(text) && classes[text[length]]&naming != 0 {
		length++
	}
	return text[:length], text[length:]
}

// trimBlanks returns text without leading spaces and tabs.
func trimBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

// cutTagValue returns the value of a tag pair, without its quotes, and the rest of text, which is
// nil if there is no value. A value ends with a quote before a bracket; quotes within it need no
// backslash. If every such quote on the line has a backslash before it, the first ends the value,
// and the backslash belongs to the value.
func (l *tagLine) cutTagValue(text []byte) (value, rest []byte) {
	text = trimBlanks(text)
	if len(text) == 0 || text[0] != '"' {
		return nil, nil
	}
	text = text[1:]
	for from := 0; ; {
		quote := bytes.IndexByte(text[from:], '"')
		if quote < 0 {
			l.escaped = true
			return value, rest
		}
		quote += from
		from = quote + 1
		after := trimBlanks(text[from:])
		if len(after) == 0 || after[0] != ']' {
			continue
		}
		if l.escaped || !isEscaped(text, quote) {
			return text[:quote], after[1:]
		}
		if rest == nil {
			value, rest = text[:quote], after[1:]
		}
	}
}

// isEscaped reports whether an odd number of backslashes is before a byte of text.
func isEscaped(text []byte, at int) bool {
	first := at
	for first > 0 && text[first-1] == '\\' {
		first--
	}
	return (at-first)%2 == 1
}

// takeBareTag extends the word at the beginning of a line to the whole line if that is a tag pair
// which lacks its first bracket, and reports whether it is one.
func (s *scanner) takeBareTag() bool {
	if !s.isAtLineStart() {
		return false
	}
	length := s.next - s.start
	s.findLineEnd()
	line := bytes.TrimRight(s.buffer[s.start:s.next], " \t\r")
	quoted := bytes.HasSuffix(line, []byte{'"'}) || bytes.HasSuffix(line, []byte{']'})
	if !quoted || len(line) > maxToken || bytes.IndexByte(line, '{') >= 0 {
		s.next = s.start + length
		s.text = s.buffer[s.start:s.next]
		return false
	}
	s.next = s.start + len(line)
	s.text = line
	s.name, s.value = cutTagName(line)
	return true
}
