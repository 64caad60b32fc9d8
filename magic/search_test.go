package magic

import (
	"errors"
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
		search := Search{Shift: m.Shift, Seed: 1, Tries: 20_000}
		if span := 1 << m.mask().Len(); i >= 128 && span < m.Slots() { // a square that fills its window takes any number
			search.Span = span
		}
		found, err := Find(m.Piece, m.Square, search)
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

func TestSearchGivesUp(t *testing.T) {
	// Eight slots cannot hold the 108 different attack sets of a bishop on d4.
	for _, span := range []int{0, 8} {
		search := Search{Shift: 61, Seed: 1, Span: span, Tries: 1000}
		if _, err := Find(bitboard.Bishop, bitboard.D4, search); !errors.Is(err, ErrNotFound) {
			t.Errorf("Find with a span of %d gives error %v, want ErrNotFound", span, err)
		}
	}
}

func TestSearchRefusesWhatCannotBeSearched(t *testing.T) {
	for _, tt := range []struct {
		field  string
		piece  bitboard.PieceType
		square bitboard.Square
		search Search
	}{
		{"piece", bitboard.Queen, bitboard.A1, Search{Shift: 52, Tries: 1}},
		{"square", bitboard.Rook, 200, Search{Shift: 52, Tries: 1}},
		{"shift", bitboard.Rook, bitboard.A1, Search{Shift: minShift - 1, Tries: 1}},
		{"shift", bitboard.Rook, bitboard.A1, Search{Shift: 64, Tries: 1}},
		{"tries", bitboard.Rook, bitboard.A1, Search{Shift: 52}},
		{"span", bitboard.Rook, bitboard.A1, Search{Shift: 52, Span: -1, Tries: 1}},
	} {
		if _, err := Find(tt.piece, tt.square, tt.search); err == nil || !strings.HasPrefix(err.Error(), "magic: "+tt.field) {
			t.Errorf("Find(%v, %d, %+v) gives error %v, want one about %s", tt.piece, tt.square, tt.search, err, tt.field)
		}
	}
}
