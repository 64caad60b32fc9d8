package faulty_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// total counts the leaves of a position by a generator with some mistakes.
func total(fen string, depth int, mistakes ...faulty.Mistake) uint64 {
	b := faulty.NewBoard(fianchetto.MustParseFEN(fen), mistakes...)
	return b.Total(b.Divide(depth))
}

// TestWithoutMistakes counts every position of the suites.
func TestWithoutMistakes(t *testing.T) {
	for _, name := range suites.Names() {
		for _, c := range suites.Cases(name) {
			for _, want := range c.Counts {
				if want.Nodes > 30_000 {
					break
				}
				if got := total(c.FEN, want.Depth); got != want.Nodes {
					t.Errorf("%s: depth %d: %d, want %d", c.FEN, want.Depth, got, want.Nodes)
				}
			}
		}
	}
}

// TestEveryPlantedMistakeShows looks for a position of the suites in which a mistake changes a
// count. String and Parse are inverse.
func TestEveryPlantedMistakeShows(t *testing.T) {
	names, planted := faulty.Planted()
	for _, name := range names {
		m := planted[name]
		if parsed, err := faulty.Parse(m.String()); err != nil || parsed.String() != m.String() {
			t.Errorf("%s: %v is read as %v, error %v", name, m, parsed, err)
		}
		if !shows(m) {
			t.Errorf("%s changes no count of the suites", name)
		}
	}
}

func shows(m faulty.Mistake) bool {
	for _, search := range []struct {
		depth  int
		suites []string
	}{{1, nil}, {2, []string{"traps", "traps960", "random"}}, {3, []string{"traps", "traps960"}}, {5, []string{"state"}}} {
		for _, fen := range suites.FENs(search.suites...) {
			const most = 20_000
			isCheap := total(fen, min(search.depth, 3)) < most
			if isCheap && total(fen, search.depth) != total(fen, search.depth, m) {
				return true
			}
		}
	}
	return false
}
