// Package positions makes chess positions for tests: at random, with the features on which move generators fail, and
// exhaustively for castling.
//
// The positions are FENs, so that every generator reads them by its own means. Package oracle decides which of them are
// playable. Of the packages that it helps to test, it imports only bitboard, for squares and lines.
package positions
