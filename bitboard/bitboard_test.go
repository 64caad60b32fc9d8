package bitboard

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sets draws bitboards, sparse, dense and even ones alike.
var sets = rapid.Map(rapid.Uint64(), func(bits uint64) Bitboard { return Bitboard(bits) })

// squares draws one of the 64 squares.
var squares = rapid.Map(rapid.Uint8Range(0, 63), func(index uint8) Square { return Square(index) })

// members is the definition of a set: its squares in ascending order.
func members(b Bitboard) (members []Square) {
	for s := range NoSquare {
		if uint64(b)&(1<<s) != 0 {
			members = append(members, s)
		}
	}
	return members
}

// checkSet compares what a set says of itself with its members.
func checkSet(t interface{ Fatalf(string, ...any) }, b Bitboard) {
	want := members(b)
	for s := range NoSquare {
		with, without := b.With(s), b.Without(s)
		if b.Has(s) != slices.Contains(want, s) || !with.Has(s) || without.Has(s) || with^without != s.Bitboard() ||
			with != b && without != b {
			t.Fatalf("has %v: %v; with it\n%v\nwithout it\n%v", s, b.Has(s), with, without)
		}
	}
	sequence := b.Squares()
	for range 2 { // a sequence may be ranged over again
		if got := slices.Collect(sequence); !slices.Equal(got, want) {
			t.Fatalf("squares %v, want %v", got, want)
		}
	}
	var popped []Square
	rest := b
	for rest != Empty {
		popped = append(popped, rest.Pop())
	}
	ends := want
	if b == Empty {
		ends = []Square{NoSquare}
	}
	if !slices.Equal(popped, want) || b.Len() != len(want) || BitboardOf(want...) != b || rest.Pop() != NoSquare ||
		b.First() != ends[0] || b.Last() != ends[len(ends)-1] {
		t.Fatalf("popped %v of %d, first %v, last %v, want %v", popped, b.Len(), b.First(), b.Last(), want)
	}
}

func TestSets(t *testing.T) {
	checkSet(t, Empty)
	rapid.Check(t, func(t *rapid.T) { checkSet(t, sets.Draw(t, "b")) })
}

// The runtime panics if an iterator goes on after a break.
func TestIterationStopsWhenAsked(*testing.T) {
	for range Full.Squares() {
		break
	}
	for range Full.Subsets() {
		break
	}
}

func TestSubsetsAreAllOfThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Bitboard
		for _, s := range rapid.SliceOfN(squares, 0, 10).Draw(t, "members") {
			b = b.With(s)
		}
		seen := map[Bitboard]bool{}
		last := Full
		for subset := range b.Subsets() {
			if subset&^b != 0 || seen[subset] {
				t.Fatalf("%v twice, or no subset of\n%v", subset, b)
			}
			seen[subset], last = true, subset
		}
		if len(seen) != 1<<b.Len() || last != b {
			t.Fatalf("%d subsets of %d squares, the last\n%v", len(seen), b.Len(), last)
		}
	})
}

// stepOf gives each direction as a change of file and rank.
var stepOf = map[Direction][2]int{
	North: {0, 1}, South: {0, -1}, East: {1, 0}, West: {-1, 0},
	NorthEast: {1, 1}, NorthWest: {-1, 1}, SouthEast: {1, -1}, SouthWest: {-1, -1},
}

// stepped moves s by coordinates; ok is false beyond the edge.
func stepped(s Square, d Direction) (to Square, ok bool) {
	f, r := int(s.File())+stepOf[d][0], int(s.Rank())+stepOf[d][1]
	return SquareAt(File(f), Rank(r)), 0 <= f && f < 8 && 0 <= r && r < 8
}

func TestShiftMovesEachSquare(t *testing.T) {
	for d := range stepOf {
		rapid.Check(t, func(t *rapid.T) {
			b := sets.Draw(t, "b")
			want := Empty
			for _, s := range members(b) {
				if to, ok := stepped(s, d); ok {
					want = want.With(to)
				}
			}
			if got := b.Shift(d); got != want {
				t.Fatalf("%v of\n%v\nis\n%v\nwant\n%v", d, b, got, want)
			}
		})
	}
	if got := Full.Shift(Direction(2)); got != Empty {
		t.Errorf("a direction that is none shifts to\n%v", got)
	}
}

func TestWalkStepsUpToTheFirstBlocker(t *testing.T) {
	for d := range stepOf {
		rapid.Check(t, func(t *rapid.T) {
			s, occupancy := squares.Draw(t, "s"), sets.Draw(t, "occupancy")
			want := Empty
			for to, ok := stepped(s, d); ok; to, ok = stepped(to, d) {
				want = want.With(to)
				if occupancy.Has(to) {
					break
				}
			}
			if got := Walk(s, d, occupancy); got != want {
				t.Fatalf("from %v by %d:\n%v\nwant\n%v", s, d, got, want)
			}
		})
	}
}

func TestFlipsMoveEachSquare(t *testing.T) {
	for name, flip := range map[string]struct {
		set    func(Bitboard) Bitboard
		square func(Square) Square
	}{
		"vertically":   {Bitboard.FlipVertical, func(s Square) Square { return SquareAt(s.File(), Rank8-s.Rank()) }},
		"horizontally": {Bitboard.FlipHorizontal, func(s Square) Square { return SquareAt(FileH-s.File(), s.Rank()) }},
	} {
		rapid.Check(t, func(t *rapid.T) {
			b := sets.Draw(t, "b")
			want := Empty
			for _, s := range members(b) {
				want = want.With(flip.square(s))
			}
			if got := flip.set(b); got != want {
				t.Fatalf("\n%v\nflipped %s is\n%v", b, name, got)
			}
		})
	}
}

// A fill is the union of the lines through the members of any set; of small sets all are compared.
func TestFillIsTheUnionOfLines(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, k LineKind, set Bitboard) {
		want := Empty
		for s := range set.Squares() {
			want |= walkLine(k, s)
			if got := k.Through(s); got != walkLine(k, s) {
				t.Errorf("%v through %v:\n%v", k, s, got)
			}
		}
		if got := k.Fill(set); got != want {
			t.Errorf("%v fill of\n%v\nis\n%v\nwant\n%v", k, set, got, want)
		}
	}
	for k := range AntiDiagonalLine + 1 {
		everyPair(func(a, b Square) { check(t, k, BitboardOf(a, b)) })
		rapid.Check(t, func(t *rapid.T) { check(t, k, sets.Draw(t, "set")) })
	}
	if got := LineKind(4).Fill(Full) | LineKind(4).Through(E4); got != Empty {
		t.Errorf("a kind that is none fills\n%v", got)
	}
}

func TestFormatVerbs(t *testing.T) {
	b := BitboardOf(A1, B1, H8)
	for format, want := range map[string]string{
		"%v":    b.String(),
		"%s":    b.String(),
		"%d":    "9223372036854775811",
		"%x":    "8000000000000003",
		"%#X":   "0X8000000000000003",
		"%020x": "00008000000000000003",
	} {
		if got := fmt.Sprintf(format, b); got != want {
			t.Errorf("%s prints %q, want %q", format, got, want)
		}
	}
}
