package sliders

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestPositions has the first positions: each can be reached, is not in check, and adds
// occupancies, all of which are known.
func TestPositions(t *testing.T) {
	const few = 300
	known := make(map[lookup]bool)
	for _, l := range all() {
		known[l] = true
	}
	if len(known) != Occupancies {
		t.Fatalf("%d occupancies, want %d", len(known), Occupancies)
	}
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
		if n++; n == few {
			break
		}
		before = covered
	}
	if before < 12_000 {
		t.Errorf("%d occupancies in %d positions", before, n)
	}
}

// TestPositionsAreTheSame draws twice.
func TestPositionsAreTheSame(t *testing.T) {
	draw := func() (drawn []fianchetto.Position) {
		for pos := range Positions() {
			if drawn = append(drawn, pos); len(drawn) == 50 {
				break
			}
		}
		return drawn
	}
	first, second := draw(), draw()
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("position %d: %s, %s", i, first[i].FEN(), second[i].FEN())
		}
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
	if last != Occupancies {
		t.Errorf("%d of %d", last, Occupancies)
	}
}
