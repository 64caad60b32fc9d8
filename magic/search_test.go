package magic

import (
	"errors"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The numbers in the tree are those the search finds today: all with variable shifts, and of the
// narrow ones those that took few tries. A long test repeats the rest.
func TestSearchFindsTheCommittedNumbersAgain(t *testing.T) {
	repeated := 0
	for row, m := range VariableNumbers() {
		if variableNumbers[row].tries > 20_000 {
			continue
		}
		found, err := Find(Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Tries: 20_000})
		if err != nil || found.Magic != m || found.Tries != variableNumbers[row].tries {
			t.Errorf("Find = %v after %d tries, %v; committed are %v after %d", found, found.Tries, err, m, variableNumbers[row].tries)
		}
		repeated++
	}
	for row, m := range Numbers() {
		if fixedNumbers[row].tries > 20_000 {
			continue
		}
		span := 1 << m.Mask.Len()
		found, err := FindNarrow(Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Tries: 20_000}, span)
		if span == m.Slots() { // a square that fills its window takes any number
			found, err = Find(Search{Piece: m.Piece, Square: m.Square, Shift: m.Shift, Seed: 1, Tries: 20_000})
		}
		if err != nil || found.Magic != m || found.Tries != fixedNumbers[row].tries {
			t.Errorf("narrow search = %v after %d tries, %v; committed are %v after %d", found, found.Tries, err, m, fixedNumbers[row].tries)
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
		search := Search{Piece: bitboard.Bishop, Square: bitboard.G2, Shift: VariableShift(bitboard.Bishop, bitboard.G2), Seed: seed, Tries: 1_000_000}
		found, err := Find(search)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		report, err := Verify([]Magic{found.Magic})
		if err != nil || len(report.Collisions) > 0 || report.Occupancies != 32 {
			t.Errorf("seed %d found %v: %v, %v", seed, found, report, err)
		}
	}
}

func TestFindNarrowKeepsWithinTheSpan(t *testing.T) {
	search := Search{Piece: bitboard.Rook, Square: bitboard.E4, Shift: FixedShift(bitboard.Rook), Seed: 3, Tries: 400_000}
	for _, span := range []int{1100, 1536, 3000} {
		found, err := FindNarrow(search, span)
		if err != nil {
			t.Fatalf("span %d: %v", span, err)
		}
		if found.Span() > span {
			t.Errorf("%v has span %d, want at most %d", found, found.Span(), span)
		}
		if report, err := Verify([]Magic{found.Magic}); err != nil || len(report.Collisions) > 0 {
			t.Errorf("%v: %v, %v", found, report, err)
		}
	}
}

func TestSearchGivesUp(t *testing.T) {
	// Eight slots cannot hold the 108 different attack sets of a bishop on d4.
	search := Search{Piece: bitboard.Bishop, Square: bitboard.D4, Shift: 61, Seed: 1, Tries: 1000}
	if _, err := Find(search); !errors.Is(err, ErrNotFound) {
		t.Errorf("Find gives error %v, want ErrNotFound", err)
	}
	if _, err := FindNarrow(search, 8); !errors.Is(err, ErrNotFound) {
		t.Errorf("FindNarrow gives error %v, want ErrNotFound", err)
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
		{"shift", func(s *Search) { s.Shift = 0 }},
		{"shift", func(s *Search) { s.Shift = 64 }},
		{"tries", func(s *Search) { s.Tries = 0 }},
	}
	for _, tt := range tests {
		s := sound
		tt.spoil(&s)
		var input *InputError
		if _, err := Find(s); !errors.As(err, &input) || input.Field != tt.field {
			t.Errorf("Find(%+v) gives error %v, want one about %s", s, err, tt.field)
		}
		if _, err := FindNarrow(s, 4096); !errors.As(err, &input) || input.Field != tt.field {
			t.Errorf("FindNarrow(%+v) gives error %v, want one about %s", s, err, tt.field)
		}
	}
	var input *InputError
	if _, err := FindNarrow(sound, 0); !errors.As(err, &input) || input.Field != "span" {
		t.Errorf("FindNarrow with span 0 gives error %v, want one about span", err)
	}
}
