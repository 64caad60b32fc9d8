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
	Window    Window            // the number, its square and its part of the table
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
		c.Window.Magic, uint64(c.Occupancy), uint64(c.Attacks), c.Window.Start+c.Window.Index(c.Occupancy), uint64(c.Found))
}

// Verify checks numbers that have a table each: under every relevant occupancy, each must lead to
// the attacks that a walk from square to square finds. It returns an error for a number that is not a
// bishop's or rook's, or whose mask or shift is wrong.
func Verify(numbers []Magic) (Report, error) {
	windows := make([]Window, len(numbers))
	start := 0
	for i, m := range numbers {
		if err := m.check(); err != nil {
			return Report{}, fmt.Errorf("number %d: %w", i, err)
		}
		windows[i] = Window{m, start}
		start += m.Slots()
	}
	return VerifyTable(windows)
}

// VerifyTable checks numbers that share a table: beyond what [Verify] checks, no slot may serve two
// windows unless the attacks are the same. A negative start is an error too.
func VerifyTable(windows []Window) (Report, error) {
	report := Report{Magics: len(windows)}
	slots := make(map[int]bitboard.Bitboard)
	for i, w := range windows {
		if err := w.check(); err != nil {
			return Report{}, fmt.Errorf("number %d: %w", i, err)
		}
		for occupancy := range w.Mask.Subsets() {
			report.Occupancies++
			slot, attacks := w.Start+w.Index(occupancy), walk(w.Piece, w.Square, occupancy)
			found, taken := slots[slot]
			if taken && found != attacks {
				report.Collisions = append(report.Collisions, Collision{w, occupancy, attacks, found})
			}
			if !taken {
				slots[slot] = attacks
			}
		}
	}
	return report, nil
}

func (w Window) check() error {
	if w.Start < 0 {
		return invalid("start", w.Start, "0 or more")
	}
	return w.Magic.check()
}
