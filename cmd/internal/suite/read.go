package suite

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// Case is a position of a perft suite with perft counts.
type Case struct {
	Name     string // the operand of the operation id, or ""
	Position fianchetto.Position
	Counts   []Count      // at least one, in order of depth, without repetition
	Other    []string     // the opcodes of all other operations
	File     string       // the name given to Read
	Line     int          // the line of the position, from 1
	Moves    []ListedMove // all listed moves; nil if the suite lists none
}

// Count is the number of leaves at a depth.
type Count struct {
	Depth int           `json:"depth"`         // in plies, 0..255
	Want  format.Nodes  `json:"want"`          // the suite's leaves
	Got   *format.Nodes `json:"got,omitempty"` // the leaves counted by Check, or nil
	Line  int           `json:"line"`          // the line of the count, from 1
}

// Problems of a line, besides those of package epd.
const (
	errNoCounts   fianchetto.Problem = "no node counts"
	errNotANumber fianchetto.Problem = "not a number in plain digits"
	errOutOfRange fianchetto.Problem = "number out of range"
	errRepeated   fianchetto.Problem = "given twice"
	errNoPosition fianchetto.Problem = "no position"
	errDepth      fianchetto.Problem = "not the number of moves (a depth before its count is written D3 8902)"
)

// Read reads a perft suite line by line. It yields each case, and an *epd.Error for each malformed
// line. It skips blank lines and comments, which begin with # or %. If r fails, the last value is
// the error. Errors and cases contain the file's name. Time is linear in the input.
//
// A line is a case, described at parse, or part of a record as in python-chess's .perft files:
//
//	id kiwipete
//	epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//	perft 1 48
//	perft 2 2039
//
// The id is optional. The perft lines after a malformed epd line are skipped.
//
// A JSON file of move lists, described at readMoveLists, contains cases of depth 1. For a suite of
// a variant of chess, Read yields only one error, about its first impossible position or count.
//
// The sequence can be ranged over only once, because it consumes r.
func Read(r io.Reader, name string) iter.Seq2[Case, error] {
	return refuseVariants(func(yield func(Case, error) bool) {
		s := &suiteReader{name: name, yield: yield}
		in := bufio.NewReader(r)
		if begin, _ := in.Peek(1); string(begin) == "{" { // the next read returns the error
			s.readMoveLists(in)
			return
		}
		for line, failure := range lines.Read(in, maxLine) {
			s.line++
			if s.read(string(line), failure); s.stopped {
				return
			}
		}
		s.endRecord()
	})
}

// maxLine is the maximum length of a line in bytes, as in package epd.
const maxLine = 1 << 16

// suiteReader reads the lines of a suite.
type suiteReader struct {
	name    string
	line    int // the number of the line
	yield   func(Case, error) bool
	stopped bool // yield has returned false
	record  record
}

// read reads a line, or takes the error of reading it.
func (s *suiteReader) read(line string, failure error) {
	if failure != nil {
		what := "file"
		if errors.Is(failure, lines.ErrTooLong) {
			what = "line"
		}
		s.endRecord()
		s.take(Case{}, &epd.Error{Line: s.line, Field: what, Offset: len(line), Input: line, Err: failure})
	} else if keyword, operand := cutKeyword(line, s.line); keyword != "" {
		s.readRecordLine(keyword, operand)
	} else if !lines.IsBlank(line) {
		s.endRecord()
		s.take(parse(line, s.line))
	}
}

// take yields a case or its problem, unless the loop has stopped.
func (s *suiteReader) take(c Case, problem *epd.Error) {
	if s.stopped {
		return
	}
	if problem != nil {
		problem.File = s.name
		s.stopped = !s.yield(Case{}, problem)
		return
	}
	slices.SortFunc(c.Counts, func(a, b Count) int { return a.Depth - b.Depth })
	c.File = s.name
	s.stopped = !s.yield(c, nil)
}

// field is a part of a line.
type field struct {
	line   string
	number int    // the number of the line, from 1
	offset int    // the offset of text in line
	text   string // the field without surrounding space
}

// part returns the part of a field between two offsets.
func (f field) part(from, to int) field {
	const space = " \t"
	text := strings.TrimLeft(f.text[from:to], space)
	return field{f.line, f.number, f.offset + to - len(text), strings.TrimRight(text, space)}
}

// cut returns the parts before and after the first of the separators.
func (f field) cut(separators string) (first, rest field) {
	i := strings.IndexAny(f.text, separators)
	if i < 0 {
		return f, f.part(len(f.text), len(f.text))
	}
	return f.part(0, i), f.part(i+1, len(f.text))
}

// beforeComment returns the field up to a comment.
func (f field) beforeComment() field {
	text, _, _ := strings.Cut(f.text, " #")
	return f.part(0, len(text))
}

// record is a case being read, from one line or several.
type record struct {
	Case               // Line is 0 before the position is read
	text    string     // the line of the position
	problem *epd.Error // the first problem of the last line
	refused bool       // a line had a problem, so missing counts are not reported
}

// fail stores a problem of a field of the last line.
func (r *record) fail(f field, name string, cause error) {
	if r.problem == nil {
		r.problem = &epd.Error{Line: f.number, Offset: f.offset, Field: name, Input: f.line, Err: cause}
	}
}

// number reads an unsigned number in plain digits.
func (r *record) number(f field, name string, bits int) uint64 {
	n, err := strconv.ParseUint(f.text, 10, bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		r.fail(f, name, errOutOfRange)
	case err != nil:
		r.fail(f, name, errNotANumber)
	}
	return n
}

// parse reads one line of a perft suite: a position in EPD with counts in operations, or in a list
// from depth 1 on.
//
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id "start"
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -;20;400
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,20,400
//
// parse accepts everything that epd.Parse accepts. The operations are
//
//	D3 8902          the nodes of a perft to depth 3, also as d3 8902 or D3=8902: at least one, 0..255, none twice
//	id "kiwipete"    the name
//	c0 "remark"      and c1 to c9: remarks, which are ignored
//
// and others, whose opcodes parse stores in Case.Other.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description for the
// form, https://www.chessprogramming.org/Perft for the operation D.
func parse(line string, number int) (Case, *epd.Error) {
	var r record
	position, list := cutList(field{line, number, 0, line})
	r.readPosition(position)
	first, isList := list, list.text != ""
	for depth := 1; list.text != "" && r.problem == nil; {
		var nodes field
		if nodes, list = list.cut(",;"); nodes.text != "" {
			at := nodes
			at.text = strconv.Itoa(depth)
			r.readCount(at, nodes)
			depth++
		}
	}
	isDepth := func(n format.Nodes) bool { return n <= maxListedDepth && n != format.Nodes(r.Position.CountLegal()) }
	if isList && len(r.Counts) == 2 && isDepth(r.Counts[0].Want) {
		r.fail(first, "nodes", errDepth)
	}
	r.needCounts(field{line, number, len(line), ""})
	return r.Case, r.problem
}

// needCounts fails if the record has no counts.
func (r *record) needCounts(end field) {
	if len(r.Counts) == 0 {
		r.fail(end, "operation", errNoCounts)
	}
}

// maxListedDepth is the largest first number of a list that may be meant as a depth.
const maxListedDepth = 10

// cutList divides a line into EPD and a list of counts. In such a line a comma or semicolon and a
// number follow the position.
func cutList(f field) (position, list field) {
	_, end := lines.Trim(f.line)
	i := strings.IndexAny(f.line[:end], ",;")
	if i < 0 || strings.ContainsAny(f.line[:end], "\r\n") {
		return f, field{}
	}
	list = f.part(i+1, end).beforeComment()
	first, _ := list.cut(f.line[i : i+1])
	record, err := epd.Parse(f.line[:i])
	if !isNumber(first.text) || err == nil && len(record.Operations) > 0 { // the separator is within an operation
		return f, field{}
	}
	return field{f.line, f.number, 0, f.line[:i]}, list
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// readPosition reads a field as EPD.
func (r *record) readPosition(f field) {
	parsed, err := epd.Parse(f.text)
	if errors.As(err, &r.problem) {
		r.problem.Line, r.problem.Offset, r.problem.Input = f.number, f.offset+r.problem.Offset, f.line
		return
	}
	for _, operation := range parsed.Operations {
		at := f.offset + operation.Offset
		r.readOperation(operation, field{f.line, f.number, at, f.line[at:]})
	}
	if r.problem == nil {
		r.Position, r.Line = parsed.Position, f.number
	}
}

// readOperation reads the operation at the start of a field.
func (r *record) readOperation(operation epd.Operation, f field) {
	opcode := operation.Opcode
	digits := strings.TrimLeft(opcode, "Dd")
	switch isDepth := len(opcode) == len(digits)+1; {
	case opcode == "id":
		f.text = operation.Text()
		r.readName(f)
	case isDepth && (opcode[0] == 'D' || isNumber(digits)):
		depth, nodes := f, f
		depth.offset, depth.text = f.offset+1, digits
		nodes.offset = len(f.line) - len(strings.TrimLeft(f.text[len(opcode):], " \t="))
		nodes.text = operation.Text()
		r.readCount(depth, nodes)
	case opcode == "noop" || len(opcode) == 2 && opcode[0] == 'c' && isNumber(opcode[1:]): // a remark
	default:
		r.Other = append(r.Other, opcode)
	}
}

// readName reads the name of the case.
func (r *record) readName(name field) {
	if r.Name != "" {
		r.fail(name, "id", errRepeated)
	}
	r.Name = name.text
}

// readCount reads a depth and its nodes.
func (r *record) readCount(depth, nodes field) {
	d, n := int(r.number(depth, "depth", 8)), r.number(nodes, "nodes", 64)
	if slices.ContainsFunc(r.Counts, func(count Count) bool { return count.Depth == d }) {
		r.fail(depth, "depth", errRepeated)
	}
	if r.problem == nil {
		r.Counts = append(r.Counts, Count{Depth: d, Want: format.Nodes(n), Line: nodes.number})
	}
}

// cutKeyword returns the first word of a record's line and the following text up to a comment. It
// returns "" for another line. No position begins with such a word.
func cutKeyword(line string, number int) (keyword string, operand field) {
	begin, end := lines.Trim(line)
	word, rest := field{line, number, begin, line[begin:end]}.beforeComment().cut(" \t")
	switch word.text {
	case "id", "epd", "perft":
		return word.text, rest
	}
	return "", field{}
}

// readRecordLine reads a line of a record.
func (s *suiteReader) readRecordLine(keyword string, operand field) {
	if keyword != "perft" && (s.record.Line > 0 || s.record.refused) {
		s.endRecord()
	}
	r := &s.record
	r.problem = nil
	switch {
	case keyword == "id":
		operand.text = strings.Trim(operand.text, `"`)
		r.readName(operand)
	case keyword == "epd":
		r.text = operand.line
		r.readPosition(operand)
	case r.Line > 0:
		r.readCount(operand.cut(" \t"))
	case !r.refused: // otherwise the position was malformed
		operand.offset = 0
		r.fail(operand, "position", errNoPosition)
	}
	if r.problem != nil {
		r.refused = true
		s.take(Case{}, r.problem)
	}
}

// endRecord yields the case of the previous record, if any.
func (s *suiteReader) endRecord() {
	r := s.record
	s.record = record{}
	if r.Line == 0 || len(r.Counts) == 0 && r.refused {
		return
	}
	r.problem = nil // already reported
	r.needCounts(field{r.text, r.Line, len(r.text), ""})
	s.take(r.Case, r.problem)
}
