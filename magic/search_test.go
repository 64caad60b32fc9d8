package magic

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The search finds the committed numbers again that took few tries. make verify-generate repeats
// the rest.
func TestSearchFindsTheCommittedNumbersAgain(t *testing.T) {
	repeated := 0
	for i, m := range append(VariableNumbers(), Numbers()...) {
		m.Start = 0 // packing sets it
		if m.Tries > 20_000 {
			continue
		}
		search := Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Tries: 20_000}
		if span := 1 << m.Mask.Len(); i >= 128 && span < m.Slots() { // a square that fills its window takes any number
			search.Span = span
		}
		found, err := Find(search)
		if err != nil || found != m {
			t.Errorf("span %d: %v after %d tries, %v; committed are %v after %d", search.Span, found, found.Tries,
				err, m, m.Tries)
		}
		repeated++
	}
	t.Logf("%d searches repeated", repeated)
	if repeated < 20 {
		t.Errorf("only %d searches repeated, too few to mean anything", repeated)
	}
}

func TestSearchesAreSoundAndKeepWithinTheSpan(t *testing.T) {
	for _, search := range []Search{
		{Piece: bitboard.Bishop, Square: bitboard.G2, Seed: 1, Tries: 1_000_000},
		{Piece: bitboard.Bishop, Square: bitboard.G2, Seed: 2, Tries: 1_000_000},
		{Piece: bitboard.Bishop, Square: bitboard.G2, Seed: 1 << 63, Tries: 1_000_000},
		{Piece: bitboard.Rook, Square: bitboard.E4, Shift: rookShift, Seed: 3, Span: 1100, Tries: 400_000},
		{Piece: bitboard.Rook, Square: bitboard.E4, Shift: rookShift, Seed: 3, Span: 1536, Tries: 400_000},
		{Piece: bitboard.Rook, Square: bitboard.E4, Shift: rookShift, Seed: 3, Span: 3000, Tries: 400_000},
	} {
		found, err := Find(search)
		if err != nil {
			t.Fatalf("%+v: %v", search, err)
		}
		if last := slices.Max(found.Used()); search.Span > 0 && last >= search.Span {
			t.Errorf("%v uses the index %d, want less than %d", found, last, search.Span)
		}
		if collisions, err := Verify([]Magic{found}); err != nil || len(collisions) > 0 {
			t.Errorf("%+v found %v: %v, %v", search, found, collisions, err)
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
		{"shift", func(s *Search) { s.Shift = minShift - 1 }},
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
