package job

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Version is that of the messages. Programs of another version are refused.
const Version = 2

// A message is four letters for its kind, the version, the build of the program that wrote it, its
// fields, and eight bytes of CRC-64 over all that. Numbers are varints, as encoding/binary has
// them; a text is its length and its bytes.
//
// As text, in one line, it is the kind in words, a space, and the bytes in base64.

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

// Decode reads a message that Encode made. Its errors are ErrMessage, ErrVersion and, of a task,
// ErrPosition. It checks what all versions have in common first, so that the error for another
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

// Line returns a message as one line, without its end.
func Line(m Message) []byte {
	return base64.StdEncoding.AppendEncode([]byte(m.kind().word+" "), Encode(m))
}

// ReadLine reads a line that Line made. Its errors are those of Decode.
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

// coder writes the fields of a message, or reads them, so that each is named once. After the first
// error it reads zeros.
type coder struct {
	kind    kind
	message []byte
	reads   bool // else it appends to the message, and has no errors
	offset  int  // of what is read next
	err     error
}

func (c *coder) fail(field string, offset int, err error) {
	if c.err == nil {
		c.err = fmt.Errorf("%s message: %s at offset %d: %w", c.kind.word, field, offset, err)
	}
}

// build is the version, and the build. When it is read it checks the checksum, too, and takes it
// off the message.
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

// errShort is the error of a message that lacks its end.
var errShort = fmt.Errorf("%w: it ends too soon", ErrMessage)

// take returns the next n bytes, to be filled if the message is written; nil if there are fewer. An
// error is about the field that begins at start.
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

// number is a number up to limit.
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

// flag is 1 if it is set, and else 0.
func (c *coder) flag(field string, value *bool) {
	bit := 0
	if *value {
		bit = 1
	}
	if number(c, field, &bit, 1); c.reads {
		*value = bit == 1
	}
}

// length is the number of values, up to limit, of which each follows.
func length[T any](c *coder, field string, values *[]T, limit uint64) {
	n := len(*values)
	if number(c, field, &n, limit); c.reads {
		*values = make([]T, n)
	}
}

// maxText is the greatest length of a text in a message, unless a field has its own.
const maxText = 200

// text is a text that can be shown in a line, of up to limit bytes.
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

// method is the name of a method.
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

// bytes are as many bytes as value has.
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

// A packed position is 8 bytes of occupied squares, a1 the lowest bit of the first, and for each of
// them, from a1 to h8, half a byte, the low half first, with the piece as core.StateOf numbers
// them: 24 bytes for the pieces of the start. Squares are as the side to move sees them.

// state is a packed position. What is read need not be one yet.
func (c *coder) state(s *core.State) {
	const field = "position"
	var head [8]byte
	start, occupied := c.offset, s[0]|s[1]|s[2]|s[3]
	binary.LittleEndian.PutUint64(head[:], occupied)
	c.bytes(field, head[:])
	occupied = binary.LittleEndian.Uint64(head[:])
	codes := c.take(field, start, (bits.OnesCount64(occupied)+1)/2)
	for i := 0; occupied != 0 && codes != nil; occupied &= occupied - 1 {
		n, half := bits.TrailingZeros64(occupied), i%2*4
		if c.reads {
			code := uint64(codes[i/2] >> half & 15)
			for plane := range s {
				s[plane] |= code >> plane & 1 << n
			}
		} else {
			code := byte(s[0]>>n&1 | s[1]>>n&1<<1 | s[2]>>n&1<<2 | s[3]>>n&1<<3)
			codes[i/2] |= code << half
		}
		i++
	}
}

// packedHead is the head of the packed form of fianchetto.Position, of a position of standard chess
// with White to move: version and flags, the halfmove clock, and the number of the move, 1.
var packedHead = [6]byte{0: 1, 4: 1}

// positionOf returns the position of a state, as White's to move, which it counts alike. The planes
// of a state are those of the packed form of a position. It returns ErrPosition, with every reason,
// if the position is not playable, or its state is another.
func positionOf(s *core.State) (pos fianchetto.Position, err error) {
	packed := append(make([]byte, 0, fianchetto.PackedSize), packedHead[:]...)
	for _, plane := range s {
		packed = binary.LittleEndian.AppendUint64(packed, plane)
	}
	if err := pos.UnmarshalBinary(packed); err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != *s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, *s, pos.FEN())
	}
	return pos, nil
}
