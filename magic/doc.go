// Package magic looks up bishop and rook attacks with magic bitboards: the
// relevant occupancy of a square, multiplied by a factor found by search, has
// an index into a table of attack sets in its top bits.
//
// [Rook] and [Bishop] are the default lookup, a handful of instructions that
// inline into their callers. Everything behind them can be inspected: the 128
// chosen numbers and their places in one table ([Numbers]), the search that
// finds such numbers ([Find]), and the proof that a set of them is sound
// ([Verify]).
//
// The numbers are chosen so that the windows of all squares, although they are
// equally long, fit into each other's holes: 128 windows of 2.25 MB in a table
// of less than 1 MB.
//
// Source: https://www.chessprogramming.org/Magic_Bitboards
package magic

//go:generate go run ./internal/magicgen -output numbers.go
