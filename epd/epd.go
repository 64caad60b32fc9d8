// Package epd reads and writes positions with operations in Extended Position Description, one
// position on each line:
//
//	1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//
//	for record, err := range epd.Read(file, "bratko-kopec.epd") {
//		if err != nil {
//			log.Print(err) // file, line, offset and cause; reading continues with the next line
//			continue
//		}
//		fmt.Println(record.Text("id"), record.Position.SAN(record.Moves("bm")[0]))
//	}
//
// Parse reads a line, Record.AppendText writes one. The operations of the standard with moves are
// am (avoid moves), bm (best moves), pm (predicted move), pv (predicted variation) and sm (supplied
// move). Others have numbers, such as acd, acn and acs (depth, nodes and seconds of an analysis),
// ce (evaluation in centipawns) and dm (moves to mate), or strings, such as id and the comments c0
// to c9. The clocks, hmvc and fmvn, are part of the position.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description, and the Standard:
// Portable Game Notation Specification and Implementation Guide, revised 1994.03.12, section 16.2
package epd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// The problems of a record that is read or written. A position that cannot be read or played from
// is a *fianchetto.PositionError, an illegal move a *fianchetto.MoveError.
const (
	errNoPosition  fianchetto.Problem = "no position"
	errOpcode      fianchetto.Problem = "malformed opcode (want a letter first)"
	errString      fianchetto.Problem = "unterminated string"
	errClock       fianchetto.Problem = "malformed clock (want a number)"
	errMoves       fianchetto.Problem = "moves and operands that do not fit the opcode"
	errNullInCheck fianchetto.Problem = "null move in check"
	errLineBreak   fianchetto.Problem = "line break within the line"
)

// Error reports what is wrong with a line, and where. If reading the file itself fails, Field is
// "file" and Err the reader's error.
type Error struct {
	File   string // the name given to Read; "" from Parse
	Line   int    // from 1; 0 from Parse
	Offset int    // the first byte of Input that shows the problem, 0..len(Input)
	Field  string // "position", a field of a FEN, "operation", an opcode, "line" or "file"
	Input  string // the line, or its first 64 KiB
	Err    error  // the cause
}

// Error names the place, the field and the cause, in one line, and quotes the input from the offset
// on unless the cause does.
func (e *Error) Error() string {
	place := ""
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	var position *fianchetto.PositionError
	var move *fianchetto.MoveError
	switch cause := strings.TrimPrefix(e.Err.Error(), "fianchetto: "); {
	case errors.As(e.Err, &position):
		return place + cause
	case errors.As(e.Err, &move):
		return fmt.Sprintf("%s%s at offset %d: %s", place, e.Field, e.Offset, cause)
	default:
		return fmt.Sprintf("%s%s at offset %d, %s: %s", place, e.Field, e.Offset,
			quote.Text(e.Input[min(e.Offset, len(e.Input)):], 0), cause)
	}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Record is a position and its operations.
type Record struct {
	Position   fianchetto.Position // with the clocks of the operations hmvc and fmvn, or of a FEN; 0 and 1 without
	Operations []Operation         // in their order, without hmvc and fmvn
	Line       int                 // of the file, from 1; 0 if Parse read the record
}

// Operation is an operation of a position: an opcode and its operands.
type Operation struct {
	Opcode   string            // begins with a letter
	Operands []string          // strings without quotes, and numbers; nil if there are Moves
	Moves    []fianchetto.Move // of am, bm, pm, pv and sm; NoMove is a null move
	Offset   int               // byte of the line at which the operation begins; writing does not use it
}

// Opcodes that package epd interprets.
const (
	halfmoveClock  = "hmvc"
	fullmoveNumber = "fmvn"
	variation      = "pv"
)

// moveOpcodes are the opcodes of operations with moves.
var moveOpcodes = []string{"am", "bm", "pm", variation, "sm"}

// hasMoves reports whether operations of an opcode have moves.
func hasMoves(opcode string) bool { return slices.Contains(moveOpcodes, opcode) }

// Text returns the operands with single spaces between them, "" if there are none.
func (o *Operation) Text() string { return strings.Join(o.Operands, " ") }

// Operation returns the first operation with an opcode, nil if there is none.
func (r *Record) Operation(opcode string) *Operation {
	if i := slices.IndexFunc(r.Operations, func(o Operation) bool { return o.Opcode == opcode }); i >= 0 {
		return &r.Operations[i]
	}
	return nil
}

// Text returns the operands of the first operation with an opcode, as Operation.Text does; "" if
// there is none.
func (r *Record) Text(opcode string) string {
	if o := r.Operation(opcode); o != nil {
		return o.Text()
	}
	return ""
}

// Int returns the operand of the first operation with an opcode as a number, and whether there is
// one operand that is an integer of 64 bits.
func (r *Record) Int(opcode string) (n int64, ok bool) {
	n, err := strconv.ParseInt(r.Text(opcode), 10, 64)
	return n, err == nil
}

// Moves returns the moves of the first operation with an opcode, nil if there is none.
func (r *Record) Moves(opcode string) []fianchetto.Move {
	if o := r.Operation(opcode); o != nil {
		return o.Moves
	}
	return nil
}

// isNumber reports whether a text is an integer or a decimal fraction, perhaps with a sign.
func isNumber(text string) bool {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	whole, fraction, point := strings.Cut(text, ".")
	return isDigits(whole) && (!point || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// AppendText appends the record as a line of EPD, without a line break, and implements
// encoding.TextAppender. Moves are in standard algebraic notation, strings in quotes, and clocks
// other than 0 and 1 in the operations hmvc and fmvn, which come first. Parse reads the text back
// as an equal record, except for Line, Offset and nil slices.
//
// It returns an error for a malformed opcode, moves or operands that do not fit the opcode, a null
// move in check, or, as a *fianchetto.MoveError, an illegal move; then nothing is appended.
func (r *Record) AppendText(text []byte) ([]byte, error) {
	pos := r.Position
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

// MarshalText returns the record as AppendText appends it. It implements encoding.TextMarshaler.
func (r *Record) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// append appends an operation of a position, with a semicolon.
func (o *Operation) append(text []byte, pos fianchetto.Position) ([]byte, error) {
	switch {
	case !isOpcode(o.Opcode) || o.Opcode == halfmoveClock || o.Opcode == fullmoveNumber:
		return text, errOpcode
	case hasMoves(o.Opcode) && len(o.Operands) > 0, !hasMoves(o.Opcode) && len(o.Moves) > 0:
		return text, errMoves
	}
	text = append(text, o.Opcode...)
	for _, m := range o.Moves {
		switch {
		case m == fianchetto.NoMove && pos.InCheck():
			return text, errNullInCheck
		case m != fianchetto.NoMove && !pos.IsLegal(m):
			return text, fianchetto.NewGame(pos).Play(m)
		}
		text = pos.AppendSAN(append(text, ' '), m)
		if o.Opcode == variation {
			pos = after(&pos, m)
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

// escape writes backslashes before what a string in quotes cannot hold as it is.
var escape = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
