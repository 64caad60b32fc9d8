package bitboard

import "testing"

// TestPrintedFormulas has the wrong formulas on the pages that this package follows, as they are
// printed, and counts the ordered pairs of squares, of 4,096, for which each fails.
//
// The page "Intersection Squares" prints the routine for rank and diagonal a second time under the
// name of the one for rank and anti-diagonal. Its prose shifts by sizeof(int)-1, which is 3 and not
// 31: where a rank leaves the board, that yields some negative number and not the promised -1. On
// the pages "Diagonals" and "Anti-Diagonals", masking the square difference with 7 turns a negative
// file difference into a positive one, and steps of 9 or 7 may go around the edge; of a multiple of
// 7 the page itself warns.
func TestPrintedFormulas(t *testing.T) {
	for _, p := range []struct {
		name     string
		fails    func(a, b Square) bool
		failures int
		a, b     Square // one of the pairs
	}{
		{"rank and anti-diagonal", func(a, b Square) bool { return rankDiagonal(a, b) != rankAntiDiagonal(a, b) },
			3264, A2, B1},
		{"file and diagonal, by sizeof", func(a, b Square) bool {
			s88 := 17*fileOf(a) + 2*int32(b&56) - 16*fileOf(b)
			printed, want := (s88>>1&56+s88&7)|-(s88&0x88)>>3, int32(fileDiagonal(a, b))
			return printed != want && (want != int32(NoSquare) || printed != -1)
		}, 1248, H1, A2},
		{"diagonal, by mask", func(a, b Square) bool {
			return ((int(b)-int(a))&7 == int(b>>3)-int(a>>3)) != (a.Diagonal() == b.Diagonal())
		}, 224, H1, A2},
		{"diagonal, by nine", func(a, b Square) bool { return ((int(b)-int(a))%9 == 0) != (a.Diagonal() == b.Diagonal()) },
			112, H1, A3},
		{"anti-diagonal, by mask", func(a, b Square) bool {
			return ((int(b)-int(a))&7+int(b>>3)-int(a>>3) == 0) != (a.AntiDiagonal() == b.AntiDiagonal())
		}, 224, B1, A2},
		{"anti-diagonal, by seven", func(a, b Square) bool {
			return ((int(b)-int(a))%7 == 0) != (a.AntiDiagonal() == b.AntiDiagonal())
		}, 242, A1, H1},
	} {
		failures := 0
		everyPair(func(a, b Square) {
			if p.fails(a, b) {
				failures++
			}
		})
		if failures != p.failures || !p.fails(p.a, p.b) {
			t.Errorf("%s: as printed it fails for %d pairs, want %d, and for %v and %v: %v", p.name, failures, p.failures,
				p.a, p.b, p.fails(p.a, p.b))
		}
	}
}
