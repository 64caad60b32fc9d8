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
func Parse(line string) (record Record, err error) {
	p := parser{line, &record}
	begin, end := lines.Trim(line)
	if i := strings.IndexAny(line[begin:end], "\r\n"); i >= 0 {
		return record, p.refuse("line", begin+i, errLineBreak)
	}
	operations, err := p.split(begin, end)
	if err != nil {
		return record, err
	}
	fields, rest := cutFields(operations[0])
	if len(fields) == 0 {
		return record, p.refuse("position", begin, errNoPosition)
	}
	operations[0] = rest
	err = p.parsePosition(fields)
	for i := 0; i < len(operations) && err == nil; i++ {
		err = p.parseOperation(operations[i])
	}
	return record, err
}

type parser struct {
	line   string
	record *Record
}

func (p *parser) refuse(field string, offset int, cause error) error {
	return &Error{Field: field, Offset: offset, Input: p.line, Err: cause}
}

type word struct {
	text   string
	offset int // of its first byte or its quote in the line
	quoted bool
}

// split splits a part of the line into operations, up to a comment. The first contains the
// position, too.
func (p *parser) split(begin, end int) ([][]word, error) {
	operations, line := [][]word{nil}, p.line[:end]
	for i := begin; i < end; {
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
				return nil, p.refuse("operation", i, errString)
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
// length in text. It reports false for a semicolon without a closing quote.
func unquote(text string) (value string, length int, ok bool) {
	for length = 1; length < len(text); length++ {
		switch text[length] {
		case '"':
			return unescape.Replace(text[1:length]), length + 1, true
		case '\\':
			length++
		}
	}
	text += strings.Repeat(`\`, length-len(text)) // a last backslash is one
	return unescape.Replace(text[1:]), length, !strings.Contains(text, ";")
}

var unescape = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\\`, `\`, `\`, "")

// cutFields splits the first operation into the fields of the position and the rest. The first four
// words are fields, and the next two if they begin with a digit.
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

func (p *parser) parsePosition(fields []word) (err error) {
	last := fields[len(fields)-1]
	fen := strings.Join(strings.FieldsFunc(p.line[fields[0].offset:last.offset+len(last.text)], isSpace), " ")
	if isStart(fields[0]) {
		fen = fianchetto.StartFEN
	}
	p.record.Position, err = fianchetto.ParseFEN(fen)
	var refused *fianchetto.PositionError
	if !errors.As(err, &refused) {
		return nil
	}
	first := refused.Problems[0]
	before := fen[:first.Offset]
	begin := strings.LastIndex(before, " ") + 1 // of the field
	return p.refuse(first.Field, fields[strings.Count(before, " ")].offset+len(before)-begin, err)
}

// parseOperation parses an operation and those after its moves without a semicolon. It skips
// surplus dashes.
func (p *parser) parseOperation(words []word) (err error) {
	for len(words) > 0 && err == nil {
		if !words[0].quoted && words[0].text == "-" {
			words = words[1:]
			continue
		}
		opcode, operands := cutOpcode(words)
		operation := Operation{Opcode: opcode.text, Offset: opcode.offset}
		words = nil
		switch {
		case opcode.quoted || !isOpcode(opcode.text):
			return p.refuse("operation", opcode.offset, errOpcode)
		case opcode.text == halfmoveClock || opcode.text == fullmoveNumber:
			return p.setClock(opcode, operands)
		case hasMoves(opcode.text):
			operation.Moves, words, err = p.parseMoves(opcode.text, operands)
		default:
			operation.Operands = operandsOf(operands)
		}
		if err == nil {
			p.record.Operations = append(p.record.Operations, operation)
		}
	}
	return err
}

// setClock overrides a clock of the FEN.
func (p *parser) setClock(opcode word, operands []word) error {
	setup := p.record.Position.Setup()
	clock := &setup.HalfmoveClock
	if opcode.text == fullmoveNumber {
		clock = &setup.FullmoveNumber
	}
	n, err := strconv.ParseUint(strings.Join(operandsOf(operands), " "), 10, 16)
	*clock = int(n)
	position, refusal := setup.Position()
	if err != nil || refusal != nil {
		return p.refuse(opcode.text, opcode.offset, errClock)
	}
	p.record.Position = position
	return nil
}

func isOpcode(text string) bool {
	letter := text != "" && ('a' <= text[0] && text[0] <= 'z' || 'A' <= text[0] && text[0] <= 'Z')
	return letter && strings.IndexFunc(text, func(r rune) bool { return endsWord(r) || r == '"' || r == '=' }) < 0
}

// operandsOf returns the words as a single operand, unless they contain strings or are all numbers.
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

// parseMoves parses the moves of an operation, and returns the words from another opcode on.
func (p *parser) parseMoves(opcode string, words []word) (moves []fianchetto.Move, rest []word, err error) {
	game := fianchetto.NewGame(p.record.Position)
	moves = []fianchetto.Move{}
	for i, w := range words {
		text := strings.TrimSpace(w.text)
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			part = trimMoveNumber(part)
			if strings.Trim(part, "+#?!") == "" {
				continue
			}
			m, err := parseMove(game.Position(), part)
			if err != nil {
				if len(moves) > 0 && slices.Contains(followers, w.text) {
					return moves, words[i:], nil
				}
				return moves, nil, p.refuse(opcode, w.offset, err)
			}
			moves = append(moves, m)
			if opcode == variation {
				_ = game.Play(m)
			}
		}
	}
	return moves, nil, nil
}

var followers = append([]string{"acd", "acn", "acs", "ce", "dm", "eco", "id"}, moveOpcodes...)

func trimMoveNumber(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); strings.HasPrefix(rest, ".") {
		return strings.TrimLeft(rest, ".")
	}
	return text
}

func parseMove(pos fianchetto.Position, text string) (fianchetto.Move, error) {
	if text != "--" && text != "0000" {
		return pos.ParseSAN(text)
	}
	if pos.InCheck() {
		return fianchetto.NoMove, errNullInCheck
	}
	return fianchetto.NoMove, nil
}

const maxLine = 1 << 16

// Read yields the records of a file, and an *Error with the file's name for each malformed line. It
// skips blank lines and comments, which begin with # or %. A line longer than 64 KiB is malformed.
// If r fails, its error comes last. The sequence consumes r.
func Read(r io.Reader, name string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		number := 0
		for text, failure := range lines.Read(r, maxLine) {
			number++
			if failure == nil && lines.IsBlank(string(text)) {
				continue
			}
			unread := &Error{Field: "file", Offset: len(text), Input: string(text), Err: failure}
			if errors.Is(failure, lines.ErrTooLong) {
				unread.Field = "line"
			}
			record, err := Record{}, error(unread)
			if failure == nil {
				record, err = Parse(string(text))
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
