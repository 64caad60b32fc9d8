package attacks

import (
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// fancy gives each square a window just as long as its relevant occupancies are many: no slot is wasted,
// but the shift and the place of the window are data, which the lookup has to wait for and to check.
var fancy = Algorithm{
	Name:       "fancy",
	Source:     `chessprogramming wiki, Magic Bitboards, "Fancy": https://www.chessprogramming.org/Magic_Bitboards`,
	TableBytes: relevantOccupancies*8 + 128*fancyEntryBytes,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		fancyOnce.Do(fillFancy)
		return fancyBishops[s&63].attacks(occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		fancyOnce.Do(fillFancy)
		return fancyRooks[s&63].attacks(occupancy)
	},
}

// relevantOccupancies of all squares, 5,248 of bishops and 102,400 of rooks.
const relevantOccupancies = 107648

const fancyEntryBytes = 48

type fancyEntry struct {
	mask   bitboard.Bitboard
	factor uint64
	window []bitboard.Bitboard
	shift  uint8
}

var (
	fancyOnce    sync.Once
	fancyBishops [64]fancyEntry
	fancyRooks   [64]fancyEntry
)

func fillFancy() {
	table := make([]bitboard.Bitboard, relevantOccupancies)
	for _, m := range magic.VariableNumbers() {
		var window []bitboard.Bitboard
		window, table = table[:m.Slots()], table[m.Slots():]
		m.Fill(window)
		entry := fancyEntry{m.Mask, m.Factor, window, m.Shift}
		switch m.Piece {
		case bitboard.Bishop:
			fancyBishops[m.Square] = entry
		case bitboard.Rook:
			fancyRooks[m.Square] = entry
		}
	}
}

func (e *fancyEntry) attacks(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return e.window[uint64(occupancy&e.mask)*e.factor>>(e.shift&63)]
}
