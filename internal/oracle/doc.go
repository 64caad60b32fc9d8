// Package oracle is a second, slow and obvious move generator, written from the
// rules of chess and from nothing else, so that the fast generator has somebody
// to disagree with.
//
// The board is an array of 64 squares. A piece's moves are found by walking from
// square to square; a move is legal if, once it is made, the mover's king is not
// attacked. There are no sets of squares, no tables, no pins and no check masks:
// whatever the fast generator is clever about, the oracle does the long way.
// From package bitboard it takes names only: squares, colours, kinds of pieces.
//
// Castling covers standard chess, Chess960 and double Chess960 (the two sides may
// start with different arrays) by one rule, and is spelled as king takes own rook.
// Sources: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package oracle
