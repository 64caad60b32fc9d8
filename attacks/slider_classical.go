package attacks

import (
	"math/bits"
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// classical takes each ray of the empty board, finds the first piece on it by bit scan, and takes away
// the ray that goes on from there. Towards higher squares the first piece is the lowest bit, towards
// lower squares the highest.
var classical = Algorithm{
	Name:       "classical",
	Source:     "chessprogramming wiki, Classical Approach: https://www.chessprogramming.org/Classical_Approach",
	TableBytes: 8 * 64 * 8,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		raysOnce.Do(fillRays)
		return upwards(&rays[0], s, occupancy) | upwards(&rays[1], s, occupancy) |
			downwards(&rays[2], s, occupancy) | downwards(&rays[3], s, occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		raysOnce.Do(fillRays)
		return upwards(&rays[4], s, occupancy) | upwards(&rays[5], s, occupancy) |
			downwards(&rays[6], s, occupancy) | downwards(&rays[7], s, occupancy)
	},
}

// rays of the empty board by direction and square: the diagonal ones first, of either kind the two that
// go upwards first.
var (
	raysOnce sync.Once
	rays     [8][64]bitboard.Bitboard
)

func fillRays() {
	directions := [8]bitboard.Direction{
		bitboard.NorthEast, bitboard.NorthWest, bitboard.SouthEast, bitboard.SouthWest,
		bitboard.North, bitboard.East, bitboard.South, bitboard.West,
	}
	for i, d := range directions {
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			rays[i][s] = bitboard.Walk(s, d, bitboard.Empty)
		}
	}
}

// upwards adds h8 to the pieces on a ray: no ray goes on from there, so that an empty ray needs no branch.
func upwards(ray *[64]bitboard.Bitboard, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	first := bits.TrailingZeros64(uint64(ray[s&63]&occupancy | bitboard.H8.Bitboard()))
	return ray[s&63] ^ ray[first&63]
}

// downwards does the same with a1.
func downwards(ray *[64]bitboard.Bitboard, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	first := 63 - bits.LeadingZeros64(uint64(ray[s&63]&occupancy|bitboard.A1.Bitboard()))
	return ray[s&63] ^ ray[first&63]
}
