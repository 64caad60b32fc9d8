package suite

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

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

// cutKeyword returns the word that a line of a record begins with, and what follows it up to a comment; "" if the line is not of a record.
// No position begins with such a word.
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
