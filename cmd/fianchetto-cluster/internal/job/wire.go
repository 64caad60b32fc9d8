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

// A message is four letters for its kind, the version, the build of the program that wrote it, its contents, and eight
// bytes of CRC-64 over all that. Numbers are varints, as encoding/binary has them; a text is its length and its bytes.
//
// As text, in one line, it is the kind in words, a space, and the bytes in base64.

// kind is a kind of message.
type kind struct{ word, letters string }

var (
	taskKind   = kind{"task", "FiTk"}
	resultKind = kind{"result", "FiRs"}
)

var crcTable = crc64.MakeTable(crc64.ECMA)

const checksumSize = 8

// errShort is the error of a message that lacks its end.
var errShort = fmt.Errorf("%w: it ends too soon", ErrMessage)

// begin appends the head of a message.
func (k kind) begin(dst []byte, build string) []byte {
	dst = binary.AppendUvarint(append(dst, k.letters...), Version)
	return appendText(dst, build)
}

// end appends the checksum of the message that begins at start.
func (k kind) end(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint64(dst, crc64.Checksum(dst[start:], crcTable))
}

// line returns a message as a line without its end.
func (k kind) line(message []byte) []byte {
	return base64.StdEncoding.AppendEncode([]byte(k.word+" "), message)
}

// readLine decodes the message of a line into a value.
func readLine[T any](value *T, line []byte, k kind, decode func([]byte) (*T, error)) error {
	r := &reader{kind: k}
	text, ok := bytes.CutPrefix(line, []byte(k.word+" "))
	if !ok {
		r.fail("first word", 0, fmt.Errorf("%w: %q is not %q", ErrMessage, shorten(line), k.word))
		return r.err
	}
	message, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	if err != nil {
		r.fail("base64", len(k.word)+1, fmt.Errorf("%w: %w", ErrMessage, err))
		return r.err
	}
	decoded, err := decode(message)
	if err == nil {
		*value = *decoded
	}
	return err
}

func shorten(line []byte) []byte { return line[:min(len(line), 20)] }

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// reader reads a message. After the first error it reads zeros.
type reader struct {
	kind    kind
	message []byte
	offset  int
	err     error
}

// read begins to read a message, and returns the build that wrote it. It checks what all versions have in common first,
// so that the error for another version names it.
func (k kind) read(message []byte) (r *reader, build string) {
	r = &reader{kind: k, message: message}
	if len(message) < len(k.letters) || string(message[:len(k.letters)]) != k.letters {
		r.fail("kind", 0, fmt.Errorf("%w: it begins with %q, not %q", ErrMessage, shorten(message), k.letters))
		return r, ""
	}
	r.offset = len(k.letters)
	start := r.offset
	version := r.number("version", 1<<31)
	build = r.text("build", maxText)
	if r.err == nil && version != Version {
		r.fail("version", start, fmt.Errorf("%w: it is of version %d, from build %q; this is version %d, build %q",
			ErrVersion, version, build, Version, Build()))
	}
	r.checkSum()
	return r, build
}

// checkSum checks the checksum, and takes it off the message.
func (r *reader) checkSum() {
	end := len(r.message) - checksumSize
	switch {
	case r.err != nil:
	case end < r.offset:
		r.fail("checksum", r.offset, errShort)
	case binary.LittleEndian.Uint64(r.message[end:]) != crc64.Checksum(r.message[:end], crcTable):
		r.fail("checksum", end, fmt.Errorf("%w: it is damaged", ErrMessage))
	default:
		r.message = r.message[:end]
	}
}

// end returns the first error; unread input is an error.
func (r *reader) end() error {
	if r.err == nil && r.offset != len(r.message) {
		r.fail("end", r.offset, fmt.Errorf("%w: %d bytes too many", ErrMessage, len(r.message)-r.offset))
	}
	return r.err
}

func (r *reader) fail(field string, offset int, err error) {
	if r.err == nil {
		r.err = fmt.Errorf("%s message: %s at offset %d: %w", r.kind.word, field, offset, err)
	}
}

// number reads a number up to limit.
func (r *reader) number(field string, limit uint64) uint64 {
	if r.err != nil {
		return 0
	}
	value, n := binary.Uvarint(r.message[r.offset:])
	if n <= 0 || value > limit {
		r.fail(field, r.offset, fmt.Errorf("%w: no number from 0 to %d", ErrMessage, limit))
		return 0
	}
	r.offset += n
	return value
}

// maxText is the greatest length of a text in a message, unless a field has its own.
const maxText = 200

// take reads n bytes; nil if there are fewer. An error is about the field that begins at start.
func (r *reader) take(field string, start, n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.message)-r.offset {
		r.fail(field, start, errShort)
		return nil
	}
	r.offset += n
	return r.message[r.offset-n : r.offset]
}

// text reads a text that can be shown in a line, of up to limit bytes.
func (r *reader) text(field string, limit int) string {
	start := r.offset
	text := string(r.take(field, start, int(r.number(field, uint64(limit)))))
	if !printable(text) {
		r.fail(field, start, fmt.Errorf("%w: %s cannot be shown", ErrMessage, quote.Text(text, 0)))
	}
	return text
}

// method reads the name of a method.
func (r *reader) method(field string) perft.Method {
	start := r.offset
	m, err := perft.ParseMethod(r.text(field, maxText))
	if err != nil {
		r.fail(field, start, fmt.Errorf("%w: %w", ErrMessage, err))
	}
	return m
}

func printable(text string) bool {
	for _, c := range text {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return utf8.ValidString(text)
}

func (r *reader) id() (id ID) {
	copy(id[:], r.take("job", r.offset, len(id)))
	return id
}

// A packed position is 8 bytes of occupied squares, a1 the lowest bit of the first, and for each of them, from a1 to
// h8, half a byte, the low half first, with the piece as core.StateOf numbers them: 24 bytes for the pieces of the
// start. Squares are as the side to move sees them.

// appendPacked packs a position.
func appendPacked(dst []byte, s *core.State) []byte {
	occupied := s[0] | s[1] | s[2] | s[3]
	dst = binary.LittleEndian.AppendUint64(dst, occupied)
	half := false
	for ; occupied != 0; occupied &= occupied - 1 {
		n := bits.TrailingZeros64(occupied)
		code := byte(s[0]>>n&1 | s[1]>>n&1<<1 | s[2]>>n&1<<2 | s[3]>>n&1<<3)
		if half {
			dst[len(dst)-1] |= code << 4
		} else {
			dst = append(dst, code)
		}
		half = !half
	}
	return dst
}

// state reads a packed position, which need not be one yet.
func (r *reader) state() (s core.State) {
	const field = "position"
	start := r.offset
	head := r.take(field, start, 8)
	if head == nil {
		return s
	}
	occupied := binary.LittleEndian.Uint64(head)
	codes := r.take(field, start, (bits.OnesCount64(occupied)+1)/2)
	for i := 0; occupied != 0 && codes != nil; occupied &= occupied - 1 {
		code := uint64(codes[i/2] >> (i % 2 * 4) & 15)
		n := bits.TrailingZeros64(occupied)
		for plane := range s {
			s[plane] |= code >> plane & 1 << n
		}
		i++
	}
	return s
}

// position reads a packed position, which must be playable.
func (r *reader) position() (s core.State, pos fianchetto.Position) {
	start := r.offset
	if s = r.state(); r.err != nil {
		return s, pos
	}
	pos, err := positionOf(&s)
	if err != nil {
		r.fail("position", start, err)
	}
	return s, pos
}

// packedHead is the head of the packed form of fianchetto.Position, of a position of standard chess with White to move:
// version and flags, the halfmove clock, and the number of the move, 1.
var packedHead = [6]byte{0: 1, 4: 1}

// positionOf returns the position of a state, as White's to move, which it counts alike. The planes of a state are
// those of the packed form of a position. It returns ErrPosition, with every reason, if the position is not playable,
// or its state is another.
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
