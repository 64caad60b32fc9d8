package magic

import (
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// One shift serves all squares: as a constant it bounds the index.
const (
	bishopShift = 55 // leaves 9 bits: a bishop in the centre has 9 relevant squares
	rookShift   = 52 // leaves 12 bits: a rook in a corner has 12 relevant squares
)

// An entry is half a cache line, and padded so that it never straddles two.
type entry struct {
	mask   bitboard.Bitboard
	factor uint64
	window *bitboard.Bitboard // the first slot
	_      uint64
}

// The windows of all 128 entries overlap in the table, filling each other's holes. The table takes
// less than half of the memory of whole windows and half of the time to fill, and was faster when
// both were measured, with idle caches as well as under pressure.
var (
	entries [2][64]entry // of bishops, and of rooks
	table   [tableSlots]bitboard.Bitboard
)

// Bishop returns the squares a bishop on s attacks, up to and including the first occupied square
// of each ray. s is 0..63; occupancy may hold any squares, s too.
// Source: chessprogramming wiki, Magic Bitboards, "Fixed shift".
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("magic.Bishop", s)
	}
	e := &entries[0][s&63]
	return load(e.window, uint64(occupancy&e.mask)*e.factor>>bishopShift)
}

// Rook returns the squares a rook on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
// Source: chessprogramming wiki, Magic Bitboards, "Fixed shift".
func Rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("magic.Rook", s)
	}
	e := &entries[1][s&63]
	return load(e.window, uint64(occupancy&e.mask)*e.factor>>rookShift)
}

// load returns a slot of a window. The shift bounds the index, so an array would have no bounds
// check either, but its nil check would read the window's first slot on every lookup. That is one
// more cache line per square: a fifth of the time in this table, and more than half in one of whole
// windows, where all first slots fall into the same few sets of the cache.
func load(window *bitboard.Bitboard, index uint64) bitboard.Bitboard {
	return *(*bitboard.Bitboard)(unsafe.Add(unsafe.Pointer(window), index*8))
}

// TableBytes is the memory of the default lookup, entries included.
const TableBytes = int(unsafe.Sizeof(table) + unsafe.Sizeof(entries))

func init() { fillDefault() }

func fillDefault() {
	for _, m := range Numbers() {
		window := table[m.Start : m.Start+m.Slots()]
		m.Fill(window)
		entries[m.Piece-bitboard.Bishop][m.Square] = entry{mask: m.Mask, factor: m.Factor, window: &window[0]}
	}
}

// Fill writes the attacks under every relevant occupancy to its slot and leaves other slots of the
// window as they are. The window has m.Slots() slots, or as many as the highest index in use needs;
// [Verify] must accept m.
//
// An occupancy is the union of an occupancy of each of the slider's two lines. They share no
// square, so the attacks are the union of the lines' attacks and the product is the sum of the
// lines' products. Fill computes each line once, for at most 64 occupancies; their 4096 pairs cost
// an addition and a union each.
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

// lineAttacks are the attacks along one line under each relevant occupancy of it.
type lineAttacks struct {
	entries [64]struct {
		product uint64 // occupancy times factor
		attacks bitboard.Bitboard
	}
	n int
}

func (l *lineAttacks) expand(m Magic, forth, back bitboard.Direction) {
	line := bitboard.Walk(m.Square, forth, bitboard.Empty) | bitboard.Walk(m.Square, back, bitboard.Empty)
	for occupancy := range (line & m.Mask).Subsets() {
		e := &l.entries[l.n]
		e.product = uint64(occupancy) * m.Factor
		e.attacks = bitboard.Walk(m.Square, forth, occupancy) | bitboard.Walk(m.Square, back, occupancy)
		l.n++
	}
}
