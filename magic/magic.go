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
	Start  int                // slot that index 0 stands for, in a table that numbers share; 0 in a table of its own
	Tries  int                // candidates that the search looked at, this one included; 0 if it was not searched
}

// MinShift is the smallest shift this package works with; it makes windows of 65,536 slots, sixteen
// times what the worst square needs.
const MinShift = 48

// Index returns where in its window, the slots from m.Start on, m has the attacks under an occupancy, 0..m.Slots()-1.
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

// Used returns the indices that some relevant occupancy has, ascending; 0 is the first. There are at most as many as
// occupancies, and fewer where occupancies with the same attacks share a slot.
func (m Magic) Used() []int {
	hit := make([]bool, m.Slots())
	for occupancy := range m.Mask.Subsets() {
		hit[m.Index(occupancy)] = true
	}
	var indices []int
	for index, h := range hit {
		if h {
			indices = append(indices, index)
		}
	}
	return indices
}

// check returns an error for the first field that holds what no bishop or rook can have.
func (m Magic) check() error {
	switch {
	case m.Piece != bitboard.Bishop && m.Piece != bitboard.Rook:
		return invalid("piece", m.Piece, "bishop or rook")
	case !m.Square.IsValid():
		return invalid("square", uint8(m.Square), "0 (a1) to 63 (h8)")
	case m.Shift < MinShift || m.Shift > 63:
		return invalid("shift", m.Shift, fmt.Sprintf("%d to 63", MinShift))
	case m.Mask != Mask(m.Piece, m.Square):
		relevant := fmt.Sprintf("%#016x, the relevant occupancy of a %v on %v", uint64(Mask(m.Piece, m.Square)), m.Piece, m.Square)
		return invalid("mask", fmt.Sprintf("%#016x", uint64(m.Mask)), relevant)
	case m.Start < 0:
		return invalid("start", m.Start, "0 or more")
	}
	return nil
}

// invalid reports a field of a [Magic] or a [Search] that is out of range or wrong.
func invalid(field string, value any, want string) error {
	return fmt.Errorf("magic: %s is %v, want %s", field, value, want)
}
