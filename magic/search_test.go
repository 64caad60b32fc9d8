package magic

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The numbers in the tree are those the search finds today: all with variable shifts, and of the
// narrow ones those that took few tries. A long test repeats the rest.
func TestSearchFindsTheCommittedNumbersAgain(t *testing.T) {
	repeated := 0
	for _, m := range VariableNumbers() {
		if m.Tries > 20_000 {
			continue
		}
		found, err := Find(Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Tries: 20_000})
		if err != nil || found != m {
			t.Errorf("Find = %v after %d tries, %v; committed are %v after %d", found, found.Tries, err, m, m.Tries)
		}
		repeated++
	}
	for _, m := range Numbers() {
		m.Start = 0 // packing sets it
		if m.Tries > 20_000 {
			continue
		}
		search := Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Span: 1 << m.Mask.Len(),
			Tries: 20_000}
		if search.Span == m.Slots() { // a square that fills its window takes any number
			search.Span = 0
		}
		found, err := Find(search)
		if err != nil || found != m {
			t.Errorf("narrow search = %v after %d tries, %v; committed are %v after %d", found, found.Tries, err, m,
				m.Tries)
		}
		repeated++
	}
	t.Logf("%d searches repeated", repeated)
	if repeated < 20 {
		t.Errorf("only %d searches repeated, too few to mean anything", repeated)
	}
}

func TestSearchesAreSound(t *testing.T) {
	for _, seed := range []uint64{1, 2, 1 << 63} {
		search := Search{Piece: bitboard.Bishop, Square: bitboard.G2, Seed: seed, Tries: 1_000_000}
		found, err := Find(search)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		collisions, err := Verify([]Magic{found})
		if err != nil || len(collisions) > 0 {
			t.Errorf("seed %d found %v: %v, %v", seed, found, collisions, err)
		}
	}
}

func TestFindKeepsWithinTheSpan(t *testing.T) {
	search := Search{Piece: bitboard.Rook, Square: bitboard.E4, Shift: rookShift, Seed: 3, Tries: 400_000}
	for _, span := range []int{1100, 1536, 3000} {
		search.Span = span
		found, err := Find(search)
		if err != nil {
			t.Fatalf("span %d: %v", span, err)
		}
		if last := slices.Max(found.Used()); last >= span {
			t.Errorf("%v uses the index %d, want less than %d", found, last, span)
		}
		if collisions, err := Verify([]Magic{found}); err != nil || len(collisions) > 0 {
			t.Errorf("%v: %v, %v", found, collisions, err)
		}
	}
}

func TestSearchGivesUp(t *testing.T) {
	// Eight slots cannot hold the 108 different attack sets of a bishop on d4.
	search := Search{Piece: bitboard.Bishop, Square: bitboard.D4, Shift: 61, Seed: 1, Tries: 1000}
	if _, err := Find(search); !errors.Is(err, ErrNotFound) {
		t.Errorf("Find gives error %v, want ErrNotFound", err)
	}
	search.Span = 8
	if _, err := Find(search); !errors.Is(err, ErrNotFound) {
		t.Errorf("Find with a span of 8 gives error %v, want ErrNotFound", err)
	}
}

func TestSearchRefusesWhatCannotBeSearched(t *testing.T) {
	sound := Search{Piece: bitboard.Rook, Square: bitboard.A1, Shift: 52, Seed: 1, Tries: 1}
	tests := []struct {
		field string
		spoil func(*Search)
	}{
		{"piece", func(s *Search) { s.Piece = bitboard.Queen }},
		{"square", func(s *Search) { s.Square = 200 }},
		{"shift", func(s *Search) { s.Shift = MinShift - 1 }},
		{"shift", func(s *Search) { s.Shift = 64 }},
		{"tries", func(s *Search) { s.Tries = 0 }},
		{"span", func(s *Search) { s.Span = -1 }},
	}
	for _, tt := range tests {
		s := sound
		tt.spoil(&s)
		if _, err := Find(s); err == nil || !strings.HasPrefix(err.Error(), "magic: "+tt.field) {
			t.Errorf("Find(%+v) gives error %v, want one about %s", s, err, tt.field)
		}
	}
}
