package perft

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fianchetto-chess/fianchetto"
)

// Case is one line of a perft suite: a position, and how many nodes a perft of it
// has at some depths.
type Case struct {
	Name   string       // the operand of the operation id; "" if the line has none
	FEN    string       // as the line spells it, with single spaces: the FEN parser judges it, not the suite's
	Counts []DepthCount // at least one, in order of depth, no depth twice
	File   string       // the name given to ReadEPD; "" for a Case that ParseEPD made
	Line   int          // line of the file that has the position, from 1; 0 for a Case that ParseEPD made
}

// DepthCount says that a perft to Depth plies (0..255) has Nodes leaves.
type DepthCount struct {
	Depth int    // in plies, 0..255
	Nodes uint64 // leaves
	Line  int    // line of the file that says so, from 1; 0 in a Case that ParseEPD made
}

// String spells c as a line that ParseEPD reads back: "FEN ;D1 20 ;D2 400 ;id "start"".
func (c Case) String() string {
	var line strings.Builder
	line.WriteString(c.FEN)
	for _, count := range c.Counts {
		fmt.Fprintf(&line, " ;D%d %d", count.Depth, count.Nodes)
	}
	if c.Name != "" {
		fmt.Fprintf(&line, " ;id \"%s\"", c.Name)
	}
	return line.String()
}

// What is wrong with a line of a perft suite, for errors.Is on an *EPDError. They are
// constants, so that nobody can reassign them.
const (
	ErrNoPosition       fianchetto.Problem = "no position"
	ErrNoCounts         fianchetto.Problem = "no node counts"
	ErrUnknownOperation fianchetto.Problem = "unknown operation, want D<depth>, id, or a remark c0 to c9"
	ErrNotANumber       fianchetto.Problem = "not a number in plain digits"
	ErrOutOfRange       fianchetto.Problem = "number out of range"
	ErrRepeated         fianchetto.Problem = "given twice"
	ErrQuotes           fianchetto.Problem = "quotes that do not enclose an operand"
	ErrLineBreak        fianchetto.Problem = "line break within the line"
	ErrLineTooLong      fianchetto.Problem = "line longer than 64 KiB"
)

// EPDError says what is wrong with a line of a perft suite, and where. When reading
// the file itself fails, Field is "file" and Err the reader's error.
type EPDError struct {
	File   string // the name given to ReadEPD; "" from ParseEPD
	Line   int    // from 1; 0 from ParseEPD
	Offset int    // byte of Input at which the trouble begins, 0..len(Input)
	Field  string // "position", "operation", "depth", "nodes", "id", "line" or "file"
	Input  string // the line as it was read, its beginning if it is too long
	Err    error  // the cause
}

// Error names the place, the field and the cause, and quotes the input from the offset on.
func (e *EPDError) Error() string {
	const enough = 40
	rest := e.Input[min(e.Offset, len(e.Input)):]
	if len(rest) > enough {
		rest = rest[:enough] + "..."
	}
	place := ""
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	return fmt.Sprintf("%s%s at offset %d, %q: %v", place, e.Field, e.Offset, rest, e.Err)
}

// Unwrap returns the cause.
func (e *EPDError) Unwrap() error { return e.Err }

// ReadEPD reads a perft suite line by line, and yields each case, or the *EPDError of a malformed line, after which
// it goes on with the next. Blank lines and lines of comment alone, which begin with # or %, are passed over. If r
// fails, the last value is the error that says so. The name is what errors and cases call the file.
//
// A line is a case in the form that ParseEPD describes, or a part of one as in the .perft files of python-chess:
//
//	id kiwipete
//	epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//	perft 1 48
//	perft 2 2039
//
// The name may be left out. The perft lines of a malformed epd line are passed over.
//
// The sequence can be ranged over once: it uses r up.
func ReadEPD(r io.Reader, name string) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		s := &suiteReader{name: name, yield: yield}
		for line, failure := range lines(r) {
			if !s.read(line, failure) {
				return
			}
		}
		s.endRecord()
	}
}

// suiteReader reads the lines of a suite.
type suiteReader struct {
	name   string
	line   int // number of the line
	yield  func(Case, error) bool
	record record
}

// read reads a line, or takes the error of having read it, and reports whether there is reason to go on.
func (s *suiteReader) read(line string, failure error) bool {
	s.line++
	if failure == nil && isBlank(line) {
		return true
	}
	if keyword := recordKeyword(line); failure == nil && keyword != "" {
		return s.readRecordLine(keyword, line)
	}
	if !s.endRecord() {
		return false
	}
	c, problem := readCase(line, failure)
	if problem != nil {
		return s.refuse(problem, s.line)
	}
	for i := range c.Counts {
		c.Counts[i].Line = s.line
	}
	return s.accept(c, s.line)
}

// accept yields a case.
func (s *suiteReader) accept(c Case, line int) bool {
	c.File, c.Line = s.name, line
	return s.yield(c, nil)
}

// refuse yields what is wrong with a line.
func (s *suiteReader) refuse(problem *EPDError, line int) bool {
	problem.File, problem.Line = s.name, line
	return s.yield(Case{}, problem)
}

// readCase parses a line, or says what went wrong when it was read.
func readCase(line string, failure error) (Case, *EPDError) {
	switch failure {
	case nil:
		return parseEPD(line)
	case ErrLineTooLong:
		return Case{}, &EPDError{Field: "line", Offset: len(line), Input: line, Err: failure}
	default:
		return Case{}, &EPDError{Field: "file", Offset: len(line), Input: line, Err: failure}
	}
}

// lines yields the lines of r without their ends. A line too long comes cut, with
// ErrLineTooLong. The sequence ends after any other error.
func lines(r io.Reader) iter.Seq2[string, error] {
	const longest = 1 << 16
	return func(yield func(string, error) bool) {
		in := bufio.NewReaderSize(r, longest)
		for {
			line, err := readLine(in)
			if err == io.EOF || !yield(line, err) || err != nil && err != ErrLineTooLong {
				return
			}
		}
	}
}

// readLine reads one line, of which it returns what fits in the buffer.
func readLine(in *bufio.Reader) (string, error) {
	buffer, more, err := in.ReadLine()
	if err != nil || !more {
		return string(buffer), err
	}
	line := string(buffer)
	for more && err == nil {
		_, more, err = in.ReadLine()
	}
	if err != nil && err != io.EOF {
		return line, err
	}
	return line, ErrLineTooLong
}

// ParseEPD reads one line of a perft suite: a position, then operations, with a
// semicolon before each, after each, or both.
//
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id "start"
//
// The position is a FEN of four fields, or six; it is taken as it stands. Spaces are
// free, and a # outside quotes begins a comment. The operations are
//
//	D3 8902          the nodes of a perft to depth 3; depths are 0..255, none twice, at least one given
//	id "kiwipete"    the name; the quotes may be left out
//	c0 "remark"      and c1 to c9: remarks, passed over
//
// The error is an *EPDError.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description for the
// form, https://www.chessprogramming.org/Perft for the operation D.
func ParseEPD(line string) (Case, error) {
	c, problem := parseEPD(line)
	if problem != nil {
		return Case{}, problem
	}
	return c, nil
}

// parseEPD returns the concrete error, so that ReadEPD can add file and line.
func parseEPD(line string) (Case, *EPDError) {
	c, problem := parseSegments(segments(line))
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		problem = &EPDError{Offset: i, Field: "line", Err: ErrLineBreak}
	} else if problem == nil && len(c.Counts) == 0 {
		problem = &EPDError{Offset: len(line), Field: "operation", Err: ErrNoCounts}
	}
	if problem != nil {
		problem.Input = line
	}
	return c, problem
}

func parseSegments(parts []segment) (c Case, problem *EPDError) {
	position, first := parts[0].cutPosition()
	if len(position) == 0 {
		return c, &EPDError{Offset: parts[0].offset, Field: "position", Err: ErrNoPosition}
	}
	c.FEN = strings.Join(position, " ")
	if strings.Contains(c.FEN, `"`) {
		return c, &EPDError{Offset: parts[0].offset + strings.Index(parts[0].text, `"`), Field: "position", Err: ErrQuotes}
	}
	parts[0] = first
	for _, operation := range parts {
		if problem := c.readOperation(operation); problem != nil {
			return c, problem
		}
	}
	c.sortCounts()
	return c, nil
}

func (c *Case) sortCounts() {
	slices.SortFunc(c.Counts, func(a, b DepthCount) int { return cmp.Compare(a.Depth, b.Depth) })
}

// readOperation reads one operation, or none: a line may end with a semicolon.
func (c *Case) readOperation(operation segment) *EPDError {
	code, operand := operation.cutWord()
	operand = operand.trim()
	switch {
	case code.text == "" || isRemark(code.text):
		return nil
	case code.text == "id":
		return c.readName(operand)
	case code.text[0] == 'D':
		return c.readCount(code.from(1), operand)
	}
	return &EPDError{Offset: code.offset, Field: "operation", Err: ErrUnknownOperation}
}

// isRemark reports whether code is one of c0 to c9.
func isRemark(code string) bool {
	return len(code) == 2 && code[0] == 'c' && '0' <= code[1] && code[1] <= '9'
}

func (c *Case) readName(operand segment) *EPDError {
	if c.Name != "" {
		return &EPDError{Offset: operand.offset, Field: "id", Err: ErrRepeated}
	}
	c.Name = operand.text
	if len(operand.text) >= 2 && operand.text[0] == '"' && strings.HasSuffix(operand.text, `"`) {
		c.Name = operand.text[1 : len(operand.text)-1]
	}
	if strings.Contains(c.Name, `"`) {
		return &EPDError{Offset: operand.offset, Field: "id", Err: ErrQuotes}
	}
	return nil
}

func (c *Case) readCount(depth, nodes segment) *EPDError {
	d, err := depth.number(8)
	if err != nil {
		return &EPDError{Offset: depth.offset, Field: "depth", Err: err}
	}
	n, err := nodes.number(64)
	if err != nil {
		return &EPDError{Offset: nodes.offset, Field: "nodes", Err: err}
	}
	if slices.ContainsFunc(c.Counts, func(count DepthCount) bool { return count.Depth == int(d) }) {
		return &EPDError{Offset: depth.offset, Field: "depth", Err: ErrRepeated}
	}
	c.Counts = append(c.Counts, DepthCount{Depth: int(d), Nodes: n})
	return nil
}

// segment is a piece of a line, and the byte of the line at which it begins.
type segment struct {
	text   string
	offset int
}

// segments cuts line at its semicolons and at the comment; neither counts within quotes.
func segments(line string) []segment {
	var parts []segment
	start, end, quoted := 0, len(line), false
	for i := 0; i < end; i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ';' && !quoted:
			parts = append(parts, segment{line[start:i], start})
			start = i + 1
		case line[i] == '#' && !quoted:
			end = i
		}
	}
	return append(parts, segment{line[start:end], start})
}

// isBlank reports whether line holds nothing but spaces and comment.
func isBlank(line string) bool {
	if strings.HasPrefix(line, "%") {
		return true
	}
	parts := segments(line)
	return len(parts) == 1 && parts[0].trim().text == ""
}

// from returns what is left of s after its first n bytes.
func (s segment) from(n int) segment { return segment{s.text[n:], s.offset + n} }

// trim returns s without spaces around it.
func (s segment) trim() segment {
	s = s.from(len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace)))
	return segment{strings.TrimRightFunc(s.text, unicode.IsSpace), s.offset}
}

// cutWord returns the first word of s and what follows it.
func (s segment) cutWord() (word, rest segment) {
	s = s.trim()
	end := strings.IndexFunc(s.text, unicode.IsSpace)
	if end < 0 {
		end = len(s.text)
	}
	return segment{s.text[:end], s.offset}, s.from(end)
}

// cutPosition returns the words of the position that s begins with, and what follows:
// an operation, if the line has no semicolon between the two. Four words belong to the
// position whatever they are; a fifth and a sixth are its clocks unless they begin with
// a letter, as operations do.
func (s segment) cutPosition() (words []string, rest segment) {
	for len(words) < 6 {
		word, after := s.cutWord()
		if word.text == "" || len(words) >= 4 && isLetter(word.text[0]) {
			break
		}
		words, s = append(words, word.text), after
	}
	return words, s
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// number reads s as an unsigned number of so many bits in plain digits.
func (s segment) number(bits int) (uint64, error) {
	n, err := strconv.ParseUint(s.text, 10, bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, ErrOutOfRange
	case err != nil:
		return 0, ErrNotANumber
	}
	return n, nil
}
