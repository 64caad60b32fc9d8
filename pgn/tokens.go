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

// extend extends the token to the end of the word. It reports false if the token is too long.
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

// readOn is more, but also keeps text and next valid.
func (s *scanner) readOn() bool {
	length := len(s.text)
	more := s.more()
	s.next = s.start + length
	s.text = s.buffer[s.start:s.next]
	return more
}

// isTooLong reports whether the token is too long. The rest is then scanned as another token.
func (s *scanner) isTooLong() bool { return s.next-s.start > maxToken }

// cutEnPassant cuts the suffix e.p. off a word that ends before its first dot, and reports whether
// it did.
func (s *scanner) cutEnPassant() bool {
	last := len(s.text) - 1
	if rest := s.ahead(2); s.text[last] != 'e' || string(rest) != ".p" {
		return false
	}
	s.text = s.text[:last]
	s.next += 2 // scan skips the second dot
	return true
}

// takePromotion adds a promotion in brackets to the word: e8(Q).
func (s *scanner) takePromotion() {
	if rest := s.ahead(3); len(rest) == 3 && bytes.IndexByte([]byte("QRBNqrbn"), rest[1]) >= 0 && rest[2] == ')' {
		s.next += len(rest)
		s.extend() // perhaps a check sign
	}
}

// ahead returns up to n bytes after the token.
func (s *scanner) ahead(n int) []byte {
	for s.end < s.next+n && s.readOn() {
	}
	return s.buffer[s.next:min(s.next+n, s.end)]
}

// longestInvisible is the maximal result of invisible.
const longestInvisible = 3

// invisible returns the length of a byte order mark, ellipsis or no-break space at the beginning of
// text, or 0. Each ends a word like a space.
func invisible(text []byte) int {
	for _, character := range []string{"\ufeff", "…", "\u00a0"} {
		if bytes.HasPrefix(text, []byte(character)) {
			return len(character)
		}
	}
	return 0
}

// scanNumber skips a move number, or scans a result, a castling or a null move.
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

// passNumber skips a move number, unless it may begin another game: "1." after an empty line.
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
	s.glyph = nagOfSign[string(s.text)]
	return annotation
}

// nextGame in a comment hints that its closing brace is missing.
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

// findCommentEnd extends the token to its closing brace and reports true. Without a closing brace
// it extends it to the end of the stream and reports false. If a line begins like a game and an
// opening brace follows before the closing one, both braces belong to that game, and the comment
// ends unterminated before the line.
//
// It searches at most twice as far as the token reaches or up to the next brace, so unterminated
// comments take linear time.
func (s *scanner) findCommentEnd() bool {
	game := 0 // offset of the line that begins like a game, or 0
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

func (s *scanner) scanRestOfLine() token {
	s.findLineEnd()
	if s.isTooLong() {
		return s.refuse(errTooLong)
	}
	s.text = s.buffer[s.start+1 : s.next]
	return comment
}

// findLineEnd extends the token to the end of the line, the stream or the buffer.
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

// scanTagPair scans one of the tag pairs of a line.
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
	name, value := cutTagName(text[1:])
	s.name, s.value = name, value
	var rest []byte
	if len(name) > 0 {
		value, rest = line.cutTagValue(value)
	}
	if rest == nil {
		switch end := line.bracket(text) + 1; {
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

// bracket returns the offset of the first closing bracket in the rest of the line, or -1.
func (l *tagLine) bracket(text []byte) int {
	if l.open {
		return -1
	}
	i := bytes.IndexByte(text, ']')
	l.open = i < 0
	return i
}

func cutTagName(text []byte) (name, rest []byte) {
	text = trimBlanks(text)
	length := 0
	for length < len(text) && classes[text[length]]&naming != 0 {
		length++
	}
	return text[:length], text[length:]
}

func trimBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

// cutTagValue returns the value of a tag pair without its quotes and the rest of text, nil without
// a value. A value ends with a quote before a bracket, so other quotes need no backslash. If
// backslashes precede all such quotes of the line, the first one ends the value and its backslash
// belongs to the value.
func (l *tagLine) cutTagValue(text []byte) (value, rest []byte) {
	text = trimBlanks(text)
	if len(text) == 0 || text[0] != '"' || l.unquoted {
		return nil, nil
	}
	text = text[1:]
	for from := 0; ; {
		quote := bytes.IndexByte(text[from:], '"')
		if quote < 0 {
			l.escaped, l.unquoted = true, rest == nil
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

// isEscaped reports whether an odd number of backslashes precedes a byte of text.
func isEscaped(text []byte, at int) bool {
	first := at
	for first > 0 && text[first-1] == '\\' {
		first--
	}
	return (at-first)%2 == 1
}

// takeBareTag extends a word at the beginning of a line to the whole line if it is a tag pair
// without its opening bracket, and reports whether it did.
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
	s.refuse(errTag)
	s.name, s.value = cutTagName(line)
	return true
}
