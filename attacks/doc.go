// Package attacks computes which squares each piece attacks.
//
// [Knight], [King] and [Pawn] look up a table; [Bishop], [Rook] and [Queen] are the default slider
// attacks, by magic bitboards. All inline into their callers.
// Source: https://www.chessprogramming.org/Attacks
package attacks
