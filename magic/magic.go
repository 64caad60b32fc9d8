// Package magic finds and verifies the numbers of magic bitboards. The relevant occupancy of a
// slider's square times its number contains in its top bits an index into the square's window of a
// table of attack sets. See docs/magic-bitboards.md.
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
	Factor uint64             // the magic number
	Shift  uint8              // 64 minus the bits of an index, 48..63
	Start  int                // the slot of index 0 in a shared table, else 0
	Tries  int                // the candidates tried by the search, including this one; 0 without a search
}

// minShift gives windows sixteen times as large as any square needs.
const minShift = 48

// Index returns the slot of an occupancy in m's window, 0..m.Slots()-1. Squares outside the mask
// are ignored.
func (m Magic) Index(occupancy bitboard.Bitboard) int {
	return int(uint64(occupancy&m.mask()) * m.Factor >> m.Shift)
}

// Slots returns the length of m's window.
func (m Magic) Slots() int { return 1 << (64 - m.Shift) }

// String returns m's piece, square, number and shift: "rook d4 0x0802010008008008 >> 52".
func (m Magic) String() string {
	return fmt.Sprintf("%v %v 0x%016x >> %d", m.Piece, m.Square, m.Factor, m.Shift)
}

// Used returns the indices of all relevant occupancies in ascending order, each once.
func (m Magic) Used() []int {
	var indices []int
	for occupancy := range m.mask().Subsets() {
		indices = append(indices, m.Index(occupancy))
	}
	slices.Sort(indices)
	return slices.Compact(indices)
}

func (m Magic) check() error {
	switch {
	case m.Piece != bitboard.Bishop && m.Piece != bitboard.Rook:
		return invalid("piece", m.Piece, "bishop or rook")
	case !m.Square.IsValid():
		return invalid("square", uint8(m.Square), "0 (a1) to 63 (h8)")
	case m.Shift < minShift || m.Shift > 63:
		return invalid("shift", m.Shift, fmt.Sprintf("%d to 63", minShift))
	case m.Start < 0:
		return invalid("start", m.Start, "0 or more")
	}
	return nil
}

func invalid(field string, value any, want string) error {
	return fmt.Errorf("magic: %s is %v, want %s", field, value, want)
}

// Mask returns the relevant occupancy of a bishop or rook on s, 0..63: the squares of its rays
// without the last of each, which blocks no other. The mask of other types is empty.
func Mask(pt bitboard.PieceType, s bitboard.Square) bitboard.Bitboard {
	var mask bitboard.Bitboard
	for _, d := range pt.Directions() {
		mask |= bitboard.Walk(s, d, bitboard.Empty) & bitboard.Full.Shift(-d) // the squares from which another step stays on the board
	}
	return mask
}

func (m Magic) mask() bitboard.Bitboard { return Mask(m.Piece, m.Square) }

func walk(pt bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var attacks bitboard.Bitboard
	for _, d := range pt.Directions() {
		attacks |= bitboard.Walk(s, d, occupancy)
	}
	return attacks
}

type chosenNumber struct {
	factor uint64
	start  int // of its window in the shared table; 0 for variable shifts
	tries  int // the candidates tried by the search
}

// A constant shift lets the lookup check no bounds.
const (
	bishopShift = 55
	rookShift   = 52
)

// Numbers returns the 128 numbers of package attacks: the bishop's from a1 to h8, shift 55, then
// the rook's, shift 52. Their windows, 2.25 MB in all, fill each other's holes in one table below 1
// MB.
func Numbers() []Magic { return list(&fixedNumbers, [2]uint8{bishopShift, rookShift}) }

// VariableNumbers returns 128 magics in the order of [Numbers], each with its own table and one
// index bit for each relevant square.
// Source: chessprogramming wiki, Magic Bitboards, "Fancy".
func VariableNumbers() []Magic { return list(&variableNumbers, [2]uint8{}) }

// list returns the magics of 128 rows with the shifts of bishop and rook. Shift 0 is variable.
func list(numbers *[128]chosenNumber, shifts [2]uint8) []Magic {
	all := make([]Magic, 128)
	for row, n := range numbers {
		pt, s := [...]bitboard.PieceType{bitboard.Bishop, bitboard.Rook}[row/64], bitboard.Square(row%64)
		all[row] = Magic{pt, s, n.factor, cmp.Or(shifts[row/64], variableShift(Mask(pt, s))), n.start, n.tries}
	}
	return all
}

// Collision is a slot with two different sets of attacks.
type Collision struct {
	Magic     Magic             // the number that collides
	Occupancy bitboard.Bitboard // the occupancy whose index is the slot
	Attacks   bitboard.Bitboard // the right attacks of that occupancy
	Found     bitboard.Bitboard // the attacks stored there by an earlier occupancy or number
}

// Verify returns every collision of magics, of which an empty result proves that every relevant
// occupancy leads to its attacks. If all Starts are 0, each magic has its own table. Otherwise they
// share one, in which a slot of two windows must hold the same attacks for both. An invalid field is
// an error.
func Verify(numbers []Magic) ([]Collision, error) {
	shared := slices.ContainsFunc(numbers, func(m Magic) bool { return m.Start != 0 })
	var collisions []Collision
	slots := make(map[int]bitboard.Bitboard)
	for i, m := range numbers {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("number %d: %w", i, err)
		}
		if !shared {
			clear(slots)
		}
		for occupancy := range m.mask().Subsets() {
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

// Fill writes the attacks of every relevant occupancy to its slot and leaves other slots unchanged.
// m.Slots() slots are always enough. [Verify] must accept m.
//
// Fill computes each of the slider's two lines once. They share no relevant square, so that the
// attacks are the union of the lines' attacks, and the product is the sum of their products.
func (m Magic) Fill(window []bitboard.Bitboard) {
	var first, second lineAttacks
	switch m.Piece {
	case bitboard.Bishop:
		first.expand(m, bitboard.NorthEast, bitboard.SouthWest)
		second.expand(m, bitboard.NorthWest, bitboard.SouthEast)
	case bitboard.Rook:
		first.expand(m, bitboard.North, bitboard.South)
		second.expand(m, bitboard.East, bitboard.West)
	}
	for _, a := range first.entries[:first.n] {
		for _, b := range second.entries[:second.n] {
			window[(a.product+b.product)>>m.Shift] = a.attacks | b.attacks
		}
	}
}

// lineAttacks holds the attacks along a line for each of its relevant occupancies.
type lineAttacks struct {
	entries [64]struct {
		product uint64 // occupancy times factor
		attacks bitboard.Bitboard
	}
	n int
}

func (l *lineAttacks) expand(m Magic, forth, back bitboard.Direction) {
	line := bitboard.Walk(m.Square, forth, bitboard.Empty) | bitboard.Walk(m.Square, back, bitboard.Empty)
	for occupancy := range (line & m.mask()).Subsets() {
		e := &l.entries[l.n]
		e.product = uint64(occupancy) * m.Factor
		e.attacks = bitboard.Walk(m.Square, forth, occupancy) | bitboard.Walk(m.Square, back, occupancy)
		l.n++
	}
}
