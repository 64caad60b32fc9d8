package bitboard

import "testing"

// The texts that this package implements have errors. Each test here puts a formula as it is printed
// next to the definition, shows on how many of the 4,096 ordered pairs of squares it fails, and that
// the formula of this package fails on none.

// failures counts the pairs for which wrong reports true.
func failures(wrong func(a, b Square) bool) int {
	n := 0
	everyPair(func(a, b Square) {
		if wrong(a, b) {
			n++
		}
	})
	return n
}

// expectFailures compares the counted failures of the printed formula and of ours.
func expectFailures(t *testing.T, want int, printed, ours func(a, b Square) bool) {
	t.Helper()
	if got := failures(printed); got != want {
		t.Errorf("the printed formula fails for %d of 4096 pairs, want %d", got, want)
	}
	if got := failures(ours); got != 0 {
		t.Errorf("our formula fails for %d of 4096 pairs", got)
	}
}

// printedSquare turns the printed 0x88 coordinate into a square or -1, by the given right shift.
func printedSquare(s88, shift int32) int32 {
	return (s88>>1&56 + s88&7) | -(s88&0x88)>>shift
}

// orMinusOne is an intersection as the wiki writes it: the index, or -1 for none.
func orMinusOne(s Square) int32 {
	if s == NoSquare {
		return -1
	}
	return int32(s)
}

// Intersection Squares prints the routine for rank and diagonal a second time under the name of the one
// for rank and anti-diagonal.
func TestPrintedRankAntiDiagonalIsRankDiagonal(t *testing.T) {
	want := func(a, b Square) Square { return walkIntersection(RankLine, a, AntiDiagonalLine, b) }
	expectFailures(t, 3264,
		func(a, b Square) bool {
			s88 := 17*rankOf(a) - rankOf(b) + fileOf(b)
			return printedSquare(s88, 31) != orMinusOne(want(a, b))
		},
		func(a, b Square) bool { return RankAntiDiagonal(a, b) != want(a, b) })
}

// The other routines of that page are right as they are printed.
func TestPrintedIntersectionsThatAreRight(t *testing.T) {
	printed := []struct {
		ka, kb LineKind
		square func(a, b Square) int32
	}{
		{RankLine, FileLine, func(a, b Square) int32 { return int32(a&56) + int32(b&7) }},
		{RankLine, DiagonalLine, func(a, b Square) int32 {
			return printedSquare(17*rankOf(a)-rankOf(b)+fileOf(b), 31)
		}},
		{FileLine, DiagonalLine, func(a, b Square) int32 {
			return printedSquare(17*fileOf(a)+2*int32(b&56)-16*fileOf(b), 31)
		}},
		{FileLine, AntiDiagonalLine, func(a, b Square) int32 {
			return printedSquare(2*int32(b&56)+16*fileOf(b)-15*fileOf(a), 31)
		}},
		{DiagonalLine, AntiDiagonalLine, func(a, b Square) int32 {
			s88x2 := 17*(rankOf(b)+fileOf(b)) + 15*(rankOf(a)-fileOf(a))
			return (s88x2>>2&56 + s88x2>>1&7) | -(s88x2&0x111)>>31
		}},
	}
	for _, p := range printed {
		n := failures(func(a, b Square) bool {
			return p.square(a, b) != orMinusOne(walkIntersection(p.ka, a, p.kb, b))
		})
		if n != 0 {
			t.Errorf("%v and %v as printed fails for %d pairs", p.ka, p.kb, n)
		}
	}
}

// The prose of that page shifts by sizeof(int)-1, which is 3 and not 31. Where a rank leaves the board
// that yields some negative number and not the -1 that is promised.
func TestPrintedShiftBySizeofInt(t *testing.T) {
	want := func(a, b Square) Square { return walkIntersection(FileLine, a, DiagonalLine, b) }
	printed := func(shift int32) func(a, b Square) bool {
		return func(a, b Square) bool {
			s88 := 17*fileOf(a) + 16*rankOf(b) - 16*fileOf(b)
			return printedSquare(s88, shift) != orMinusOne(want(a, b))
		}
	}
	ours := func(a, b Square) bool { return FileDiagonal(a, b) != want(a, b) }
	expectFailures(t, 1248, printed(3), ours)
	expectFailures(t, 0, printed(31), ours)
}

// Diagonals masks the square difference with 7, which turns a negative file difference into a positive
// one: h1 and a2 share a diagonal by it.
func TestPrintedSameDiagonalByMask(t *testing.T) {
	printed := func(a, b Square) bool { return (int(b)-int(a))&7 == int(b>>3)-int(a>>3) }
	want := func(a, b Square) bool { return walkLine(DiagonalLine, a).Has(b) }
	expectFailures(t, 224,
		func(a, b Square) bool { return printed(a, b) != want(a, b) },
		func(a, b Square) bool { return SameDiagonal(a, b) != want(a, b) })
	ascending := failures(func(a, b Square) bool { return b >= a && printed(a, b) != want(a, b) })
	if ascending != 84 {
		t.Errorf("%d failures with the second square not below the first, want 84", ascending)
	}
	if !printed(H1, A2) || SameDiagonal(H1, A2) {
		t.Error("h1 and a2 should share a diagonal as printed, and do not")
	}
}

// Diagonals also tests the square difference for a multiple of 9, which steps around the edge can be
// too: h1 and a3.
func TestPrintedSameDiagonalByNine(t *testing.T) {
	printed := func(a, b Square) bool { return (int(b)-int(a))%9 == 0 }
	want := func(a, b Square) bool { return walkLine(DiagonalLine, a).Has(b) }
	expectFailures(t, 112,
		func(a, b Square) bool { return printed(a, b) != want(a, b) },
		func(a, b Square) bool { return SameDiagonal(a, b) != want(a, b) })
	if !printed(H1, A3) || SameDiagonal(H1, A3) {
		t.Error("h1 and a3 should share a diagonal as printed, and do not")
	}
}

// Anti-Diagonals masks in the same way and wants the sum with the rank difference to be zero, which it is
// not for b1 and a2: 7 + 1. It warns that a multiple of 7 would misjudge a1 and h8; so it does a1 and h1, and
// 242 pairs in all.
func TestPrintedSameAntiDiagonal(t *testing.T) {
	byMask := func(a, b Square) bool { return (int(b)-int(a))&7+int(b>>3)-int(a>>3) == 0 }
	bySeven := func(a, b Square) bool { return (int(b)-int(a))%7 == 0 }
	want := func(a, b Square) bool { return walkLine(AntiDiagonalLine, a).Has(b) }
	ours := func(a, b Square) bool { return SameAntiDiagonal(a, b) != want(a, b) }
	expectFailures(t, 224, func(a, b Square) bool { return byMask(a, b) != want(a, b) }, ours)
	expectFailures(t, 242, func(a, b Square) bool { return bySeven(a, b) != want(a, b) }, ours)
	if byMask(B1, A2) || !SameAntiDiagonal(B1, A2) {
		t.Error("b1 and a2 should share no anti-diagonal as printed, and do")
	}
	if !bySeven(A1, H1) || SameAntiDiagonal(A1, H1) {
		t.Error("a1 and h1 should share an anti-diagonal as printed, and do not")
	}
}

// "Finding Bishop Moves" counts files and ranks from 1, and calls a position valid if both are
// between 1 and 7. They go to 8, or 15 squares would not be on the board.
func TestPrintedCoordinatesEndAtSeven(t *testing.T) {
	beyondSeven := Empty
	for s := range allSquares {
		x, y := int(s.File())+1, int(s.Rank())+1
		if x < 1 || x > 8 || y < 1 || y > 8 {
			t.Errorf("%v has coordinates [%d,%d]", s, x, y)
		}
		if x > 7 || y > 7 {
			beyondSeven = beyondSeven.With(s)
		}
	}
	if want := FileH.Mask() | Rank8.Mask(); beyondSeven != want || beyondSeven.Len() != 15 {
		t.Errorf("refused as printed:\n%v", beyondSeven)
	}
}

// Its example calls d5 both [5,4] and [4,5]. In the order file, rank it is [4,5], and the rising
// diagonal from it passes e6, f7 and g8; [5,4] is e4.
func TestPrintedCoordinatesOfD5(t *testing.T) {
	if got := SquareAt(4-1, 5-1); got != D5 {
		t.Errorf("[4,5] is %v", got)
	}
	if got := SquareAt(5-1, 4-1); got != E4 {
		t.Errorf("[5,4] is %v", got)
	}
	if got := Walk(D5, NorthEast, Empty); got != BitboardOf(E6, F7, G8) {
		t.Errorf("from d5 to the north-east:\n%v", got)
	}
}

// It also swaps the colours of the bishops, gives Black's king's bishop and White's queen's bishop the
// light squares, and takes a dark-squared bishop from a1 to d5, which is light.
func TestPrintedColoursOfTheBishops(t *testing.T) {
	for s, want := range map[Square]Color{
		C1: Black, // White's queen's bishop
		F8: Black, // Black's king's bishop
		F1: White, // White's king's bishop
		C8: White, // Black's queen's bishop
		B3: White, // so "Bb3" with Black to move is the queen's bishop indeed
		A1: Black,
		D5: White,
	} {
		if got := s.Color(); got != want {
			t.Errorf("%v is a %v square, want %v", s, got, want)
		}
	}
}
