// Package perft counts the leaves of trees of legal moves, which is how move generators are validated and compared: a
// count that differs from the published one proves a generator wrong, and Divide finds the move below which it differs.
//
//	nodes, err := perft.Count(fianchetto.StartPosition(), 6) // 119060324
//
// Depths are in plies. A count is the number of leaves, in 64 bits; a count that needs more is the error ErrOverflow.
//
//   - [Count] and [Divide] count on the calling goroutine. [Run] counts on all processors, with a hash table, a journal
//     and progress, and can be stopped. A [Counter] counts many positions with one hash table.
//   - [Stats] counts captures, castlings, promotions, checks and mates; [Unique] counts distinct positions.
//
// Source: https://www.chessprogramming.org/Perft
package perft
