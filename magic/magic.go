package magic

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Magic is one magic number together with what it is for.
type Magic struct {
	Piece  bitboard.PieceType // Bishop or Rook
	Square bitboard.Square    // 0..63
	Mask   bitboard.Bitboard  // relevant occupancy, Mask(Piece, Square)
	Factor uint64             // the magic number
	Shift  uint8              // 64 minus the bits of an index, MinShift..63
}

// MinShift is the smallest shift this package works with; it makes windows of 65,536 slots, sixteen
// times what the worst square needs.
const MinShift = 48

// Index returns where in its window m has the attacks under an occupancy, 0..m.Slots()-1.
// Squares beyond the mask do not matter.
func (m Magic) Index(occupancy bitboard.Bitboard) int {
	return int(uint64(occupancy&m.Mask) * m.Factor >> m.Shift)
}

// Slots returns the length of m's window, all the values an index can take.
func (m Magic) Slots() int { return 1 << (64 - m.Shift) }

// String names m's slider and square and gives number and shift, as in "rook d4 0x0802010008008008 >> 52".
func (m Magic) String() string {
	return fmt.Sprintf("%v %v 0x%016x >> %d", m.Piece, m.Square, m.Factor, m.Shift)
}

// check returns an *InputError for the first field that holds what no bishop or rook can have.
func (m Magic) check() error {
	switch {
	case m.Piece != bitboard.Bishop && m.Piece != bitboard.Rook:
		return &InputError{"piece", fmt.Sprint(m.Piece), "bishop or rook"}
	case !m.Square.IsValid():
		return &InputError{"square", fmt.Sprint(uint8(m.Square)), "0 (a1) to 63 (h8)"}
	case m.Shift < MinShift || m.Shift > 63:
		return &InputError{"shift", fmt.Sprint(m.Shift), fmt.Sprintf("%d to 63", MinShift)}
	case m.Mask != Mask(m.Piece, m.Square):
		return &InputError{"mask", fmt.Sprintf("%#016x", uint64(m.Mask)), fmt.Sprintf("%#016x, the relevant occupancy of a %v on %v", uint64(Mask(m.Piece, m.Square)), m.Piece, m.Square)}
	}
	return nil
}

// InputError reports a field of a [Magic] or a [Search] that is out of range or wrong.
type InputError struct {
	Field string // the field's name, as in "shift"
	Input string // what it held
	Want  string // what it may hold
}

// Error names the field, what it held and what it may hold.
func (e *InputError) Error() string {
	return fmt.Sprintf("magic: %s is %s, want %s", e.Field, e.Input, e.Want)
}
