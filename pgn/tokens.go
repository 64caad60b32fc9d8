package pgn

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
	number            // a move number, also the mark e.p. between spaces
	invalid           // problem tells why
	skipped           // a line that begins with %, or the rest of an overlong token
	invisible         // a separator, which scan skips
)

// class tells which parts of tokens a byte can be.
type class uint8

const (
	blank   class = 1 << iota // white space and dots
	inner                     // in a word or number
	foreign                   // outside ASCII
	naming                    // in a tag's name; programs use more than the standard allows
	ending                    // may end the value of a tag
	bracing                   // matters in a comment
)

var classes = newClasses()

const digits = "0123456789"

func newClasses() (table [256]class) {
	for c := 0x80; c < len(table); c++ {
		table[c] = foreign
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	for _, row := range []struct {
		bytes string
		class class
	}{
		{" \t\n\v\f\r.", blank}, {letters + digits + "_+#=:-", inner | naming}, {"/@~<>", inner},
		{"\"\x00\r\n", ending}, {"{}[\x00", bracing},
	} {
		for _, c := range []byte(row.bytes) {
			table[c] |= row.class
		}
	}
	return table
}

// scanAt scans the token at start, which is i. It may read the zero byte at the end of the buffer,
// and then next is at or after the end.
func (s *scanner) scanAt(i int) token {
	buffer := s.buffer
	switch c := buffer[i]; {
	case classes[c]&(inner|foreign) != 0:
		return s.scanWord()
	case c == 0 && i == s.end:
		s.take(i)
		return endOfInput
	}
	s.take(i + 1)
	switch buffer[i] {
	case '(':
		return open
	case ')':
		return closing
	case '*':
		s.result = Unknown
		return termination
	case '$', '!', '?':
		return s.scanAnnotation()
	case '{':
		return s.scanComment()
	case ';':
		s.next = s.lineEnd()
		s.text = buffer[i+1 : s.next]
		return comment
	case '[':
		return s.scanTagPair()
	case '%':
		if s.isAtLineStart() {
			s.next = s.lineEnd()
			return skipped
		}
	}
	s.extend()
	return s.refuse(errUnexpected)
}

// peekPlain returns the next token if it is a number or a word of at most eight bytes before white
// space and before an index. Otherwise, and for 1, which may begin a game, it returns nothing. A
// word may be several tokens unless it is a move.
func (s *scanner) peekPlain(limit int) (text []byte, isWord bool) {
	const each = 0x0101010101010101
	begin, buffer := s.next, s.buffer
	for classes[buffer[begin]]&blank != 0 {
		begin++
	}
	if s.start = begin; begin >= limit {
		return nil, false
	}
	switch first := buffer[begin]; {
	case first > '9' && classes[first]&inner != 0:
		bytes := binary.LittleEndian.Uint64(buffer[begin:])
		question := bytes ^ '?'*each
		ends := ((bytes-('!'+1)*each)&^bytes | (question-each)&^question) & (0x80 * each) // marks bytes up to ! and each ?; only the lowest mark is sure
		if end := begin + bits.TrailingZeros64(ends)/8; classes[buffer[end]]&blank != 0 && buffer[end-1] != '.' {
			return buffer[begin:end], true
		}
	case first > '1' || first == '1' && isDigit(buffer[begin+1]):
		end := begin
		for end < begin+longestPlain && isDigit(buffer[end]) {
			end++
		}
		if classes[buffer[end]]&blank != 0 {
			return buffer[begin:end], false
		}
	}
	return nil, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) extend() {
	i := s.next
	for {
		for classes[s.buffer[i]]&inner != 0 {
			i++
		}
		c, size := utf8.DecodeRune(s.buffer[i:max(i, s.end)])
		if classes[s.buffer[i]]&foreign == 0 || isSeparator(c, s.buffer[i]) {
			break
		}
		i += size
	}
	s.take(s.look(i))
}

// isSeparator reports whether a character, or its first byte in Windows-1252, is a byte order mark,
// an ellipsis or a no-break space.
func isSeparator(c rune, first byte) bool {
	return c == '\ufeff' || c == '…' || c == '\u00a0' || c == utf8.RuneError && (first == 0x85 || first == 0xa0)
}

// scanWord scans a word, perhaps with a promotion in brackets such as e8(Q), or the suffix e.p.; a
// number; a result, perhaps before more of a word; or a character that separates words.
func (s *scanner) scanWord() token {
	if s.inTags && s.isAtLineStart() && !isDigit(s.buffer[s.start]) && s.scanBareTag() {
		return s.refuse(errTag)
	}
	isNumber := isDigit(s.buffer[s.start])
	if isNumber && s.scanResult() { // not after the whole word, which may be many results
		return termination
	}
	s.next = s.start
	if s.extend(); s.next == s.start {
		_, size := utf8.DecodeRune(s.buffer[s.start:s.end])
		s.next += size
		return invisible
	}
	if result, ok := results[string(s.text)]; ok {
		s.result = result
		return termination
	}
	rest := s.buffer[s.next:max(s.next, s.end)]
	switch {
	case isNumber && !bytes.HasPrefix(s.text, []byte("0-0")) && string(s.text) != "0000":
		s.take(s.next - len(bytes.TrimLeft(s.text, digits)))
		return number
	case len(rest) > 2 && rest[0] == '(' && bytes.IndexByte([]byte("QRBNqrbn"), rest[1]) >= 0 && rest[2] == ')':
		s.next += 3
		s.extend() // perhaps a check sign
	case s.isBefore(".p") && bytes.HasSuffix(s.text, []byte{'e'}):
		if s.next += 2; len(s.text) == 1 {
			return number
		}
		s.text = s.text[:len(s.text)-1]
	}
	return word
}

// scanResult scans a result, or reports false.
func (s *scanner) scanResult() bool {
	s.look(s.start + len("1/2-1/2"))
	for _, text := range resultTexts {
		if bytes.HasPrefix(s.buffer[s.start:s.end], []byte(text)) {
			s.result = results[text]
			s.take(s.start + len(text))
			return true
		}
	}
	return false
}

// mayBegin reports whether a number may begin another game: "1." after an empty line.
func (s *scanner) mayBegin() bool {
	return string(s.text) == "1" && s.isBefore(".") && !s.isBefore("..") && s.lineEndsBefore() > 1
}

func (s *scanner) isBefore(text string) bool {
	return bytes.HasPrefix(s.buffer[s.next:max(s.next, s.end)], []byte(text))
}

func (s *scanner) scanAnnotation() token {
	if s.text[0] == '$' {
		s.extend()
		number, err := strconv.ParseUint(string(s.text[1:min(len(s.text), 8)]), 10, 16)
		if s.glyph = NAG(number); err != nil {
			return s.refuse(errNAG)
		}
		return annotation
	}
	if c := s.buffer[s.next]; c == '!' || c == '?' {
		s.take(s.next + 1)
	}
	s.glyph = nagOfSign[string(s.text)]
	return annotation
}

// nextGame on a line of a comment hints that its closing brace is missing.
var nextGame = []byte("[Event \"")

// scanComment scans a comment in braces. If a line within begins like a game and an opening brace
// follows before the closing one, the comment ends unterminated before the line.
func (s *scanner) scanComment() token {
	game := 0 // where a line begins like a game
	for i := s.start + 1; ; i++ {
		for classes[s.buffer[i]]&bracing == 0 {
			i++
		}
		switch c := s.buffer[i]; {
		case c == '}':
			s.text, s.next = s.buffer[s.start+1:i], i+1
			return comment
		case c == '[' && isLineEnd(s.buffer[i-1]) && game == 0 && bytes.HasPrefix(s.buffer[i:s.end], nextGame):
			game = i
		case c == 0 && i == s.end, c == '{' && game > 0:
			s.take(s.look(i))
			if game > 0 {
				s.take(game)
			}
			return s.refuse(errComment)
		}
	}
}

// lineEnd returns the index of the line end after the token, or of the end of the data.
func (s *scanner) lineEnd() int {
	if i := bytes.IndexAny(s.buffer[s.next:max(s.next, s.end)], "\r\n"); i >= 0 {
		return s.next + i
	}
	return s.look(max(s.next, s.end))
}

// scanTagPair scans a tag pair, whose parts may stand on several lines. A malformed one ends with
// its closing bracket, before another bracket, or at the end of the line; without a name, it is a
// word.
func (s *scanner) scanTagPair() token {
	value := s.scanTagName(s.next)
	if len(s.name) > 0 && s.buffer[value] == '"' {
		if end := s.scanTagValue(value + 1); end > 0 {
			s.take(end)
			return tagPair
		}
	}
	end := s.next + bytes.IndexAny(s.buffer[s.next:], "[]\x00\r\n")
	switch {
	case s.buffer[s.look(end)] == ']':
		end++
	case len(s.name) == 0:
		end = s.next + bytes.IndexAny(s.buffer[s.next:], "[\" \t\v\f.\x00\r\n")
	}
	s.take(end)
	s.value = s.buffer[min(value, end):end]
	return s.refuse(errTag)
}

// scanBareTag scans a tag pair without its opening bracket, or reports false.
func (s *scanner) scanBareTag() bool {
	s.next = s.start
	end := s.lineEnd()
	line := bytes.TrimRight(s.buffer[s.start:end], " \t")
	if s.isCut && s.failure == nil || len(line) == 0 || bytes.IndexByte([]byte("\"]"), line[len(line)-1]) < 0 ||
		bytes.ContainsAny(line, "{[") {
		return false
	}
	value := s.scanTagName(s.start)
	s.take(s.start + len(line))
	s.value = s.buffer[min(value, s.next):s.next]
	return true
}

// scanTagName sets the name of a tag pair, between optional white space, and returns the index of its
// value.
func (s *scanner) scanTagName(i int) int {
	begin := s.skipSpace(i)
	end := begin
	for classes[s.buffer[end]]&naming != 0 {
		end++
	}
	s.name = s.buffer[begin:end]
	return s.skipSpace(end)
}

func (s *scanner) skipSpace(i int) int {
	for isSpace(s.buffer[i]) {
		i++
	}
	return s.look(i)
}

// scanTagValue sets the value of a tag pair, which begins at an index, and returns the end of the
// tag pair, or 0 if it has no end on the line. A value ends with a quote before a closing bracket.
// If backslashes precede all such quotes, the first one ends the value and its backslash belongs to
// it. The beginning of another tag pair ends the search.
func (s *scanner) scanTagValue(begin int) (end int) {
	for i, before := begin, begin; ; i++ {
		for classes[s.buffer[i]]&ending == 0 {
			i++
		}
		switch {
		case s.buffer[i] == 0 && i < s.end:
			continue
		case s.buffer[i] != '"':
			s.look(i)
			return end
		}
		value, after := s.buffer[begin:i], s.skipSpace(i+1)
		if s.buffer[after] == ']' {
			isEscaped := s.buffer[i-1] == '\\' && (len(value)-len(bytes.TrimRight(value, `\`)))%2 == 1
			if end == 0 || !isEscaped {
				s.value, end = value, after+1
			}
			if !isEscaped {
				return end
			}
		} else if bracket := bytes.LastIndexByte(s.buffer[before:i], '['); bracket >= 0 &&
			isTagName(bytes.TrimSpace(s.buffer[before+bracket+1:i])) {
			return end
		}
		before = i
	}
}

func isTagName[T string | []byte](name T) bool {
	return len(name) > 0 && !slices.ContainsFunc([]byte(name), func(c byte) bool { return classes[c]&naming == 0 })
}

// NAG is a numeric annotation glyph, a number for an annotator's sign: 1 for !, 2 for ?, 3 for !!,
// 4 for ??, 5 for !? and 6 for ?!. The standard defines 0 to 139; programs use more.
type NAG uint16

// signTable lists the signs that a Reader accepts as words or glued to a move, including those of
// the Chess Informant. 0 marks signs without a NAG in the standard, except the common N
// (novelty). From 22 on, the NAG for Black follows the one for White. docs/data.md shows the table.
var signTable = []namesOf[NAG]{
	{1, "!"}, {2, "?"}, {3, "!! ‼"}, {4, "?? ⁇"}, {5, "!? ⁉"}, {6, "?! ⁈"},
	{7, "□"}, {10, "="}, {13, "∞ ~"}, {14, "⩲ += +/= ±="}, {15, "⩱ =+ =/+ =∓"}, {16, "± +/- +/−"}, {17, "∓ -/+ −/+"},
	{18, "+- +− +–"}, {19, "-+ −+ –+"}, {20, "+-- +−−"}, {21, "--+ −−+"}, {22, "⊙ ⨀"}, {26, "○"}, {32, "⟳ ↻"},
	{36, "↑"}, {40, "→"}, {44, "=∞ ∞= =/∞ ∞/= ⯹ ~="}, {132, "⇆ ⇄"}, {138, "⊕ ⨁"}, {146, "N"},
	{0, "== D RR ∆ Δ △ ∇ ⌓ ⊥ ⊞ ⟫ ⟪ ⇔ ⇗ × ✕ ∟ ⅃"},
}

var nagOfSign = byName(signTable)

// resultTexts lists longer texts first, because some begin or end with others.
var (
	results     = byName([]namesOf[Result]{{Draw, "1/2-1/2 1/2 ½-½ ½"}, {WhiteWins, "1-0"}, {BlackWins, "0-1"}, {Unknown, "*"}})
	resultTexts = slices.SortedFunc(maps.Keys(results), func(a, b string) int { return len(b) - len(a) })
)

type namesOf[V any] struct {
	value V
	names string
}

func byName[V any](table []namesOf[V]) map[string]V {
	values := map[string]V{}
	for _, row := range table {
		for _, name := range strings.Fields(row.names) {
			values[name] = row.value
		}
	}
	return values
}

const longestSign = 7
