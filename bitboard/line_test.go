package bitboard

import "testing"

// allSquares yields the 64 squares in order.
var allSquares = Full.Squares()

// directionsOf gives the two opposite directions along each kind of line.
var directionsOf = map[LineKind][2]Direction{
	RankLine:         {East, West},
	FileLine:         {North, South},
	DiagonalLine:     {NorthEast, SouthWest},
	AntiDiagonalLine: {NorthWest, SouthEast},
}

// walkLine is the definition of a line: s, and what the reference walker passes in both directions.
func walkLine(k LineKind, s Square) Bitboard {
	line := s.Bitboard()
	for _, d := range directionsOf[k] {
		line |= Walk(s, d, Empty)
	}
	return line
}

// everyPair calls check for all 4,096 ordered pairs of squares.
func everyPair(check func(a, b Square)) {
	for a := range allSquares {
		for b := range allSquares {
			check(a, b)
		}
	}
}

func TestThroughIsTheWalkedLine(t *testing.T) {
	for k := range AntiDiagonalLine + 1 {
		for s := range allSquares {
			if got, want := k.Through(s), walkLine(k, s); got != want {
				t.Errorf("%v through %v:\n%v\nwant\n%v", k, s, got, want)
			}
		}
	}
	if got := LineKind(4).Through(E4); got != Empty {
		t.Errorf("a kind that is none goes through\n%v", got)
	}
}

// A slanting line is a diagonal or an anti-diagonal.
type slanting interface {
	~uint8
	Mask() Bitboard
	Offset() int
	Nexus() int
	String() string
}

// slant describes the diagonals or the anti-diagonals.
type slant[D slanting] struct {
	of        func(Square) D
	printed   func(rank, file int) int     // as the chess programming wiki numbers them
	numbers   func(printed int) [3]int     // value, offset and nexus
	back      func(offset, nexus int) [2]D // the lines that these stand for
	darkValue int                          // the parity of the value of dark lines; offset and nexus have the other
	step      Direction
	apart     Square
	names     map[Square]string
}

func TestDiagonals(t *testing.T) {
	slant[Diagonal]{
		Square.Diagonal, func(rank, file int) int { return rank - file },
		func(n int) [3]int { return [3]int{7 + n, n, n & 15} },
		func(offset, nexus int) [2]Diagonal {
			return [2]Diagonal{Diagonal(7 + offset), Diagonal((7 + nexus) & 15)}
		},
		1, NorthEast, 9, map[Square]string{A1: "a1/h8", H8: "a1/h8", A8: "a8/", H1: "h1/", B1: "b1/h7"},
	}.check(t)
}

func TestAntiDiagonals(t *testing.T) {
	slant[AntiDiagonal]{
		Square.AntiDiagonal, func(rank, file int) int { return rank + file },
		func(n int) [3]int { return [3]int{n, 7 - n, n ^ 7} },
		func(offset, nexus int) [2]AntiDiagonal {
			return [2]AntiDiagonal{AntiDiagonal(7 - offset), AntiDiagonal(nexus ^ 7)}
		},
		0, NorthWest, 7, map[Square]string{H1: `h1\a8`, A8: `h1\a8`, A1: `a1\`, H8: `h8\`, D3: `f1\a6`},
	}.check(t)
}

// check holds the lines to the printed enumerations and their inverses, and to covering the board,
// each by squares of one colour a step apart.
func (l slant[D]) check(t *testing.T) {
	for s := range allSquares {
		d, printed := l.of(s), l.printed(int(s.Rank()), int(s.File()))
		got, want := [3]int{int(d), d.Offset(), d.Nexus()}, l.numbers(printed)
		if got != want || d.Offset()&15 != d.Nexus() {
			t.Errorf("%v on %v: value, offset and nexus are %v, want %v", s, d, got, want)
		}
		if l.back(d.Offset(), d.Nexus()) != [2]D{d, d} {
			t.Errorf("%v is not what its value, offset and nexus %v stand for", d, got)
		}
		if name, ok := l.names[s]; ok && d.String() != name {
			t.Errorf("%v lies on %v, want %s", s, d, name)
		}
	}
	covered := Empty
	for d := range D(15) {
		if covered&d.Mask() != 0 || d.Mask().Len() != 8-max(d.Offset(), -d.Offset()) {
			t.Errorf("%v: squares\n%v", d, d.Mask())
		}
		covered |= d.Mask()
		dark := d.Mask()&^DarkSquares == 0
		if !dark && d.Mask()&^LightSquares != 0 {
			t.Errorf("%v has both colours", d)
		}
		if dark != (int(d)&1 == l.darkValue) || dark != (d.Offset()&1 != l.darkValue) ||
			dark != (d.Nexus()&1 != l.darkValue) {
			t.Errorf("%v: value %d, offset %d, nexus %d, dark %v", d, int(d), d.Offset(), d.Nexus(), dark)
		}
		previous := NoSquare
		for s := range d.Mask().Squares() {
			if l.of(s) != d {
				t.Errorf("%v has %v, which is on %v", d, s, l.of(s))
			}
			if previous != NoSquare && (s.Bitboard() != previous.Bitboard().Shift(l.step) || s != previous+l.apart) {
				t.Errorf("%v steps from %v to %v", d, previous, s)
			}
			previous = s
		}
	}
	if covered != Full || D(15).Mask() != Empty {
		t.Errorf("all together cover\n%v\nand there is a 16th:\n%v", covered, D(15).Mask())
	}
}

// walkPair finds by walking from a, in each direction, what lies between a and b and the line that
// joins them.
func walkPair(a, b Square) (between, line Bitboard) {
	for k, directions := range directionsOf {
		for _, d := range directions {
			if passed := Walk(a, d, b.Bitboard()); passed.Has(b) {
				return passed.Without(b), walkLine(k, a)
			}
		}
	}
	return Empty, Empty
}

func TestBetweenAndLineAreWalked(t *testing.T) {
	everyPair(func(a, b Square) {
		between, line := walkPair(a, b)
		if got := Between(a, b); got != between {
			t.Errorf("between %v and %v:\n%v\nwant\n%v", a, b, got, between)
		}
		if got := Line(a, b); got != line {
			t.Errorf("line of %v and %v:\n%v\nwant\n%v", a, b, got, line)
		}
	})
}

// A king's moves reach the squares at each distance.
func TestDistanceIsTheNumberOfKingMoves(t *testing.T) {
	for a := range allSquares {
		reached := a.Bitboard()
		for moves := range 8 {
			for b := range allSquares {
				if near := Distance(a, b) <= moves; near != reached.Has(b) {
					t.Errorf("distance of %v and %v is %d; %d king moves lead there: %v", a, b, Distance(a, b), moves,
						reached.Has(b))
				}
			}
			near := reached
			for d := range stepOf {
				reached |= near.Shift(d)
			}
		}
	}
}

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
