// Package core is the hot core of the generator: a board of seven words seen by the side to move,
// the analysis of its king's safety, the sets of legal targets, and the count of legal moves that
// perft spends its time in. The root package wraps it for engines; package perft recurses on it.
//
// The board is always turned so that the side to move plays up the board: its pawns go north, its
// castling rooks stand on rank 1, an en-passant target is on rank 6. Making a move swaps the sides
// and flips the board. So there is one generator, not one for each colour.
//
// Data flows one way: Board -> checks and pins -> sets of targets per piece -> moves or counts.
package core
