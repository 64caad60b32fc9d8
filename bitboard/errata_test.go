package bitboard

import "testing"

// The pages that this package follows have errors. The tests here put each formula as it is printed next to the
// definition, and count the ordered pairs of squares, of 4,096, for which it fails.

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

// printedSquare turns a 0x88 coordinate into a square or -1 as the wiki does, by a shift to the right.
func printedSquare(s88, shift int32) int32 {
	return (s88>>1&56 + s88&7) | -(s88&0x88)>>shift
}

// The routines of the wiki's page "Intersection Squares". It prints the one for rank and diagonal a second time under
// the name of the one for rank and anti-diagonal. Its prose shifts by sizeof(int)-1, which is 3 and not 31: where a
// rank leaves the board, that yields some negative number and not the promised -1.
func TestPrintedIntersections(t *testing.T) {
	fileDiagonal := func(a, b Square) int32 { return 17*fileOf(a) + 2*int32(b&56) - 16*fileOf(b) }
	for _, p := range []struct {
		name     string
		ka, kb   LineKind
		printed  func(a, b Square) int32
		failures int
	}{
		{"rank and file", RankLine, FileLine, func(a, b Square) int32 { return int32(a&56) + int32(b&7) }, 0},
		{"rank and diagonal", RankLine, DiagonalLine, func(a, b Square) int32 {
			return printedSquare(17*rankOf(a)-rankOf(b)+fileOf(b), 31)
		}, 0},
		{"rank and anti-diagonal", RankLine, AntiDiagonalLine, func(a, b Square) int32 {
			return printedSquare(17*rankOf(a)-rankOf(b)+fileOf(b), 31)
		}, 3264},
		{"file and diagonal", FileLine, DiagonalLine, func(a, b Square) int32 {
			return printedSquare(fileDiagonal(a, b), 31)
		}, 0},
		{"file and diagonal, by sizeof", FileLine, DiagonalLine, func(a, b Square) int32 {
			return printedSquare(fileDiagonal(a, b), 3)
		}, 1248},
		{"file and anti-diagonal", FileLine, AntiDiagonalLine, func(a, b Square) int32 {
			return printedSquare(2*int32(b&56)+16*fileOf(b)-15*fileOf(a), 31)
		}, 0},
		{"diagonal and anti-diagonal", DiagonalLine, AntiDiagonalLine, func(a, b Square) int32 {
			s88x2 := 17*(rankOf(b)+fileOf(b)) + 15*(rankOf(a)-fileOf(a))
			return (s88x2>>2&56 + s88x2>>1&7) | -(s88x2&0x111)>>31
		}, 0},
	} {
		want := func(a, b Square) Square { return (walkLine(p.ka, a) & walkLine(p.kb, b)).First() }
		n := failures(func(a, b Square) bool {
			index := int32(want(a, b))
			if want(a, b) == NoSquare {
				index = -1
			}
			return p.printed(a, b) != index
		})
		if n != p.failures {
			t.Errorf("%s: as printed it fails for %d pairs, want %d", p.name, n, p.failures)
		}
	}
}

// The formulas of the wiki's pages "Diagonals" and "Anti-Diagonals", each with a pair that it is wrong about. Masking
// the square difference with 7 turns a negative file difference into a positive one, and steps of 9 or 7 may go
// around the edge; of a multiple of 7 the page itself warns.
func TestPrintedPredicates(t *testing.T) {
	for _, p := range []struct {
		name     string
		kind     LineKind
		printed  func(a, b Square) bool
		failures int
		a, b     Square
	}{
		{"diagonal, by mask", DiagonalLine,
			func(a, b Square) bool { return (int(b)-int(a))&7 == int(b>>3)-int(a>>3) }, 224, H1, A2},
		{"diagonal, by nine", DiagonalLine, func(a, b Square) bool { return (int(b)-int(a))%9 == 0 }, 112, H1, A3},
		{"anti-diagonal, by mask", AntiDiagonalLine,
			func(a, b Square) bool { return (int(b)-int(a))&7+int(b>>3)-int(a>>3) == 0 }, 224, B1, A2},
		{"anti-diagonal, by seven", AntiDiagonalLine,
			func(a, b Square) bool { return (int(b)-int(a))%7 == 0 }, 242, A1, H1},
	} {
		isWrong := func(a, b Square) bool { return p.printed(a, b) != walkLine(p.kind, a).Has(b) }
		if n := failures(isWrong); n != p.failures || !isWrong(p.a, p.b) {
			t.Errorf("%s: as printed it fails for %d pairs, want %d, and for %v and %v: %v", p.name, n, p.failures, p.a,
				p.b, isWrong(p.a, p.b))
		}
	}
}
