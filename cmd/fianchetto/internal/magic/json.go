package magic

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// number is a magic number in the form of its JSON.
type number struct {
	Piece  string `json:"piece"`
	Square string `json:"square"`
	Number string `json:"number"`
	Shift  uint8  `json:"shift"`
	Tries  int    `json:"tries,omitzero"`
}

func newNumber(m magic.Magic) number {
	return number{m.Piece.String(), m.Square.String(), figures.Hex(m.Factor), m.Shift, m.Tries}
}

// window is a built-in number with its window of the table.
type window struct {
	number
	Start       int `json:"start"`
	Span        int `json:"span"`
	Occupancies int `json:"occupancies"`
	Used        int `json:"used"`
}

func newWindow(m magic.Magic) window {
	used := m.Used()
	return window{newNumber(m), m.Start, slices.Max(used) + 1, 1 << m.Mask.Len(), len(used)}
}

// totals are the sums over the built-in numbers.
type totals struct {
	Magics      int `json:"magics"`
	Occupancies int `json:"occupancies"`
	Slots       int `json:"slots"`
	Used        int `json:"used"`
	TableBytes  int `json:"table_bytes"`
	OtherBytes  int `json:"other_bytes"` // of numbers, masks and pointers
	Tries       int `json:"tries"`
}

func newTotals(numbers []magic.Magic) totals {
	const slotBytes = 8
	t := totals{Magics: len(numbers)}
	for _, m := range numbers {
		t.Occupancies += 1 << m.Mask.Len()
		t.Slots = max(t.Slots, m.Start+m.Slots())
		t.Used += len(m.Used())
		t.Tries += m.Tries
	}
	t.TableBytes = t.Slots * slotBytes
	t.OtherBytes = magic.TableBytes - t.TableBytes
	return t
}

// info is what magic info reports.
type info struct {
	totals
	Numbers []window `json:"numbers,omitempty"`
}

// report is what magic verify reports.
type report struct {
	Magics      int         `json:"magics"`
	Occupancies int         `json:"occupancies"`
	Collisions  []collision `json:"collisions"`
}

// collision is a slot that would have to hold two sets of attacks.
type collision struct {
	number
	Occupancy string `json:"occupancy"`
	Attacks   string `json:"attacks"`
	Found     string `json:"found"`
}

func newReport(numbers []magic.Magic, collisions []magic.Collision) report {
	r := report{Magics: len(numbers), Collisions: []collision{}}
	for _, m := range numbers {
		r.Occupancies += 1 << m.Mask.Len()
	}
	for _, c := range collisions {
		r.Collisions = append(r.Collisions, collision{
			newNumber(c.Magic), figures.Hex(uint64(c.Occupancy)), figures.Hex(uint64(c.Attacks)), figures.Hex(uint64(c.Found)),
		})
	}
	return r
}

// String sums the report up, as in "128 magics, 107648 occupancies, 0 collisions".
func (r report) String() string {
	return figures.Plural(r.Magics, "magic", "magics") + ", " + figures.Plural(r.Occupancies, "occupancy", "occupancies") + ", " +
		figures.Plural(len(r.Collisions), "collision", "collisions")
}
