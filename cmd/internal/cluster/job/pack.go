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

// positionOf returns the position of a state, as White's to move, which it counts alike. It returns ErrPosition, with
// every reason, if it is not playable, or would be packed otherwise.
func positionOf(s *core.State) (fianchetto.Position, error) {
	fen := fenOf(s)
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != *s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, *s, fen)
	}
	return pos, nil
}

// codeLetters are the letters in a FEN of what core.StateOf numbers. Castling rooks are rooks, and 8 is a pawn.
const codeLetters = " PNBRQKRppnbrqkr"

// fenOf formats a state, with castling rights by the files of the rooks.
func fenOf(s *core.State) string {
	fen := make([]byte, 0, 96)
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for square := 8 * rank; square < 8*rank+8; square++ {
			code := s[0]>>square&1 | s[1]>>square&1<<1 | s[2]>>square&1<<2 | s[3]>>square&1<<3
			if code == 0 {
				empty++
				continue
			}
			fen = append(appendEmpty(fen, empty), codeLetters[code])
			empty = 0
		}
		fen = append(appendEmpty(fen, empty), '/')
	}
	fen = append(fen[:len(fen)-1], " w "...)
	return string(appendEnPassant(appendCastling(fen, s), s))
}

func appendEmpty(fen []byte, squares byte) []byte {
	if squares == 0 {
		return fen
	}
	return append(fen, '0'+squares)
}

func appendCastling(fen []byte, s *core.State) []byte {
	castling := s[0] & s[1] & s[2]
	if castling == 0 {
		return append(fen, '-')
	}
	for ; castling != 0; castling &= castling - 1 {
		square := bits.TrailingZeros64(castling)
		letter := 'A' + byte(square%8)
		if s[3]>>square&1 != 0 {
			letter += 'a' - 'A'
		}
		fen = append(fen, letter)
	}
	return fen
}

func appendEnPassant(fen []byte, s *core.State) []byte {
	captured := s[3] &^ (s[0] | s[1] | s[2])
	if captured == 0 {
		return append(fen, " -"...)
	}
	return append(fen, ' ', 'a'+byte(bits.TrailingZeros64(captured)%8), '6')
}
