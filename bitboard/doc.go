// Package bitboard is the vocabulary of the board: squares, files, ranks, diagonals and
// anti-diagonals, colours and pieces, and the Bitboard, a set of squares in one 64-bit word.
//
// Everywhere the mapping is little-endian rank-file: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63. File =
// square & 7, rank = square >> 3.
// Source: https://www.chessprogramming.org/Square_Mapping_Considerations
//
// # Sets
//
// The algebra of sets is that of Go's operators: union b | c, intersection b & c, difference b &^ c,
// symmetric difference b ^ c, complement ^b. Members, sizes, subsets, steps in a direction and fills
// are methods. Squares is the sequence of the members for a range loop; the fastest loop is
//
//	for b != 0 {
//		s := b.First()
//		b &= b - 1
//		...
//	}
//
// # Lines
//
// A square lies on four lines: its File, Rank, Diagonal and AntiDiagonal, each a type with a Mask, and
// distinguished by LineKind. Between and Line return the squares between two squares and the line through
// them. Intersect returns the square that two lines share; RankDiagonal and eleven more do so without a
// branch. LineKind.Fill returns the lines through all members of a set.
//
// # Text
//
// Every type has a String method. Squares, sets, pieces and piece types have a Parse function, and squares
// implement encoding.TextMarshaler and encoding.TextUnmarshaler, so that JSON has them by name. A
// parser that fails returns a *ParseError with the field, the input, the offset and the cause.
//
// The package imports the standard library only.
package bitboard
