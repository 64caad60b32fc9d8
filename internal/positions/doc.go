// Package positions makes chess positions for tests: at random, with the features on which move generators fail, and
// exhaustively for castling.
//
// Its positions are FENs, so that every generator reads them for itself. Package oracle decides which of them are
// playable. It imports package bitboard for squares and lines and nothing that it helps to test.
package positions
