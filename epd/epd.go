// Package epd reads and writes Extended Position Description, lines of a position and operations:
//
//	1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//
//	for record, err := range epd.Read(file, "bratko-kopec.epd") {
//		if err != nil {
//			log.Print(err) // file, line, offset and cause
//			continue
//		}
//		fmt.Println(record.Operation("id").Text(), record.Position.SAN(record.Operation("bm").Moves[0]))
//	}
//
// The operations am (avoid moves), bm (best moves), pm (predicted move), pv (predicted variation)
// and sm (supplied move) contain moves. The clocks, hmvc and fmvn, become part of the position.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description, and the Standard:
// Portable Game Notation Specification and Implementation Guide, revised 1994.03.12, section 16.2
package epd

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Causes of errors. A refused position is a *fianchetto.PositionError, an illegal move a
// *fianchetto.MoveError.
const (
	errNoPosition  fianchetto.Problem = "no position"
	errOpcode      fianchetto.Problem = "malformed opcode (want a letter first)"
	errString      fianchetto.Problem = "unterminated string"
	errClock       fianchetto.Problem = "malformed clock (want a number up to 65535)"
	errMoves       fianchetto.Problem = "moves and operands that do not fit the opcode"
	errNullInCheck fianchetto.Problem = "null move in check"
	errLineBreak   fianchetto.Problem = "line break within the line"
)

// Error reports an error in a line and its place. If the file cannot be read, Field is "file" and
// Err is the reader's error.
type Error struct {
	File   string // the name given to Read; "" from Parse
	Line   int    // from 1; 0 from Parse
	Offset int    // the first wrong byte of Input, 0..len(Input)
	Field  string // "position", a field of a FEN, "operation", an opcode, "line" or "file"
	Input  string // the line, or its first 64 KiB
	Err    error  // the cause
}

// Error returns place, field, input and cause in one line.
func (e *Error) Error() string {
	text := ""
	if e.Line > 0 {
		text = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	if !errors.As(e.Err, new(*fianchetto.PositionError)) {
		text += fmt.Sprintf("%s at offset %d", e.Field, e.Offset)
		if !errors.As(e.Err, new(*fianchetto.MoveError)) {
			text += ", " + quote.Text(e.Input[min(e.Offset, len(e.Input)):], 0)
		}
		text += ": "
	}
	return text + strings.TrimPrefix(e.Err.Error(), "fianchetto: ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Record is a position and its operations.
type Record struct {
	Position   fianchetto.Position // clocks from hmvc and fmvn, or from a six-field FEN, else 0 and 1
	Operations []Operation         // without hmvc and fmvn
	Line       int                 // the line in the file, from 1; 0 from Parse
}

// Operation is an opcode and its operands.
type Operation struct {
	Opcode   string            // begins with a letter
	Operands []string          // numbers, and strings without quotes; nil if Moves is set
	Moves    []fianchetto.Move // of am, bm, pm, pv and sm; NoMove is a null move
	Offset   int               // offset of the operation in the line, ignored when writing
}

const (
	halfmoveClock  = "hmvc"
	fullmoveNumber = "fmvn"
	variation      = "pv"
)

var moveOpcodes = []string{"am", "bm", "pm", variation, "sm"}

func hasMoves(opcode string) bool { return slices.Contains(moveOpcodes, opcode) }

// Text returns the operands separated by single spaces.
func (o *Operation) Text() string { return strings.Join(o.Operands, " ") }

// Operation returns the first operation with an opcode, or an empty one.
func (r *Record) Operation(opcode string) *Operation {
	i := slices.IndexFunc(r.Operations, func(o Operation) bool { return o.Opcode == opcode })
	if i < 0 {
		return new(Operation)
	}
	return &r.Operations[i]
}

func isNumber(text string) bool {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	whole, fraction, point := strings.Cut(text, ".")
	return isDigits(whole) && (!point || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// AppendText appends the record as a line of EPD without a line break. Clocks other than 0 and 1
// become the operations hmvc and fmvn. Parse reads back an equal record, except for Line, Offset
// and nil slices.
//
// It returns an error and appends nothing without a position, for a malformed opcode, for moves or
// operands that do not fit it, for a null move in check, and for an illegal move (a
// *fianchetto.MoveError).
func (r *Record) AppendText(text []byte) ([]byte, error) {
	pos := r.Position
	if pos == (fianchetto.Position{}) {
		return text, errNoPosition
	}
	fields := strings.SplitN(pos.FEN(), " ", 5)
	line := append(text, strings.Join(fields[:4], " ")...)
	if clock := pos.HalfmoveClock(); clock != 0 {
		line = fmt.Appendf(line, " %s %d;", halfmoveClock, clock)
	}
	if number := pos.FullmoveNumber(); number != 1 {
		line = fmt.Appendf(line, " %s %d;", fullmoveNumber, number)
	}
	for i := range r.Operations {
		var err error
		if line, err = r.Operations[i].append(append(line, ' '), pos); err != nil {
			return text, err
		}
	}
	return line, nil
}

func (o *Operation) append(text []byte, pos fianchetto.Position) ([]byte, error) {
	switch {
	case !isOpcode(o.Opcode) || o.Opcode == halfmoveClock || o.Opcode == fullmoveNumber:
		return text, errOpcode
	case hasMoves(o.Opcode) && len(o.Operands) > 0, !hasMoves(o.Opcode) && len(o.Moves) > 0:
		return text, errMoves
	}
	text = append(text, o.Opcode...)
	game := fianchetto.NewGame(pos)
	for _, m := range o.Moves {
		pos = game.Position()
		if m == fianchetto.NoMove && pos.InCheck() {
			return text, errNullInCheck
		}
		if err := game.Play(m); err != nil {
			return text, err
		}
		text = pos.AppendSAN(append(text, ' '), m)
		if o.Opcode != variation {
			game.TakeBack()
		}
	}
	for _, operand := range o.Operands {
		if !isNumber(operand) {
			operand = `"` + escape.Replace(operand) + `"`
		}
		text = append(append(text, ' '), operand...)
	}
	return append(text, ';'), nil
}

var escape = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

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
