package epd

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// Parse reads a line of EPD: a position, then operations with a semicolon after each, before each,
// or both. It accepts more than the standard:
//
//   - the position as a FEN with clocks, or as startpos
//   - moves as Position.ParseSAN reads them, with move numbers, null moves as -- or 0000, and no
//     semicolon before the next operation
//   - unquoted words, which form one operand, although each number is an operand
//   - a last string without its closing quote, if it contains no semicolon
//   - comments after " #", byte order marks, NUL bytes at the end, surplus dashes and empty
//     operations
//
// The error is an *Error, and the record contains the part before it.
func Parse(line string) (Record, error) {
	p := parser{line: line}
	if problem := p.parse(); problem != nil {
		problem.Input = line
		return p.record, problem
	}
	return p.record, nil
}

type parser struct {
	line   string
	record Record
}

// word is a word of a line, or a string without its quotes.
type word struct {
	text   string
	offset int // of its first byte or its quote in the line
	quoted bool
}

func (p *parser) parse() *Error {
	begin, end := lines.Trim(p.line)
	if i := strings.IndexAny(p.line[begin:end], "\r\n"); i >= 0 {
		return &Error{Field: "line", Offset: begin + i, Err: errLineBreak}
	}
	operations, problem := split(p.line[:end], begin)
	if problem != nil {
		return problem
	}
	fields, rest := cutFields(operations[0])
	if len(fields) == 0 {
		return &Error{Field: "position", Offset: begin, Err: errNoPosition}
	}
	operations[0] = rest
	if problem := p.parsePosition(fields); problem != nil {
		return problem
	}
	for _, operation := range operations {
		if problem := p.parseOperation(operation); problem != nil {
			return problem
		}
	}
	return nil
}

// split splits a line into operations, up to a comment. The first operation also contains the
// position.
func split(line string, from int) ([][]word, *Error) {
	operations := [][]word{nil}
	for i := from; i < len(line); {
		last := &operations[len(operations)-1]
		switch c := line[i]; {
		case isSpace(rune(c)):
			i++
		case c == ';':
			operations = append(operations, nil)
			i++
		case c == '"':
			text, length, ok := unquote(line[i:])
			if !ok {
				return nil, &Error{Field: "operation", Offset: i, Err: errString}
			}
			*last = append(*last, word{text, i, true})
			i += length
		case c == '#' && !isMateSign(*last, line[i+1:]):
			return operations, nil
		default:
			length := strings.IndexFunc(line[i:], endsWord)
			if length < 0 {
				length = len(line) - i
			}
			*last = append(*last, word{line[i : i+length], i, false})
			i += length
		}
	}
	return operations, nil
}

func isSpace(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }

func endsWord(r rune) bool { return r == ';' || isSpace(r) }

// isMateSign reports whether a separate # belongs to a move, because it ends the operation.
func isMateSign(operation []word, rest string) bool {
	isMove := slices.ContainsFunc(operation, func(w word) bool { return !w.quoted && hasMoves(w.text) })
	rest = strings.TrimLeftFunc(rest, isSpace)
	return isMove && (rest == "" || rest[0] == ';')
}

// unquote returns the string at the beginning of text without quotes and backslashes, and its
// length in text. A string without a closing quote is accepted if it contains no semicolon.
func unquote(text string) (value string, length int, ok bool) {
	var unescaped strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return unescaped.String(), i + 1, true
		case c == '\\' && i+1 < len(text):
			i++
			unescaped.WriteByte(unescape(text[i]))
		default:
			unescaped.WriteByte(c)
		}
	}
	return unescaped.String(), len(text), !strings.Contains(text, ";")
}

// unescape returns the character for a backslash and c.
func unescape(c byte) byte {
	if i := strings.IndexByte("nrt", c); i >= 0 {
		return "\n\r\t"[i]
	}
	return c
}

// cutFields splits the first operation into the fields of the position and the rest. The first four
// words are fields. The next two are clocks if they begin with a digit.
func cutFields(words []word) (fields, rest []word) {
	n := 0
	for n < len(words) && n < 6 && !words[n].quoted && (n < 4 || '0' <= words[n].text[0] && words[n].text[0] <= '9') {
		n++
	}
	if n > 0 && isStart(words[0]) {
		n = 1
	}
	return words[:n], words[n:]
}

func isStart(w word) bool { return strings.EqualFold(w.text, "startpos") }

func cutOpcode(operation []word) (opcode word, operands []word) {
	opcode, operands = operation[0], operation[1:]
	if name, operand, ok := strings.Cut(opcode.text, "="); ok && !opcode.quoted {
		opcode.text = name
		if operand != "" {
			operands = append([]word{{operand, opcode.offset + len(name) + 1, false}}, operands...)
		}
	} else if len(operands) > 0 && operands[0] == (word{"=", operands[0].offset, false}) {
		operands = operands[1:]
	}
	return opcode, operands
}

// parsePosition parses the fields as a FEN.
func (p *parser) parsePosition(fields []word) *Error {
	fen := fianchetto.StartFEN
	if !isStart(fields[0]) {
		texts := make([]string, len(fields))
		for i, field := range fields {
			texts[i] = field.text
		}
		fen = strings.Join(texts, " ")
	}
	var err error
	p.record.Position, err = fianchetto.ParseFEN(fen)
	var refused *fianchetto.PositionError
	if !errors.As(err, &refused) {
		return nil
	}
	first := refused.Problems[0]
	return &Error{Field: first.Field, Offset: offsetInLine(fields, first.Offset, len(p.line)), Err: err}
}

// offsetInLine converts an offset in the FEN to an offset in the line.
func offsetInLine(fields []word, offset, length int) int {
	for _, field := range fields {
		if offset <= len(field.text) {
			return min(field.offset+offset, length)
		}
		offset -= len(field.text) + len(" ")
	}
	return length
}

// parseOperation parses an operation and those after its moves without a semicolon. It skips
// surplus dashes.
func (p *parser) parseOperation(words []word) (problem *Error) {
	for len(words) > 0 && problem == nil {
		if !words[0].quoted && words[0].text == "-" {
			words = words[1:]
			continue
		}
		opcode, operands := cutOpcode(words)
		operation := Operation{Opcode: opcode.text, Offset: opcode.offset}
		words = nil
		switch {
		case opcode.quoted || !isOpcode(opcode.text):
			return &Error{Field: "operation", Offset: opcode.offset, Err: errOpcode}
		case opcode.text == halfmoveClock || opcode.text == fullmoveNumber:
			return p.setClock(opcode, operands)
		case hasMoves(opcode.text):
			operation.Moves, words, problem = p.parseMoves(opcode.text, operands)
		default:
			operation.Operands = operandsOf(operands)
		}
		if problem == nil {
			p.record.Operations = append(p.record.Operations, operation)
		}
	}
	return problem
}

// setClock sets a clock of the position. It overrides the FEN's.
func (p *parser) setClock(opcode word, operands []word) *Error {
	setup := p.record.Position.Setup()
	clock := &setup.HalfmoveClock
	if opcode.text == fullmoveNumber {
		clock = &setup.FullmoveNumber
	}
	n, err := strconv.ParseUint(strings.Join(operandsOf(operands), " "), 10, 16)
	*clock = int(n)
	position, refusal := setup.Position()
	if err != nil || refusal != nil {
		return &Error{Field: opcode.text, Offset: opcode.offset, Err: errClock}
	}
	p.record.Position = position
	return nil
}

func isOpcode(text string) bool {
	letter := text != "" && ('a' <= text[0] && text[0] <= 'z' || 'A' <= text[0] && text[0] <= 'Z')
	return letter && strings.IndexFunc(text, func(r rune) bool { return endsWord(r) || r == '"' || r == '=' }) < 0
}

// operandsOf returns the operands in words: a single one, unless the words contain strings or are
// all numbers.
func operandsOf(words []word) []string {
	var operands []string
	apart := true
	for _, w := range words {
		operands = append(operands, w.text)
		apart = apart && (w.quoted || isNumber(w.text))
	}
	if apart || slices.ContainsFunc(words, func(w word) bool { return w.quoted }) {
		return operands
	}
	return []string{strings.Join(operands, " ")}
}

// parseMoves parses the moves of an operation. It returns the remaining words from the opcode of
// another operation on.
func (p *parser) parseMoves(opcode string, words []word) (moves []fianchetto.Move, rest []word, problem *Error) {
	pos := p.record.Position
	moves = []fianchetto.Move{}
	for i, w := range words {
		text := strings.TrimSpace(w.text)
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			part = trimMoveNumber(part)
			if strings.Trim(part, "+#?!") == "" {
				continue
			}
			m, err := parseMove(&pos, part)
			if err != nil {
				if len(moves) > 0 && slices.Contains(followers, w.text) {
					return moves, words[i:], nil
				}
				return moves, nil, &Error{Field: opcode, Offset: w.offset, Err: err}
			}
			moves = append(moves, m)
			if opcode == variation {
				pos = after(&pos, m)
			}
		}
	}
	return moves, nil, nil
}

// followers lists the opcodes that may follow moves without a semicolon.
var followers = append([]string{"acd", "acn", "acs", "ce", "dm", "eco", "id"}, moveOpcodes...)

// trimMoveNumber removes a move number and its dots.
func trimMoveNumber(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); strings.HasPrefix(rest, ".") {
		return strings.TrimLeft(rest, ".")
	}
	return text
}

func parseMove(pos *fianchetto.Position, text string) (fianchetto.Move, error) {
	if text != "--" && text != "0000" {
		return pos.ParseSAN(text)
	}
	if pos.InCheck() {
		return fianchetto.NoMove, errNullInCheck
	}
	return fianchetto.NoMove, nil
}

func after(pos *fianchetto.Position, m fianchetto.Move) fianchetto.Position {
	if m == fianchetto.NoMove {
		return pos.Null()
	}
	return pos.After(m)
}

// maxLine is the maximal length of a line in bytes.
const maxLine = 1 << 16

// Read yields the records of a file, and an *Error with the file's name for each malformed line. It
// skips blank lines and comments, which begin with # or %. A line longer than 64 KiB is malformed.
// If r fails, its error comes last. Range over the sequence only once, because it consumes r.
func Read(r io.Reader, name string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		number := 0
		for text, failure := range lines.Read(r, maxLine) {
			number++
			if failure == nil && lines.IsBlank(string(text)) {
				continue
			}
			record, err := Parse(string(text))
			switch problem := (&Error{Field: "file", Offset: len(text), Input: string(text), Err: failure}); {
			case errors.Is(failure, lines.ErrTooLong):
				problem.Field = "line"
				fallthrough
			case failure != nil:
				record, err = Record{}, problem
			}
			record.Line = number
			if problem, ok := err.(*Error); ok {
				problem.File, problem.Line = name, number
			}
			if !yield(record, err) {
				return
			}
		}
	}
}
