package perft

import "strings"

// record is a case that is being read from several lines.
type record struct {
	c       Case
	line    int    // of the position; 0 before there is one
	text    string // of that line
	refused bool   // a line was malformed: no need to say that counts are missing
}

// recordKeyword returns the word that a line of a record begins with; "" if line is no such line. No position
// begins with one.
func recordKeyword(line string) string {
	word, _ := segment{text: line}.cutWord()
	switch word.text {
	case "id", "epd", "perft":
		return word.text
	}
	return ""
}

// readRecordLine reads a line of a record, and reports whether there is reason to go on.
func (s *suiteReader) readRecordLine(keyword, line string) bool {
	begins := keyword == "epd" || keyword == "id"
	if begins && (s.record.line > 0 || s.record.refused) && !s.endRecord() {
		return false
	}
	if problem := s.record.read(keyword, line, s.line); problem != nil {
		s.record.refused = true
		problem.Input = line
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
		return s.refuse(&EPDError{Offset: len(r.text), Field: "operation", Input: r.text, Err: ErrNoCounts}, r.line)
	}
	return true
}

// read reads one line.
func (r *record) read(keyword, line string, number int) *EPDError {
	last := segments(line)[len(segments(line))-1]
	_, operand := segment{text: line[:last.offset+len(last.text)]}.cutWord() // without the comment
	operand = operand.trim()
	switch keyword {
	case "id":
		return r.c.readName(operand)
	case "epd":
		return r.readPosition(operand, line, number)
	}
	depth, rest := operand.cutWord()
	switch {
	case r.line > 0:
		if problem := r.c.readCount(depth, rest.trim()); problem != nil {
			return problem
		}
		r.c.Counts[len(r.c.Counts)-1].Line = number
		return nil
	case r.refused:
		return nil // of a position that was malformed
	}
	return &EPDError{Field: "position", Err: ErrNoPosition}
}

func (r *record) readPosition(operand segment, line string, number int) *EPDError {
	words, rest := operand.cutPosition()
	if len(words) == 0 {
		return &EPDError{Offset: operand.offset, Field: "position", Err: ErrNoPosition}
	}
	if rest = rest.trim(); rest.text != "" {
		return &EPDError{Offset: rest.offset, Field: "operation", Err: ErrUnknownOperation}
	}
	r.c.FEN, r.line, r.text = strings.Join(words, " "), number, line
	return nil
}
