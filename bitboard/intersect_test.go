package bitboard

import "testing"

// An intersection is one of the six pairs of line kinds, with its function.
type intersection struct {
	name   string
	ka, kb LineKind
	scalar func(a, b Square) Square
}

var scalarForms = []intersection{
	{"rankFile", RankLine, FileLine, rankFile},
	{"rankDiagonal", RankLine, DiagonalLine, rankDiagonal},
	{"rankAntiDiagonal", RankLine, AntiDiagonalLine, rankAntiDiagonal},
	{"fileDiagonal", FileLine, DiagonalLine, fileDiagonal},
	{"fileAntiDiagonal", FileLine, AntiDiagonalLine, fileAntiDiagonal},
	{"diagonalAntiDiagonal", DiagonalLine, AntiDiagonalLine, diagonalAntiDiagonal},
}

func TestIntersections(t *testing.T) {
	for _, in := range scalarForms {
		t.Run(in.name, func(t *testing.T) {
			found := 0
			everyPair(func(a, b Square) {
				common := walkLine(in.ka, a) & walkLine(in.kb, b)
				if common.Len() > 1 {
					t.Errorf("%v of %v and %v of %v share\n%v", in.ka, a, in.kb, b, common)
				}
				want := common.First()
				if got := in.scalar(a, b); got != want {
					t.Errorf("%v of %v and %v of %v: %v, want %v", in.ka, a, in.kb, b, got, want)
				}
				if s, ok := Intersect(in.ka, a, in.kb, b); s != want || ok != want.IsValid() {
					t.Errorf("Intersect(%v, %v, %v, %v): %v, %v, want %v", in.ka, a, in.kb, b, s, ok, want)
				}
				if s, ok := Intersect(in.kb, b, in.ka, a); s != want || ok != want.IsValid() {
					t.Errorf("Intersect(%v, %v, %v, %v): %v, %v, want %v", in.kb, b, in.ka, a, s, ok, want)
				}
				if got := in.ka.Fill(a.Bitboard()) & in.kb.Fill(b.Bitboard()); got != common {
					t.Errorf("%s of {%v} and {%v}:\n%v\nwant\n%v", in.name, a, b, got, common)
				}
				found += common.Len()
			})
			t.Logf("%d of 4096 pairs have an intersection square", found)
		})
	}
}

// Lines of one kind have no single square in common, so the API answers "none": a1 and c1 asked for
// rank and rank share the whole first rank, a1 and c3 share nothing.
func TestIntersectRefuses(t *testing.T) {
	refuse := func(ka LineKind, a Square, kb LineKind, b Square) {
		if s, ok := Intersect(ka, a, kb, b); ok || s != NoSquare {
			t.Errorf("Intersect(%v, %v, %v, %v): %v, %v", ka, a, kb, b, s, ok)
		}
	}
	for k := range AntiDiagonalLine + 1 {
		everyPair(func(a, b Square) { refuse(k, a, k, b) })
	}
	none := LineKind(4)
	refuse(none, A1, RankLine, B2)
	refuse(RankLine, A1, none, B2)
	refuse(none, A1, none, B2)
	refuse(RankLine, NoSquare, FileLine, B2)
	refuse(RankLine, A1, FileLine, NoSquare)
	refuse(RankLine, A1, FileLine, Square(255))
}
