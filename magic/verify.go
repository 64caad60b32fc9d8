package magic

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Report is what a verification saw.
type Report struct {
	Magics      int         // numbers verified
	Occupancies int         // relevant occupancies of all of them
	Collisions  []Collision // none if the numbers are sound
}

// Collision is a slot that would have to hold two different sets of attacks.
type Collision struct {
	Magic     Magic             // the number, its square and its part of the table
	Occupancy bitboard.Bitboard // one that leads to the slot ...
	Attacks   bitboard.Bitboard // ... its attacks, by the walk ...
	Found     bitboard.Bitboard // ... and what an earlier occupancy, of this or another number, put there
}

// String sums a report up, as in "128 magics, 107648 occupancies, 0 collisions".
func (r Report) String() string {
	return fmt.Sprintf("%s, %s, %s", number(r.Magics, "magic", "magics"), number(r.Occupancies, "occupancy", "occupancies"),
		number(len(r.Collisions), "collision", "collisions"))
}

func number(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// String names the number, the occupancy, the slot and the two sets of attacks.
func (c Collision) String() string {
	return fmt.Sprintf("%v: occupancy %#016x has attacks %#016x, its slot %d holds %#016x",
		c.Magic, uint64(c.Occupancy), uint64(c.Attacks), c.Magic.Start+c.Magic.Index(c.Occupancy), uint64(c.Found))
}

// Verify checks numbers that have a table each: under every relevant occupancy, each must lead to
// the attacks that a walk from square to square finds. It returns an error for a number that is not a
// bishop's or rook's, or whose mask, shift or start is wrong.
func Verify(numbers []Magic) (Report, error) { return verify(numbers, false) }

// VerifyTable checks numbers that share a table: beyond what [Verify] checks, no slot may serve two
// windows unless the attacks are the same.
func VerifyTable(numbers []Magic) (Report, error) { return verify(numbers, true) }

func verify(numbers []Magic, shared bool) (Report, error) {
	report := Report{Magics: len(numbers)}
	slots := make(map[int]bitboard.Bitboard)
	for i, m := range numbers {
		if err := m.check(); err != nil {
			return Report{}, fmt.Errorf("number %d: %w", i, err)
		}
		if !shared {
			clear(slots)
		}
		for occupancy := range m.Mask.Subsets() {
			report.Occupancies++
			slot, attacks := m.Start+m.Index(occupancy), walk(m.Piece, m.Square, occupancy)
			found, taken := slots[slot]
			if taken && found != attacks {
				report.Collisions = append(report.Collisions, Collision{m, occupancy, attacks, found})
			}
			if !taken {
				slots[slot] = attacks
			}
		}
	}
	return report, nil
}
