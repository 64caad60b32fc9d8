package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// koggeStone floods the empty squares from the slider in a direction, doubling the distance at each
// of three steps, as a parallel prefix adder propagates its carries; one more step reaches the piece that
// stops the flood. No table, no branch, and it would work on any number of sliders at once.
var koggeStone = Algorithm{
	Name:   "kogge-stone",
	Source: "chessprogramming wiki, Kogge-Stone Algorithm: https://www.chessprogramming.org/Kogge-Stone_Algorithm",
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return floodUp(s, occupancy, 9, notFileA) | floodUp(s, occupancy, 7, notFileH) |
			floodDown(s, occupancy, 9, notFileH) | floodDown(s, occupancy, 7, notFileA)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return floodUp(s, occupancy, 8, bitboard.Full) | floodUp(s, occupancy, 1, notFileA) |
			floodDown(s, occupancy, 8, bitboard.Full) | floodDown(s, occupancy, 1, notFileH)
	},
}

// Where a step may arrive: one to the east never arrives on the a-file, one to the west never on the h-file.
const (
	notFileA = ^bitboard.FileAMask
	notFileH = ^bitboard.FileHMask
)

// floodUp floods towards higher squares, step squares at a time.
func floodUp(s bitboard.Square, occupancy bitboard.Bitboard, step uint, arrivals bitboard.Bitboard) bitboard.Bitboard {
	flooded, open := s.Bitboard(), ^occupancy&arrivals
	flooded |= open & (flooded << step)
	open &= open << step
	flooded |= open & (flooded << (2 * step))
	open &= open << (2 * step)
	flooded |= open & (flooded << (4 * step))
	return flooded << step & arrivals
}

// floodDown floods towards lower squares.
func floodDown(s bitboard.Square, occupancy bitboard.Bitboard, step uint, arrivals bitboard.Bitboard) bitboard.Bitboard {
	flooded, open := s.Bitboard(), ^occupancy&arrivals
	flooded |= open & (flooded >> step)
	open &= open >> step
	flooded |= open & (flooded >> (2 * step))
	open &= open >> (2 * step)
	flooded |= open & (flooded >> (4 * step))
	return flooded >> step & arrivals
}
