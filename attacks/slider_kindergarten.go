package attacks

import (
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kindergarten gathers the pieces on a line into six bits by a multiplication that adds up what has no
// bit in common, as children do on their fingers. A rank or diagonal, multiplied by the b-file, lands on the eighth
// rank by file; a file, moved to the a-file and multiplied by the long diagonal, does so by rank.
// The six bits choose from the attacks along a first rank or an a-file; the first rank's attacks are copied to all ranks, so that
// the line cuts its own out of them.
var kindergarten = Algorithm{
	Name:       "kindergarten",
	Source:     "chessprogramming wiki, Kindergarten Bitboards: https://www.chessprogramming.org/Kindergarten_Bitboards",
	TableBytes: linesBytes + 2*8*64*8,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		kindergartenOnce.Do(fillKindergarten)
		l := linesThrough(s)
		return gathered(s, occupancy, l.diagonal) | gathered(s, occupancy, l.antiDiagonal)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		kindergartenOnce.Do(fillKindergarten)
		return gathered(s, occupancy, linesThrough(s).rank) | gatheredFile(s, occupancy)
	},
}

const (
	fileB = bitboard.FileAMask << 1

	// From c2 to h7: the diagonal that brings b..g together in the six highest bits for a file, which needs only its
	// six inner ranks.
	diagonalC2H7 bitboard.Bitboard = 0x0080402010080400
)

var (
	kindergartenOnce sync.Once
	rankFills        [8][64]bitboard.Bitboard // first-rank attacks by file and inner occupancy, on all ranks
	aFileAttacks     [8][64]bitboard.Bitboard // a-file attacks by rank and gathered occupancy
)

func fillKindergarten() {
	for file := range rankFills {
		for inner := range rankFills[file] {
			rankFills[file][inner] = alongFirstRank(bitboard.File(file), bitboard.Bitboard(inner)) * bitboard.FileAMask
		}
	}
	for rank := range 8 {
		s := bitboard.SquareAt(bitboard.FileA, bitboard.Rank(rank))
		for occupancy := range bitboard.FileAMask.Subsets() {
			aFileAttacks[rank][gatherFile(occupancy)] = bitboard.Walk(s, bitboard.North, occupancy) | bitboard.Walk(s, bitboard.South, occupancy)
		}
	}
}

// gathered returns the attacks along a rank, a diagonal or an anti-diagonal.
func gathered(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	inner := (occupancy & line) * fileB >> 58 // the six highest bits
	return rankFills[s&7][inner&63] & line
}

func gatheredFile(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	file := s & 7
	return aFileAttacks[s>>3&7][gatherFile(occupancy>>file&bitboard.FileAMask)&63] << file
}

// gatherFile returns the six inner squares of an a-file's occupancy as six bits.
func gatherFile(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return occupancy * diagonalC2H7 >> 58
}
