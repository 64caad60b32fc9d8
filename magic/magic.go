// Package magic looks up bishop and rook attacks with magic bitboards: the
// relevant occupancy of a square, multiplied by a factor found by search, has
// an index into a table of attack sets in its top bits.
//
// [Rook] and [Bishop] are the default lookup, a handful of instructions that
// inline into their callers. Everything behind them can be inspected: the 128
// chosen numbers and their places in one table ([Numbers]), the search that
// finds such numbers ([Find]), and the proof that a set of them is sound
// ([Verify]).
//
// The numbers are chosen so that the windows of all squares, although they are
// equally long, fit into each other's holes: 128 windows of 2.25 MB in a table
// of less than 1 MB.
//
// Source: https://www.chessprogramming.org/Magic_Bitboards
package magic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

//go:generate go run ./internal/magicgen -output numbers.go

// Magic is a magic number with its piece and square.
type Magic struct {
	Piece  bitboard.PieceType // Bishop or Rook
	Square bitboard.Square    // 0..63
	Mask   bitboard.Bitboard  // relevant occupancy, Mask(Piece, Square)
	Factor uint64             // the magic number
	Shift  uint8              // 64 minus the bits of an index, MinShift..63
	Start  int                // the slot of index 0 in a table that numbers share; else 0
	Tries  int                // candidates that the search tried, this one included; 0 without a search
}

// MinShift is the smallest shift this package works with; its windows have 65,536 slots, sixteen
// times as many as the worst square needs.
const MinShift = 48

// Index returns the slot for an occupancy in m's window, which begins at m.Start: 0..m.Slots()-1.
// Squares outside the mask do not matter.
func (m Magic) Index(occupancy bitboard.Bitboard) int {
	return int(uint64(occupancy&m.Mask) * m.Factor >> m.Shift)
}

// Slots returns the length of m's window, all the values an index can take.
func (m Magic) Slots() int { return 1 << (64 - m.Shift) }

// String names m's slider and square and gives number and shift, as in "rook d4 0x0802010008008008
// >> 52".
func (m Magic) String() string {
	return fmt.Sprintf("%v %v 0x%016x >> %d", m.Piece, m.Square, m.Factor, m.Shift)
}

// Used returns the indices of all relevant occupancies, ascending; 0 is the first. Occupancies with
// the same attacks may share one.
func (m Magic) Used() []int {
	var indices []int
	for occupancy := range m.Mask.Subsets() {
		indices = append(indices, m.Index(occupancy))
	}
	slices.Sort(indices)
	return slices.Compact(indices)
}

// check returns an error for the first field that is wrong for a bishop or rook.
func (m Magic) check() error {
	switch {
	case m.Piece != bitboard.Bishop && m.Piece != bitboard.Rook:
		return invalid("piece", m.Piece, "bishop or rook")
	case !m.Square.IsValid():
		return invalid("square", uint8(m.Square), "0 (a1) to 63 (h8)")
	case m.Shift < MinShift || m.Shift > 63:
		return invalid("shift", m.Shift, fmt.Sprintf("%d to 63", MinShift))
	case m.Mask != Mask(m.Piece, m.Square):
		relevant := fmt.Sprintf("%#016x, the relevant occupancy of a %v on %v", uint64(Mask(m.Piece, m.Square)),
			m.Piece, m.Square)
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

// Mask returns the relevant occupancy of a slider on s: the squares whose occupancy can change its
// attacks. The last square of each ray is left out: nothing stands behind it. pt is Bishop or Rook,
// s is 0..63; for any other kind the mask is empty.
// Source: chessprogramming wiki, Magic Bitboards, "relevant occupancy".
func Mask(pt bitboard.PieceType, s bitboard.Square) bitboard.Bitboard {
	var mask bitboard.Bitboard
	for _, d := range directions(pt) {
		mask |= bitboard.Walk(s, d, bitboard.Empty) & bitboard.Full.Shift(-d) // from where another step is on the board
	}
	return mask
}

// directions returns the four directions of a slider, none for other kinds.
func directions(pt bitboard.PieceType) []bitboard.Direction {
	switch pt {
	case bitboard.Bishop:
		d := bitboard.BishopDirections()
		return d[:]
	case bitboard.Rook:
		d := bitboard.RookDirections()
		return d[:]
	}
	return nil
}

// walk returns the attacks of a slider on s, square by square: every table is compared with it.
func walk(pt bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var attacks bitboard.Bitboard
	for _, d := range directions(pt) {
		attacks |= bitboard.Walk(s, d, occupancy)
	}
	return attacks
}

// A chosenNumber is a row of the generated file numbers.go.
type chosenNumber struct {
	factor uint64
	start  int // of its window in the table; 0 for variable shifts, whose users lay out tables of their own
	tries  int // candidates that the search looked at
}

// Numbers returns the 128 chosen numbers of the default lookup: the bishop's from a1 to h8, then
// the rook's. Bishops shift by 55 and rooks by 52 on every square. Their windows overlap in one
// table, in each other's holes.
func Numbers() []Magic { return list(&fixedNumbers, [2]uint8{bishopShift, rookShift}) }

// VariableNumbers returns 128 numbers, in the order of [Numbers], for a table each. The shift of a
// square is 64 minus the number of its relevant squares.
// Source: chessprogramming wiki, Magic Bitboards, "Fancy".
func VariableNumbers() []Magic { return list(&variableNumbers, [2]uint8{}) }

// list returns the magics of 128 rows: first the bishop's from a1 to h8, then the rook's. A shift
// of 0 is variable.
func list(numbers *[128]chosenNumber, shifts [2]uint8) []Magic {
	all := make([]Magic, 128)
	for row, n := range numbers {
		pt, s := [...]bitboard.PieceType{bitboard.Bishop, bitboard.Rook}[row/64], bitboard.Square(row%64)
		mask := Mask(pt, s)
		all[row] = Magic{pt, s, mask, n.factor, cmp.Or(shifts[row/64], variableShift(mask)), n.start, n.tries}
	}
	return all
}

// Collision is a slot for two different sets of attacks.
type Collision struct {
	Magic     Magic             // the number, its square and its part of the table
	Occupancy bitboard.Bitboard // one that leads to the slot ...
	Attacks   bitboard.Bitboard // ... its attacks, by the walk ...
	Found     bitboard.Bitboard // ... and what an earlier occupancy, of this or another number, put there
}

// String names the number, the occupancy, the slot and the two sets of attacks.
func (c Collision) String() string {
	return fmt.Sprintf("%v: occupancy %#016x has attacks %#016x, its slot %d holds %#016x",
		c.Magic, uint64(c.Occupancy), uint64(c.Attacks), c.Magic.Start+c.Magic.Index(c.Occupancy), uint64(c.Found))
}

// Verify returns the collisions of numbers that have a table each, none if the numbers are sound:
// every relevant occupancy must lead to the attacks that a walk from square to square finds. It
// returns an error for a number that is not a bishop's or rook's, or whose mask, shift or start is
// wrong.
func Verify(numbers []Magic) ([]Collision, error) { return verify(numbers, false) }

// VerifyTable returns the collisions of numbers that share a table: as in [Verify], and a slot may
// be in two windows only with the same attacks.
func VerifyTable(numbers []Magic) ([]Collision, error) { return verify(numbers, true) }

func verify(numbers []Magic, shared bool) ([]Collision, error) {
	var collisions []Collision
	slots := make(map[int]bitboard.Bitboard)
	for i, m := range numbers {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("number %d: %w", i, err)
		}
		if !shared {
			clear(slots)
		}
		for occupancy := range m.Mask.Subsets() {
			slot, attacks := m.Start+m.Index(occupancy), walk(m.Piece, m.Square, occupancy)
			found, taken := slots[slot]
			if taken && found != attacks {
				collisions = append(collisions, Collision{m, occupancy, attacks, found})
			}
			if !taken {
				slots[slot] = attacks
			}
		}
	}
	return collisions, nil
}
