package suite

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// Case is a position of a perft suite, with its perft counts at some depths.
type Case struct {
	Name   string   // the operand of the operation id; "" if there is none
	FEN    string   // of the position, with both clocks
	Counts []Count  // at least one, in order of depth, no depth twice
	Other  []string // opcodes of operations that are not counts, a name or a remark
	File   string   // the name given to Read; "" for a Case that Parse made
	Line   int      // line of the file that has the position, from 1; 0 for a Case that Parse made
}

// Count is the number of leaves of a perft to one depth.
type Count struct {
	Depth int    // in plies, 0..255
	Nodes uint64 // leaves
	Line  int    // line of the file that has the count, from 1; 0 in a Case that Parse made
}

// Problems of a line of a perft suite that are not those of package epd.
const (
	errNoCounts   fianchetto.Problem = "no node counts"
	errNotANumber fianchetto.Problem = "not a number in plain digits"
	errOutOfRange fianchetto.Problem = "number out of range"
	errRepeated   fianchetto.Problem = "given twice"
	errNoPosition fianchetto.Problem = "no position"
)

// Read reads a perft suite line by line. It yields each case, and an *epd.Error for a malformed line, after which it
// continues with the next line. It skips blank lines and comments, which begin with # or %. If r fails, the last value
// is the error. The name is what errors and cases call the file. Time is linear in the input.
//
// A line is a case in a form that Parse describes, or a part of one as in the .perft files of python-chess:
//
//	id kiwipete
//	epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//	perft 1 48
//	perft 2 2039
//
// The name may be left out. The perft lines of a malformed epd line are skipped.
//
// The sequence can be ranged over only once, because it consumes r.
func Read(r io.Reader, name string) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		s := &suiteReader{name: name, yield: yield}
		for line, failure := range lines.Read(r, maxLine) {
			if !s.read(string(line), failure) {
				return
			}
		}
		s.endRecord()
	}
}

// maxLine is the greatest number of bytes of a line, as in package epd.
const maxLine = 1 << 16

// suiteReader reads the lines of a suite.
type suiteReader struct {
	name   string
	line   int // number of the line
	yield  func(Case, error) bool
	record record
}

// read reads a line, or the error of reading it, and reports whether to continue.
func (s *suiteReader) read(line string, failure error) bool {
	s.line++
	switch {
	case errors.Is(failure, lines.ErrTooLong):
		return s.endRecord() && s.refuse(&epd.Error{Field: "line", Offset: len(line), Input: line, Err: failure},
			s.line)
	case failure != nil:
		return s.endRecord() && s.refuse(&epd.Error{Field: "file", Offset: len(line), Input: line, Err: failure},
			s.line)
	case lines.IsBlank(line):
		return true
	}
	if keyword, operand := cutKeyword(line); keyword != "" {
		return s.readRecordLine(keyword, operand)
	}
	if !s.endRecord() {
		return false
	}
	c, problem := parseCase(line)
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

// refuse yields the error of a line.
func (s *suiteReader) refuse(problem *epd.Error, line int) bool {
	problem.File, problem.Line = s.name, line
	return s.yield(Case{}, problem)
}

// Parse reads one line of a perft suite: a position in EPD, with the nodes of a perft in operations, or in a list from
// depth 1 on.
//
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id "start"
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -;20;400
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,20,400
//
// What epd.Parse accepts is accepted here. The operations are
//
//	D3 8902          the nodes of a perft to depth 3, also as d3 8902 or D3=8902: at least one, 0..255, none twice
//	id "kiwipete"    the name
//	c0 "remark"      and c1 to c9: remarks, which are ignored
//
// and others, whose opcodes are in Case.Other. The error is an *epd.Error.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description for the
// form, https://www.chessprogramming.org/Perft for the operation D.
func Parse(line string) (Case, error) {
	c, problem := parseCase(line)
	if problem != nil {
		return Case{}, problem
	}
	return c, nil
}

// parseCase returns the concrete error, so that Read can add file and line.
func parseCase(line string) (c Case, problem *epd.Error) {
	position, list := cutList(line)
	if problem = c.readPosition(line, 0, position); problem == nil {
		problem = c.readList(line, list)
	}
	if problem == nil && len(c.Counts) == 0 {
		problem = &epd.Error{Offset: len(line), Field: "operation", Input: line, Err: errNoCounts}
	}
	c.sortCounts()
	return c, problem
}

// cutList returns the length of the part of a line that is EPD, and where in the line a list of counts begins: the
// position is followed by a comma or a semicolon, and then by a number. Without a list both are the length of the line.
func cutList(line string) (position, list int) {
	_, end := lines.Trim(line)
	i := strings.IndexAny(line[:end], ",;")
	if i < 0 || strings.ContainsAny(line[:end], "\r\n") {
		return len(line), len(line)
	}
	first, _, _ := strings.Cut(line[i+1:end], line[i:i+1])
	if first = strings.TrimSpace(first); first == "" || strings.Trim(first, "0123456789") != "" {
		return len(line), len(line)
	}
	if record, err := epd.Parse(line[:i]); err == nil && len(record.Operations) > 0 {
		return len(line), len(line) // the comma is within an operation
	}
	return i, i + 1
}

// readPosition reads the part of a line from one offset to another as EPD.
func (c *Case) readPosition(line string, from, to int) *epd.Error {
	record, err := epd.Parse(line[from:to])
	if problem := (*epd.Error)(nil); errors.As(err, &problem) {
		problem.Offset += from
		problem.Input = line
		return problem
	}
	c.FEN = record.Position.FEN()
	for _, operation := range record.Operations {
		operation.Offset += from
		if problem := c.readOperation(line, &operation); problem != nil {
			problem.Input = line
			return problem
		}
	}
	return nil
}

func (c *Case) sortCounts() {
	slices.SortFunc(c.Counts, func(a, b Count) int { return cmp.Compare(a.Depth, b.Depth) })
}

// readOperation reads an operation of a line.
func (c *Case) readOperation(line string, operation *epd.Operation) *epd.Error {
	opcode := operation.Opcode
	digits := strings.TrimLeft(opcode, "Dd")
	switch isDepth := len(opcode) == len(digits)+1; {
	case opcode == "id":
		return c.readName(operation.Text(), operation.Offset)
	case isDepth && (opcode[0] == 'D' || digits != "" && strings.Trim(digits, "0123456789") == ""):
		nodes := operation.Offset + len(opcode)
		nodes += len(line[nodes:]) - len(strings.TrimLeft(line[nodes:], " \t="))
		return c.readCount(digits, operation.Offset+1, operation.Text(), nodes)
	case isRemark(opcode) || opcode == "noop":
	default:
		c.Other = append(c.Other, opcode)
	}
	return nil
}

// isRemark reports whether an opcode is one of c0 to c9.
func isRemark(opcode string) bool {
	return len(opcode) == 2 && opcode[0] == 'c' && '0' <= opcode[1] && opcode[1] <= '9'
}

// readName takes the name of the case, which is at an offset of the line.
func (c *Case) readName(name string, offset int) *epd.Error {
	if c.Name != "" {
		return &epd.Error{Offset: offset, Field: "id", Err: errRepeated}
	}
	c.Name = name
	return nil
}

// readCount takes a depth and its nodes, which are at offsets of the line.
func (c *Case) readCount(depth string, depthOffset int, nodes string, nodesOffset int) *epd.Error {
	d, err := parseNumber(depth, 8)
	if err != nil {
		return &epd.Error{Offset: depthOffset, Field: "depth", Err: err}
	}
	n, err := parseNumber(nodes, 64)
	if err != nil {
		return &epd.Error{Offset: nodesOffset, Field: "nodes", Err: err}
	}
	if slices.ContainsFunc(c.Counts, func(count Count) bool { return count.Depth == int(d) }) {
		return &epd.Error{Offset: depthOffset, Field: "depth", Err: errRepeated}
	}
	c.Counts = append(c.Counts, Count{Depth: int(d), Nodes: n})
	return nil
}

// readList reads the counts of a list, which begins at an offset of the line, up to a comment.
func (c *Case) readList(line string, from int) *epd.Error {
	_, end := lines.Trim(line)
	list := line[from:max(from, end)]
	if comment := strings.Index(list, " #"); comment >= 0 {
		list = list[:comment]
	}
	depth := 0
	for list != "" {
		length := strings.IndexAny(list, ",;")
		if length < 0 {
			length = len(list)
		}
		if nodes := strings.TrimSpace(list[:length]); nodes != "" {
			depth++
			offset := from + strings.Index(list, nodes)
			if problem := c.readCount(strconv.Itoa(depth), offset, nodes, offset); problem != nil {
				problem.Input = line
				return problem
			}
		}
		next := min(length+1, len(list))
		list, from = list[next:], from+next
	}
	return nil
}

// parseNumber reads an unsigned number of some bits in plain digits.
func parseNumber(text string, bits int) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errOutOfRange
	case err != nil:
		return 0, errNotANumber
	}
	return n, nil
}

// record is a case that is read from several lines.
type record struct {
	c       Case
	line    int    // of the position; 0 before there is one
	text    string // of that line
	refused bool   // a line was malformed: missing counts are not another error
}

// field is a part of a line without space around it, and where it begins.
type field struct {
	line   string
	text   string
	offset int
}

// cutKeyword returns the word that a line of a record begins with, and what follows it up to a comment; "" if the line
// is not of a record. No position begins with such a word.
func cutKeyword(line string) (keyword string, operand field) {
	begin, end := lines.Trim(line)
	text := line[begin:end]
	if comment := strings.Index(text, " #"); comment >= 0 {
		text = text[:comment]
	}
	word, rest := field{line, text, begin}.cutWord()
	switch word.text {
	case "id", "epd", "perft":
		return word.text, rest
	}
	return "", field{}
}

// cutWord returns the first word of a field and what follows it.
func (f field) cutWord() (word, rest field) {
	length := strings.IndexAny(f.text, " \t")
	if length < 0 {
		length = len(f.text)
	}
	after := strings.Trim(f.text[length:], " \t")
	offset := f.offset + length + strings.Index(f.text[length:], after)
	return field{f.line, f.text[:length], f.offset}, field{f.line, after, offset}
}

// readRecordLine reads a line of a record, and reports whether to continue.
func (s *suiteReader) readRecordLine(keyword string, operand field) bool {
	begins := keyword == "epd" || keyword == "id"
	if begins && (s.record.line > 0 || s.record.refused) && !s.endRecord() {
		return false
	}
	if problem := s.record.read(keyword, operand, s.line); problem != nil {
		s.record.refused = true
		problem.Input = operand.line
		return s.refuse(problem, s.line)
	}
	return true
}

// endRecord yields the case of the record before, if there is one.
func (s *suiteReader) endRecord() bool {
	r := s.record
	s.record = record{}
	switch {
	case len(r.c.Counts) > 0:
		r.c.sortCounts()
		return s.accept(r.c, r.line)
	case r.line > 0 && !r.refused:
		return s.refuse(&epd.Error{Offset: len(r.text), Field: "operation", Input: r.text, Err: errNoCounts}, r.line)
	}
	return true
}

// read reads one line.
func (r *record) read(keyword string, operand field, number int) *epd.Error {
	switch keyword {
	case "id":
		return r.c.readName(strings.Trim(operand.text, `"`), operand.offset)
	case "epd":
		if problem := r.c.readPosition(operand.line, operand.offset, operand.offset+len(operand.text)); problem != nil {
			return problem
		}
		for i := range r.c.Counts {
			r.c.Counts[i].Line = number
		}
		r.line, r.text = number, operand.line
		return nil
	}
	depth, nodes := operand.cutWord()
	switch {
	case r.line > 0:
		problem := r.c.readCount(depth.text, depth.offset, nodes.text, nodes.offset)
		if problem == nil {
			r.c.Counts[len(r.c.Counts)-1].Line = number
		}
		return problem
	case r.refused:
		return nil // of a position that was malformed
	}
	return &epd.Error{Field: "position", Err: errNoPosition}
}
