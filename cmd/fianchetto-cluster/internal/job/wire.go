package job

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"unicode"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Version is the version of the messages. Others are refused.
const Version = 2

// A message consists of four letters for its kind, the version, the build of the writing program,
// the fields, and a CRC-64 of all preceding bytes. Numbers are the varints of encoding/binary. A
// text is its length and its bytes.
//
// As a line of text, a message is the word for its kind, a space, and the bytes in base64.

// Message is a *Task or a *Result.
type Message interface {
	kind() kind
	code(*coder) // writes or reads each field
}

// kind is a kind of message.
type kind struct{ word, letters string }

var crcTable = crc64.MakeTable(crc64.ECMA)

const checksumSize = 8

// Encode returns a message as bytes.
func Encode(m Message) []byte {
	c := &coder{kind: m.kind(), message: append(make([]byte, 0, 256), m.kind().letters...)}
	m.code(c)
	return appendChecksum(c.message)
}

func appendChecksum(message []byte) []byte {
	return binary.LittleEndian.AppendUint64(message, crc64.Checksum(message, crcTable))
}

// Decode reads a message made by Encode. It returns ErrMessage, ErrVersion and, for a task,
// ErrPosition. It checks the fields common to all versions first, so that the error for another
// version names it.
func Decode(message []byte, m Message) error {
	c := &coder{kind: m.kind(), message: message, offset: len(m.kind().letters), reads: true}
	if !bytes.HasPrefix(message, []byte(c.kind.letters)) {
		c.fail("kind", 0, fmt.Errorf("%w: it begins with %q, not %q", ErrMessage, shorten(message), c.kind.letters))
	}
	m.code(c)
	if c.err == nil && c.offset != len(c.message) {
		c.fail("end", c.offset, fmt.Errorf("%w: %d bytes too many", ErrMessage, len(c.message)-c.offset))
	}
	return c.err
}

// Line returns a message as one line without a line end.
func Line(m Message) []byte {
	return base64.StdEncoding.AppendEncode([]byte(m.kind().word+" "), Encode(m))
}

// ReadLine reads a line made by Line. It returns the errors of Decode.
func ReadLine(line []byte, m Message) error {
	c := &coder{kind: m.kind()}
	text, ok := bytes.CutPrefix(line, []byte(c.kind.word+" "))
	if !ok {
		c.fail("first word", 0, fmt.Errorf("%w: %q is not %q", ErrMessage, shorten(line), c.kind.word))
		return c.err
	}
	message, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	if err != nil {
		c.fail("base64", len(c.kind.word)+1, fmt.Errorf("%w: %w", ErrMessage, err))
		return c.err
	}
	return Decode(message, m)
}

func shorten(line []byte) []byte { return line[:min(len(line), 20)] }

// coder writes or reads the fields of a message, so that each is named once. After the first error
// it reads zeros.
type coder struct {
	kind    kind
	message []byte
	reads   bool // false: it appends to the message and cannot fail
	offset  int  // the next byte to read
	err     error
}

func (c *coder) fail(field string, offset int, err error) {
	if c.err == nil {
		c.err = fmt.Errorf("%s message: %s at offset %d: %w", c.kind.word, field, offset, err)
	}
}

// build codes the version and the build. On reading it also checks and removes the checksum.
func (c *coder) build(build *string) {
	version, start := Version, c.offset
	number(c, "version", &version, 1<<31)
	c.text("build", build, maxText)
	end := len(c.message) - checksumSize
	switch {
	case !c.reads || c.err != nil:
	case version != Version:
		c.fail("version", start, fmt.Errorf("%w: it is of version %d, from build %q; this is version %d, build %q",
			ErrVersion, version, *build, Version, Build()))
	case end < c.offset:
		c.fail("checksum", c.offset, errShort)
	case binary.LittleEndian.Uint64(c.message[end:]) != crc64.Checksum(c.message[:end], crcTable):
		c.fail("checksum", end, fmt.Errorf("%w: it is damaged", ErrMessage))
	default:
		c.message = c.message[:end]
	}
}

// errShort is the error of a truncated message.
var errShort = fmt.Errorf("%w: it ends too soon", ErrMessage)

// take returns the next n bytes, which a writer must fill, or nil if fewer remain. start is the
// offset of the field for the error.
func (c *coder) take(field string, start, n int) []byte {
	switch {
	case !c.reads:
		c.message = append(c.message, make([]byte, n)...)
		return c.message[len(c.message)-n:]
	case c.err != nil:
		return nil
	case n > len(c.message)-c.offset:
		c.fail(field, start, errShort)
		return nil
	}
	c.offset += n
	return c.message[c.offset-n : c.offset]
}

// number codes a number up to limit.
func number[T ~int | ~int64 | ~uint64](c *coder, field string, value *T, limit uint64) {
	if !c.reads {
		c.message = binary.AppendUvarint(c.message, uint64(*value))
		return
	}
	var read uint64
	if c.err == nil {
		var n int
		if read, n = binary.Uvarint(c.message[c.offset:]); n <= 0 || read > limit {
			c.fail(field, c.offset, fmt.Errorf("%w: no number from 0 to %d", ErrMessage, limit))
			read = 0
		}
		c.offset += max(0, n)
	}
	*value = T(read)
}

// flag codes a bool as 1 or 0.
func (c *coder) flag(field string, value *bool) {
	bit := 0
	if *value {
		bit = 1
	}
	if number(c, field, &bit, 1); c.reads {
		*value = bit == 1
	}
}

// length codes the number of values, up to limit. The values follow.
func length[T any](c *coder, field string, values *[]T, limit uint64) {
	n := len(*values)
	if number(c, field, &n, limit); c.reads {
		*values = make([]T, n)
	}
}

// maxText is the maximum length of a text without its own limit.
const maxText = 200

// text codes a printable text of up to limit bytes.
func (c *coder) text(field string, text *string, limit int) {
	start, n := c.offset, len(*text)
	if number(c, field, &n, uint64(limit)); !c.reads {
		c.message = append(c.message, *text...)
		return
	}
	if *text = string(c.take(field, start, n)); !printable(*text) {
		c.fail(field, start, fmt.Errorf("%w: %s cannot be shown", ErrMessage, quote.Text(*text, 0)))
	}
}

// method codes a method by its name.
func (c *coder) method(m *perft.Method) {
	start, name := c.offset, m.String()
	c.text("method", &name, maxText)
	if !c.reads {
		return
	}
	var err error
	if *m, err = perft.ParseMethod(name); err != nil {
		c.fail("method", start, fmt.Errorf("%w: %w", ErrMessage, err))
	}
}

// bytes codes len(value) bytes.
func (c *coder) bytes(field string, value []byte) {
	taken := c.take(field, c.offset, len(value))
	if c.reads {
		copy(value, taken)
	} else {
		copy(taken, value)
	}
}

func printable(text string) bool {
	for _, c := range text {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return utf8.ValidString(text)
}

// state codes a position as core packs it. It does not check whether the position is valid.
func (c *coder) state(s *core.State) {
	if packed := c.take("position", c.offset, core.StateSize); c.reads && packed != nil {
		*s = core.ReadState(packed)
	} else if !c.reads {
		s.Append(packed[:0])
	}
}

// positionOf returns the position of a state with White to move, which has the same counts. It
// returns ErrPosition, with every reason, if the position is not playable or its state is another.
func positionOf(s *core.State) (fianchetto.Position, error) {
	b, setup := s.Board(), fianchetto.NewSetup()
	for i, pieces := range [...]bitboard.Bitboard{b.Pawns, b.Knights, b.Diagonals &^ b.Orthogonals,
		b.Orthogonals &^ b.Diagonals, b.Diagonals & b.Orthogonals, b.Kings()} {
		for square := range pieces.Squares() {
			color := bitboard.White
			if b.Them.Has(square) {
				color = bitboard.Black
			}
			setup.Put(square, bitboard.PieceOf(color, bitboard.Pawn+bitboard.PieceType(i)))
		}
	}
	setup.CastlingRooks = b.CastlingRooks()
	if target := b.EnPassant(); target != 0 {
		setup.EnPassant = target.First()
	}
	pos, err := setup.Position()
	if err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != *s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, *s, pos.FEN())
	}
	return pos, nil
}
