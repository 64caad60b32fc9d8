package attacks

import (
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// lines are the four lines through a square, without the square itself.
type lines struct {
	rank, file, diagonal, antiDiagonal bitboard.Bitboard
}

const linesBytes = 64 * 4 * 8

var (
	linesOnce  sync.Once
	linesTable [64]lines
)

// linesThrough returns the lines through s.
func linesThrough(s bitboard.Square) *lines {
	linesOnce.Do(fillLines)
	return &linesTable[s&63]
}

func fillLines() {
	for i := range linesTable {
		s := bitboard.Square(i)
		linesTable[s] = lines{
			rank:         bitboard.RankLine.Through(s).Without(s),
			file:         bitboard.FileLine.Through(s).Without(s),
			diagonal:     bitboard.DiagonalLine.Through(s).Without(s),
			antiDiagonal: bitboard.AntiDiagonalLine.Through(s).Without(s),
		}
	}
}

const firstRankBytes = 8 * 64

var (
	firstRankOnce  sync.Once
	firstRankTable [8][64]uint8
)

// alongFirstRank returns the attacks along the first rank of a slider on a file, under an occupancy of the six files
// b to g: what stands on a or h stops a ray that ends there anyway.
func alongFirstRank(file bitboard.File, inner bitboard.Bitboard) bitboard.Bitboard {
	firstRankOnce.Do(fillFirstRank)
	return bitboard.Bitboard(firstRankTable[file&7][inner&63])
}

func fillFirstRank() {
	for file := range firstRankTable {
		for inner := range firstRankTable[file] {
			s, occupancy := bitboard.Square(file), bitboard.Bitboard(inner)<<1
			firstRankTable[file][inner] = uint8(bitboard.Walk(s, bitboard.East, occupancy) | bitboard.Walk(s, bitboard.West, occupancy))
		}
	}
}
