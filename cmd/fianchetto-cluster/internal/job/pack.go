package job

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// A packed position is 8 bytes of occupied squares, a1 the lowest bit of the first, and for each of them, from a1 to h8, half a byte,
// the low half first, with the piece as core.StateOf numbers them: 24 bytes for the pieces of the start. Squares are
// as the side to move sees them.

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

// unpack reads the packed position that bytes begin with, and returns its length, 0 if there are too few bytes. What it reads need
// not be a position yet.
func unpack(bytes []byte) (s core.State, length int) {
	if len(bytes) < 8 {
		return s, 0
	}
	occupied := binary.LittleEndian.Uint64(bytes)
	length = 8 + (bits.OnesCount64(occupied)+1)/2
	if len(bytes) < length {
		return s, 0
	}
	for i := 0; occupied != 0; occupied &= occupied - 1 {
		code := uint64(bytes[8+i/2] >> (i % 2 * 4) & 15)
		n := bits.TrailingZeros64(occupied)
		for plane := range s {
			s[plane] |= code >> plane & 1 << n
		}
		i++
	}
	return s, length
}

// packedHead is the head of the packed form of fianchetto.Position, of a position of standard chess with White to move: version and flags,
// the halfmove clock, and the number of the move, 1.
var packedHead = [6]byte{0: 1, 4: 1}

// positionOf returns the position of a state, as White's to move, which it counts alike. The planes of a state are those of the packed form of
// a position. It returns ErrPosition, with every reason, if the position is not playable, or its state is another.
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
