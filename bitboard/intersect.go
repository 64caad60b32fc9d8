package bitboard

// Intersection squares: where a line through a meets a line of another kind through b, the square
// that two sliding pieces could both reach in one move on an empty board.
//
// Each of the twelve functions is named by its ordered pair of lines: RankDiagonal(a, b) is the
// square on the rank of a and the diagonal of b. They take squares 0..63, have no branches, and
// return NoSquare if the lines meet beyond the edge or, for a diagonal and an anti-diagonal of
// different colours, between squares.
//
// They solve the two linear equations for rank and file and put the result into a 0x88 coordinate,
// 16*rank + file, whose bits 0x88 are set exactly if rank or file is not 0..7.
// Source: chessprogramming wiki, Intersection Squares,
// https://www.chessprogramming.org/Intersection_Squares

// RankFile returns the square on the rank of a and the file of b; there always is one.
func RankFile(a, b Square) Square { return a&56 | b&7 }

// FileRank returns the square on the file of a and the rank of b; there always is one.
func FileRank(a, b Square) Square { return RankFile(b, a) }

// RankDiagonal returns the square on the rank of a and the diagonal of b, NoSquare if there is
// none. Its file is rank(a) - (rank(b) - file(b)).
func RankDiagonal(a, b Square) Square {
	return squareOf0x88(17*rankOf(a) - rankOf(b) + fileOf(b))
}

// DiagonalRank returns the square on the diagonal of a and the rank of b, NoSquare if there is
// none.
func DiagonalRank(a, b Square) Square { return RankDiagonal(b, a) }

// RankAntiDiagonal returns the square on the rank of a and the anti-diagonal of b, NoSquare if
// there is none. Its file is rank(b) + file(b) - rank(a).
//
// The wiki's page repeats the routine for rank and diagonal here, which is wrong for 3,264 of the
// 4,096 pairs.
func RankAntiDiagonal(a, b Square) Square {
	return squareOf0x88(15*rankOf(a) + rankOf(b) + fileOf(b))
}

// AntiDiagonalRank returns the square on the anti-diagonal of a and the rank of b, NoSquare if
// there is none.
func AntiDiagonalRank(a, b Square) Square { return RankAntiDiagonal(b, a) }

// FileDiagonal returns the square on the file of a and the diagonal of b, NoSquare if there is
// none. Its rank is file(a) + (rank(b) - file(b)).
func FileDiagonal(a, b Square) Square {
	return squareOf0x88(17*fileOf(a) + 16*rankOf(b) - 16*fileOf(b))
}

// DiagonalFile returns the square on the diagonal of a and the file of b, NoSquare if there is
// none.
func DiagonalFile(a, b Square) Square { return FileDiagonal(b, a) }

// FileAntiDiagonal returns the square on the file of a and the anti-diagonal of b, NoSquare if
// there is none. Its rank is rank(b) + file(b) - file(a).
func FileAntiDiagonal(a, b Square) Square {
	return squareOf0x88(16*rankOf(b) + 16*fileOf(b) - 15*fileOf(a))
}

// AntiDiagonalFile returns the square on the anti-diagonal of a and the file of b, NoSquare if
// there is none.
func AntiDiagonalFile(a, b Square) Square { return FileAntiDiagonal(b, a) }

// DiagonalAntiDiagonal returns the square on the diagonal of a and the anti-diagonal of b, NoSquare
// if there is none.
//
// Half the sum of the two enumerations is its rank, half their difference its file; so the
// coordinate comes out doubled, and odd if the two lines differ in colour.
func DiagonalAntiDiagonal(a, b Square) Square {
	return squareOfDoubled0x88(17*int32(b.AntiDiagonal()) + 15*(int32(a.Diagonal())-7))
}

// AntiDiagonalDiagonal returns the square on the anti-diagonal of a and the diagonal of b, NoSquare
// if there is none.
func AntiDiagonalDiagonal(a, b Square) Square { return DiagonalAntiDiagonal(b, a) }

// Intersect returns the square on the line of kind ka through a and the line of kind kb through b,
// and whether there is one. There is none if the lines meet beyond the edge or between squares.
//
// The 2*(3+2+1) = 12 combinations of the wiki's page Intersection Squares are the ordered pairs of
// different kinds. Two lines of one kind are the same or parallel and have no single square in
// common, so Intersect returns NoSquare and false for equal kinds, and for kinds and squares that
// are not valid.
//
// For sets of squares, ka.Fill(a) & kb.Fill(b) is the union of the results for every pair of
// members: two fills and one AND for any number of members.
func Intersect(ka LineKind, a Square, kb LineKind, b Square) (Square, bool) {
	if max(ka, kb) > AntiDiagonalLine || !a.IsValid() || !b.IsValid() || ka == kb {
		return NoSquare, false
	}
	s := intersections[ka][kb](a, b)
	return s, s.IsValid()
}

// intersections are the twelve functions by the kinds of their lines.
var intersections = [4][4]func(a, b Square) Square{
	RankLine:         {FileLine: RankFile, DiagonalLine: RankDiagonal, AntiDiagonalLine: RankAntiDiagonal},
	FileLine:         {RankLine: FileRank, DiagonalLine: FileDiagonal, AntiDiagonalLine: FileAntiDiagonal},
	DiagonalLine:     {RankLine: DiagonalRank, FileLine: DiagonalFile, AntiDiagonalLine: DiagonalAntiDiagonal},
	AntiDiagonalLine: {RankLine: AntiDiagonalRank, FileLine: AntiDiagonalFile, DiagonalLine: AntiDiagonalDiagonal},
}

// rankOf and fileOf are the indices 0..7 as signed numbers, for differences.
func rankOf(s Square) int32 { return int32(s >> 3) }
func fileOf(s Square) int32 { return int32(s & 7) }

// squareOf0x88 returns the square of a 0x88 coordinate, NoSquare for one off the board.
func squareOf0x88(s88 int32) Square {
	return squareUnless(s88&0x88, s88>>1&56|s88&7)
}

// squareOfDoubled0x88 returns the square of half a 0x88 coordinate, NoSquare for one that is odd or
// off the board.
func squareOfDoubled0x88(s88x2 int32) Square {
	return squareUnless(s88x2&0x111, s88x2>>2&56|s88x2>>1&7)
}

// squareUnless returns s, 0..63, if off is zero, and NoSquare if off is positive, without a branch:
// the arithmetic shift by 31 makes every bit of none the sign of -off. (The wiki's page writes
// sizeof(int)-1 for the 31; that is 3, and an off of 0x80 or 0x88 then leaves bits of s in place.)
func squareUnless(off, s int32) Square {
	none := -off >> 31
	return Square(s&^none | int32(NoSquare)&none)
}
