package main

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/magic"
)

// magicNumber is a magic number in the form of its JSON.
type magicNumber struct {
	Piece  string `json:"piece"`
	Square string `json:"square"`
	Number string `json:"number"`
	Shift  uint8  `json:"shift"`
	Tries  int    `json:"tries,omitzero"`
}

func newMagicNumber(m magic.Magic) magicNumber {
	return magicNumber{m.Piece.String(), m.Square.String(), hex(m.Factor), m.Shift, m.Tries}
}

// magicWindow is a built-in number with its window of the table.
type magicWindow struct {
	magicNumber
	Start       int `json:"start"`
	Span        int `json:"span"`
	Occupancies int `json:"occupancies"`
	Used        int `json:"used"`
}

func newMagicWindow(m magic.Magic) magicWindow {
	used := m.Used()
	return magicWindow{newMagicNumber(m), m.Start, slices.Max(used) + 1, 1 << m.Mask.Len(), len(used)}
}

// magicTotals are the sums over the built-in numbers.
type magicTotals struct {
	Magics      int `json:"magics"`
	Occupancies int `json:"occupancies"`
	Slots       int `json:"slots"`
	Used        int `json:"used"`
	TableBytes  int `json:"table_bytes"`
	OtherBytes  int `json:"other_bytes"` // of numbers, masks and pointers
	Tries       int `json:"tries"`
}

func newMagicTotals(numbers []magic.Magic) magicTotals {
	const slotBytes = 8
	t := magicTotals{Magics: len(numbers)}
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

// magicInfo is what magic info reports.
type magicInfo struct {
	magicTotals
	Numbers []magicWindow `json:"numbers,omitempty"`
}

// magicReport is what magic verify reports.
type magicReport struct {
	Magics      int              `json:"magics"`
	Occupancies int              `json:"occupancies"`
	Collisions  []magicCollision `json:"collisions"`
}

// magicCollision is a slot that would have to hold two sets of attacks.
type magicCollision struct {
	magicNumber
	Occupancy string `json:"occupancy"`
	Attacks   string `json:"attacks"`
	Found     string `json:"found"`
}

func newMagicReport(report magic.Report) magicReport {
	r := magicReport{report.Magics, report.Occupancies, []magicCollision{}}
	for _, c := range report.Collisions {
		r.Collisions = append(r.Collisions, magicCollision{
			newMagicNumber(c.Magic), hex(uint64(c.Occupancy)), hex(uint64(c.Attacks)), hex(uint64(c.Found)),
		})
	}
	return r
}

// hex formats the 64 bits of a bitboard or a magic number.
func hex(n uint64) string { return fmt.Sprintf("%#016x", n) }
