package epd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

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
	Moves    []fianchetto.Move // of am, bm, pm, pv and sm: pv has a sequence, the others moves of the position; NoMove is a null move
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

// Text returns the operands of the first operation with an opcode, as Operation.Text does; "" if there is none.
func (r *Record) Text(opcode string) string {
	if o := r.Operation(opcode); o != nil {
		return o.Text()
	}
	return ""
}

// Int returns the operand of the first operation with an opcode as a number, and whether there is one operand that is an integer of
// 64 bits.
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
