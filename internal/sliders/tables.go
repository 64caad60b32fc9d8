package sliders

import (
	"fmt"
	"sync"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// relevantOccupancies are 5,248 of bishops and 102,400 of rooks.
const relevantOccupancies = 107648

// fancy gives each square a window with one slot for each relevant occupancy. The lookup must load
// a shift and a slice, and check the index.
var fancy = Algorithm{
	Name:       "fancy",
	Source:     `chessprogramming wiki, Magic Bitboards, "Fancy": https://www.chessprogramming.org/Magic_Bitboards`,
	TableBytes: relevantOccupancies*8 + 128*fancyEntryBytes,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		fancyOnce.Do(fillFancy)
		return fancyEntries[0][s&63].attacks(occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		fancyOnce.Do(fillFancy)
		return fancyEntries[1][s&63].attacks(occupancy)
	},
	trace: func(t *trace) { t.multiply(magic.VariableNumbers()) },
}

const fancyEntryBytes = 48

type fancyEntry struct {
	mask   bitboard.Bitboard
	factor uint64
	window []bitboard.Bitboard
	shift  uint8
}

var (
	fancyOnce    sync.Once
	fancyEntries [2][64]fancyEntry // of bishops, and of rooks
)

func fillFancy() {
	table := make([]bitboard.Bitboard, relevantOccupancies)
	for _, m := range magic.VariableNumbers() {
		m.Fill(table)
		fancyEntries[m.Piece-bitboard.Bishop][m.Square] = fancyEntry{magic.Mask(m.Piece, m.Square), m.Factor, table[:m.Slots()], m.Shift}
		table = table[m.Slots():]
	}
}

func (e *fancyEntry) attacks(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return e.window[uint64(occupancy&e.mask)*e.factor>>(e.shift&63)]
}

// fixed shifts by a constant, so that the index needs no check.
var fixed = Algorithm{
	Name: "fixed",
	Source: `chessprogramming wiki, Magic Bitboards, "Fixed shift": ` +
		"https://www.chessprogramming.org/Magic_Bitboards",
	TableBytes: slots(magic.Numbers())*8 + 128*fixedEntryBytes,
	Bishop:     attacks.Bishop,
	Rook:       attacks.Rook,
	trace:      func(t *trace) { t.multiply(magic.Numbers()) },
}

const fixedEntryBytes = 32

func slots(numbers []magic.Magic) (n int) {
	for _, m := range numbers {
		n = max(n, m.Start+m.Slots())
	}
	return n
}

func (t *trace) multiply(numbers []magic.Magic) {
	m := numbers[64*int(t.piece-bitboard.Bishop)+int(t.square)]
	window := make([]bitboard.Bitboard, m.Slots())
	m.Fill(window)
	mask, index := magic.Mask(m.Piece, m.Square), m.Index(t.occupancy)
	relevant := t.occupancy & mask
	t.squares(mask, "the mask: squares whose occupancy matters")
	t.squares(relevant, "pieces on the mask")
	t.number(bitboard.Bitboard(m.Factor), "the magic number of a %v on %v", t.piece, t.square)
	t.number(relevant*bitboard.Bitboard(m.Factor), "the product")
	t.index(uint64(index), fmt.Sprintf("%d of %d; slot %d of the table", index, m.Slots(), m.Start+index),
		fmt.Sprintf("the index, by a shift right by %d", m.Shift))
	t.found(window[index], "the entry of the table")
}

// pext extracts the relevant occupancy into adjacent bits with BMI2's instruction PEXT, without
// magic numbers. It is slower than magics here, because Go has no intrinsic for PEXT and each
// lookup calls assembly. AMD CPUs before Zen 3 run PEXT in microcode, tens of times slower,
// although Available is true.
var pext = Algorithm{
	Name:        "pext",
	Source:      "chessprogramming wiki, BMI2, PEXT Bitboards: https://www.chessprogramming.org/BMI2#PEXTBitboards",
	TableBytes:  relevantOccupancies*8 + 128*pextEntryBytes,
	unavailable: !hasPEXT,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		pextOnce.Do(fillPEXT)
		return pextEntries[0][s&63].attacks(occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		pextOnce.Do(fillPEXT)
		return pextEntries[1][s&63].attacks(occupancy)
	},
	trace: func(t *trace) {
		pextOnce.Do(fillPEXT)
		e := &pextEntries[t.piece-bitboard.Bishop][t.square]
		index := extract(uint64(t.occupancy), uint64(e.mask))
		t.squares(e.mask, "the mask: squares whose occupancy matters")
		t.squares(t.occupancy&e.mask, "pieces on the mask")
		t.index(index, fmt.Sprintf("%d of %d", index, len(e.window)),
			"the index, their bits moved together at the low end")
		t.found(e.window[index], "the entry of the table")
	},
}

const pextEntryBytes = 32

type pextEntry struct {
	mask   bitboard.Bitboard
	window []bitboard.Bitboard
}

var (
	pextOnce    sync.Once
	pextEntries [2][64]pextEntry // of bishops, and of rooks
)

// fillPEXT relies on the order of Subsets, which is that of the extracted bits as numbers.
func fillPEXT() {
	table := make([]bitboard.Bitboard, 0, relevantOccupancies)
	for _, m := range magic.VariableNumbers() {
		start := len(table)
		mask := magic.Mask(m.Piece, m.Square)
		for occupancy := range mask.Subsets() {
			table = append(table, walker.Attacks(m.Piece, m.Square, occupancy))
		}
		pextEntries[m.Piece-bitboard.Bishop][m.Square] = pextEntry{mask, table[start:]}
	}
}

func (e *pextEntry) attacks(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return e.window[extract(uint64(occupancy), uint64(e.mask))]
}

func extractPortable(source, mask uint64) uint64 {
	extracted := uint64(0)
	for bit := uint64(1); mask != 0; bit <<= 1 {
		if source&mask&-mask != 0 {
			extracted |= bit
		}
		mask &= mask - 1
	}
	return extracted
}
