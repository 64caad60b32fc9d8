package faulty_test

import (
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func total(b faulty.Board, depth int) (n uint64) {
	for _, l := range b.Divide(depth) {
		n += l.Nodes
	}
	return n
}

// TestWithoutMistakes counts every position of the suites.
func TestWithoutMistakes(t *testing.T) {
	var nodes uint64
	began := time.Now()
	for _, name := range suites.Names() {
		for _, c := range suites.Cases(name) {
			for _, want := range c.Counts {
				if want.Nodes > 30_000 {
					break
				}
				got := total(faulty.NewBoard(fianchetto.MustParseFEN(c.FEN)), want.Depth)
				nodes += got
				if got != want.Nodes {
					t.Errorf("%s: depth %d: %d, want %d", c.FEN, want.Depth, got, want.Nodes)
				}
			}
		}
	}
	t.Logf("%d leaves in %v", nodes, time.Since(began))
}
