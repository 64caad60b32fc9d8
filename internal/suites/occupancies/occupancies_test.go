package occupancies

import (
	"iter"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestPositions has the first positions: each can be reached, is not in check, adds known
// occupancies, and comes again in the next sequence.
func TestPositions(t *testing.T) {
	const few = 300
	known := make(map[lookup]bool)
	for _, l := range all() {
		known[l] = true
	}
	if len(known) != Count {
		t.Fatalf("%d occupancies, want %d", len(known), Count)
	}
	again, stop := iter.Pull2(Positions())
	defer stop()
	seen, before, n := make(map[lookup]bool), 0, 0
	for pos, covered := range Positions() {
		for _, l := range lookups(pos) {
			if !known[l] {
				t.Fatalf("%s: %+v is no occupancy", pos.FEN(), l)
			}
			seen[l] = true
		}
		if pos.InCheck() || pos.Unreachable() != nil || covered <= before || covered != len(seen) ||
			pos.SideToMove() != bitboard.Black {
			t.Fatalf("%s: %d occupancies after %d, %d seen", pos.FEN(), covered, before, len(seen))
		}
		if other, _, _ := again(); other != pos {
			t.Fatalf("position %d: %s, then %s", n, pos.FEN(), other.FEN())
		}
		if n++; n == few {
			break
		}
		before = covered
	}
	if before < 12_000 {
		t.Errorf("%d occupancies in %d positions", before, n)
	}
}

// TestEveryOccupancyIsCovered takes all positions.
func TestEveryOccupancyIsCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	last := 0
	for _, last = range Positions() {
	}
	if last != Count {
		t.Errorf("%d of %d", last, Count)
	}
}
