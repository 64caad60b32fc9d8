package bitboard

// An intersection square is where a line through a meets a line of another kind through b.
//
// Each of the six functions is named after its lines: rankDiagonal(a, b) is the square on the rank
// of a and the diagonal of b. The functions take squares 0..63, have no branches, and return
// NoSquare if the lines meet beyond the edge or, for a diagonal and an anti-diagonal of different
// colours, between squares.
//
// Each solves the two linear equations for rank and file. The result is a 0x88 coordinate,
// 16*rank + file: one of its bits 0x88 is set exactly if rank or file is outside 0..7.
// Source: https://www.chessprogramming.org/Intersection_Squares

// rankFile always finds a square.
func rankFile(a, b Square) Square { return a&56 | b&7 }

// rankDiagonal: the file is rank(a) - (rank(b) - file(b)).
func rankDiagonal(a, b Square) Square {
	return squareOf0x88(17*rankOf(a) - rankOf(b) + fileOf(b))
}

// rankAntiDiagonal: the file is rank(b) + file(b) - rank(a).
func rankAntiDiagonal(a, b Square) Square {
	return squareOf0x88(15*rankOf(a) + rankOf(b) + fileOf(b))
}

// fileDiagonal: the rank is file(a) + (rank(b) - file(b)).
func fileDiagonal(a, b Square) Square {
	return squareOf0x88(17*fileOf(a) + 16*rankOf(b) - 16*fileOf(b))
}

// fileAntiDiagonal: the rank is rank(b) + file(b) - file(a).
func fileAntiDiagonal(a, b Square) Square {
	return squareOf0x88(16*rankOf(b) + 16*fileOf(b) - 15*fileOf(a))
}

// diagonalAntiDiagonal: the rank is half the sum of the two enumerations, the file half their
// difference. The computed coordinate is therefore doubled, and odd if the lines differ in colour.
func diagonalAntiDiagonal(a, b Square) Square {
	return squareOfDoubled0x88(17*int32(b.AntiDiagonal()) + 15*(int32(a.Diagonal())-7))
}

// Intersect returns the square on the line of kind ka through a and the line of kind kb through b,
// and whether it exists. It does not if the lines meet beyond the edge or between squares, if the
// kinds are equal, or if an argument is invalid.
//
// For sets, ka.Fill(a) & kb.Fill(b) is the union of the results for all pairs.
func Intersect(ka LineKind, a Square, kb LineKind, b Square) (Square, bool) {
	if max(ka, kb) > AntiDiagonalLine || !a.IsValid() || !b.IsValid() || ka == kb {
		return NoSquare, false
	}
	if ka > kb {
		ka, a, kb, b = kb, b, ka, a
	}
	s := intersections[ka][kb](a, b)
	return s, s.IsValid()
}

var intersections = [4][4]func(a, b Square) Square{
	RankLine:     {FileLine: rankFile, DiagonalLine: rankDiagonal, AntiDiagonalLine: rankAntiDiagonal},
	FileLine:     {DiagonalLine: fileDiagonal, AntiDiagonalLine: fileAntiDiagonal},
	DiagonalLine: {AntiDiagonalLine: diagonalAntiDiagonal},
}

func rankOf(s Square) int32 { return int32(s >> 3) }
func fileOf(s Square) int32 { return int32(s & 7) }

func squareOf0x88(s88 int32) Square {
	return squareUnless(s88&0x88, s88>>1&56|s88&7)
}

// squareOfDoubled0x88 returns the square at half a 0x88 coordinate, or NoSquare if the coordinate
// is odd or off the board.
func squareOfDoubled0x88(s88x2 int32) Square {
	return squareUnless(s88x2&0x111, s88x2>>2&56|s88x2>>1&7)
}

// squareUnless returns s, 0..63, if off is zero, and NoSquare if off is positive, without a branch:
// the arithmetic shift by 31 makes every bit of none the sign of -off.
func squareUnless(off, s int32) Square {
	none := -off >> 31
	return Square(s&^none | int32(NoSquare)&none)
}
