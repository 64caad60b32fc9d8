// Package perft counts the leaves of move trees, which is how move generators are validated and compared: a
// count that differs from the published one proves a generator wrong, and Divide says below which move.
//
//	nodes, err := perft.Count(fianchetto.StartPosition(), 6) // 119060324
//
// Depths are in plies. A count is the number of leaves, in 64 bits: if it has more, the error is
// ErrOverflow, never a wrapped number.
//
// Stats says what the last moves are and do, Unique how many positions they lead to, and CheckSuite whether the counts
// of a suite are right.
//
// Source: https://www.chessprogramming.org/Perft
package perft
