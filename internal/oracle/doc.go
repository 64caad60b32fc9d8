// Package oracle is a second move generator, slow and simple, written from the
// rules of chess alone. Tests compare the fast generator with it.
//
// The board is an array of 64 squares. The moves of a piece are found by walking
// from square to square, and a move is legal if the king of the side that makes it
// is not attacked afterwards. There are no sets of squares, tables, pins or check
// masks, so that the two generators do not share a mistake. Of package bitboard it
// uses only the types of squares, colours and pieces.
//
// One rule for castling serves standard chess, Chess960 and double Chess960, in which
// the two sides start with different arrays. A castling is written as king takes rook.
// Sources: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package oracle
