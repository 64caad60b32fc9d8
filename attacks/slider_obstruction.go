package attacks

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// obstruction finds the nearest piece on either side of the slider on a line and takes their
// difference as numbers: all bits from the lower to the upper one.
var obstruction = Algorithm{
	Name:       "obstruction",
	Source:     "chessprogramming wiki, Obstruction Difference: https://www.chessprogramming.org/Obstruction_Difference",
	TableBytes: linesBytes,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return difference(s, occupancy, l.diagonal) | difference(s, occupancy, l.antiDiagonal)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return difference(s, occupancy, l.file) | difference(s, occupancy, l.rank)
	},
}

// difference returns the attacks along a line. If there is no piece below, a1 stands in for one, which is as
// low; if there is none above, the upper end is 2^64, which is 0.
func difference(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	below := s.Bitboard() - 1
	lower := line & occupancy & below
	upper := line & occupancy &^ below
	nearestLower := uint64(1) << (63 - bits.LeadingZeros64(uint64(lower|1)))
	nearestUpper := uint64(upper & -upper)
	return bitboard.Bitboard(2*nearestUpper-nearestLower) & line
}
