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
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
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
