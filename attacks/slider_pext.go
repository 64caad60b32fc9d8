package attacks

import (
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// pext extracts the relevant occupancy into adjacent bits with one instruction, PEXT of BMI2, and has
// neither factors nor holes. Go has no intrinsic for it, so each lookup is a call of assembly and the
// magics stay ahead. AMD CPUs before Zen 3 run PEXT in microcode, tens of times slower; the CPU's flags
// do not report this, so Available is true there too.
var pext = Algorithm{
	Name:        "pext",
	Source:      "chessprogramming wiki, BMI2, PEXT Bitboards: https://www.chessprogramming.org/BMI2#PEXTBitboards",
	TableBytes:  relevantOccupancies*8 + 128*pextEntryBytes,
	unavailable: !hasPEXT,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		pextOnce.Do(fillPEXT)
		return pextBishops[s&63].attacks(occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		pextOnce.Do(fillPEXT)
		return pextRooks[s&63].attacks(occupancy)
	},
}

const pextEntryBytes = 32

type pextEntry struct {
	mask   bitboard.Bitboard
	window []bitboard.Bitboard
}

var (
	pextOnce    sync.Once
	pextBishops [64]pextEntry
	pextRooks   [64]pextEntry
)

func fillPEXT() {
	table := make([]bitboard.Bitboard, 0, relevantOccupancies)
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		table = pextBishops[s].fill(table, magic.Mask(bitboard.Bishop, s), walker.Bishop, s)
		table = pextRooks[s].fill(table, magic.Mask(bitboard.Rook, s), walker.Rook, s)
	}
}

// fill appends the attacks in the order of Subsets, which is that of the extracted bits as a number.
func (e *pextEntry) fill(table []bitboard.Bitboard, mask bitboard.Bitboard, attacks Slider, s bitboard.Square) []bitboard.Bitboard {
	start := len(table)
	for occupancy := range mask.Subsets() {
		table = append(table, attacks(s, occupancy))
	}
	*e = pextEntry{mask, table[start:]}
	return table
}

func (e *pextEntry) attacks(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return e.window[extract(uint64(occupancy), uint64(e.mask))]
}

// extractPortable does what PEXT does, bit by bit.
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
