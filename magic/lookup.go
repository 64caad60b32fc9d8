package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

const (
	rookShift   = 52 // leaves 12 bits: a rook in a corner has 12 relevant squares
	bishopShift = 55 // leaves 9 bits: a bishop in the centre has 9 relevant squares
)

// A rookEntry is half a cache line. The fixed shift proves the index to be within the window, so
// that the lookup has no bounds check.
type rookEntry struct {
	mask   bitboard.Bitboard
	factor uint64
	window *[1 << (64 - rookShift)]bitboard.Bitboard
	_      uint64
}

type bishopEntry struct {
	mask   bitboard.Bitboard
	factor uint64
	window *[1 << (64 - bishopShift)]bitboard.Bitboard
	_      uint64
}

var (
	rooks   [64]rookEntry
	bishops [64]bishopEntry

	rookTable   [64][1 << (64 - rookShift)]bitboard.Bitboard
	bishopTable [64][1 << (64 - bishopShift)]bitboard.Bitboard
)

// Rook returns the squares a rook on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
// Source: chessprogramming wiki, Magic Bitboards, "Fixed shift".
func Rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	e := &rooks[s&63]
	return e.window[uint64(occupancy&e.mask)*e.factor>>rookShift]
}

// Bishop returns the squares a bishop on s attacks, up to and including the first occupied square of
// each ray. s is 0..63; occupancy may hold any squares, s too.
// Source: chessprogramming wiki, Magic Bitboards, "Fixed shift".
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	e := &bishops[s&63]
	return e.window[uint64(occupancy&e.mask)*e.factor>>bishopShift]
}

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		r, b := &rooks[s], &bishops[s]
		r.mask, r.factor, r.window = Mask(bitboard.Rook, s), rookFactors[s], &rookTable[s]
		b.mask, b.factor, b.window = Mask(bitboard.Bishop, s), bishopFactors[s], &bishopTable[s]
		fill(r.window[:], Magic{bitboard.Rook, s, r.mask, r.factor, rookShift})
		fill(b.window[:], Magic{bitboard.Bishop, s, b.mask, b.factor, bishopShift})
	}
}
