package epd

import (
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// AppendText appends the record as a line of EPD, without a line break, and implements encoding.TextAppender. Moves are in standard
// algebraic notation, strings in quotes, and clocks other than 0 and 1 in the operations hmvc and fmvn, which come first. Parse reads the
// text as an equal record, except for Line, Offset and nil slices.
//
// It returns an error for a malformed opcode, moves or operands that do not fit the opcode, a null move in check, or, as a
// *fianchetto.MoveError, an illegal move; then nothing is appended.
func (r *Record) AppendText(text []byte) ([]byte, error) {
	pos := r.Position
	fields := strings.SplitN(pos.FEN(), " ", 5)
	line := append(text, strings.Join(fields[:4], " ")...)
	if clock := int64(pos.HalfmoveClock()); clock != 0 {
		line = strconv.AppendInt(append(line, " hmvc "...), clock, 10)
		line = append(line, ';')
	}
	if number := int64(pos.FullmoveNumber()); number != 1 {
		line = strconv.AppendInt(append(line, " fmvn "...), number, 10)
		line = append(line, ';')
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
			return text, &fianchetto.MoveError{Input: m.String(), FEN: pos.FEN(), Err: fianchetto.ErrIllegalMove}
		}
		text = pos.AppendSAN(append(text, ' '), m)
		if o.Opcode == variation {
			pos = after(&pos, m)
		}
	}
	for _, operand := range o.Operands {
		text = append(text, ' ')
		if isNumber(operand) {
			text = append(text, operand...)
		} else {
			text = appendQuoted(text, operand)
		}
	}
	return append(text, ';'), nil
}

// appendQuoted appends a string in quotes, with backslashes before what a string cannot hold as it is.
func appendQuoted(text []byte, value string) []byte {
	text = append(text, '"')
	for i := range len(value) {
		switch c := value[i]; c {
		case '"', '\\':
			text = append(text, '\\', c)
		case '\n':
			text = append(text, `\n`...)
		case '\r':
			text = append(text, `\r`...)
		case '\t':
			text = append(text, `\t`...)
		default:
			text = append(text, c)
		}
	}
	return append(text, '"')
}
