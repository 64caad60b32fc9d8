package magic

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Collision is a slot that would have to hold two different sets of attacks.
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

// Verify returns the collisions of numbers that have a table each, none if the numbers are sound: under every relevant occupancy, each must lead to
// the attacks that a walk from square to square finds. It returns an error for a number that is not a
// bishop's or rook's, or whose mask, shift or start is wrong.
func Verify(numbers []Magic) ([]Collision, error) { return verify(numbers, false) }

// VerifyTable returns the collisions of numbers that share a table: beyond what [Verify] checks, no slot may serve two
// windows unless the attacks are the same.
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
