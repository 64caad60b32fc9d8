// Package bitboard is the vocabulary of the board: squares, files, ranks,
// diagonals and anti-diagonals, colours and pieces, and the Bitboard, a set of
// squares in one 64-bit word.
//
// Everywhere the mapping is little-endian rank-file: a1 = 0, b1 = 1, h1 = 7,
// a2 = 8, h8 = 63. File = square & 7, rank = square >> 3.
// Source: https://www.chessprogramming.org/Square_Mapping_Considerations
//
// The package imports the standard library only.
package bitboard
