package oracle

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestPerftAgreesWithSuites compares with counts that another program has made, too: of published
// positions, and of traps of the rules.
func TestPerftAgreesWithSuites(t *testing.T) {
	for name, limit := range map[string]uint64{"published": 200_000, "traps": 3000, "traps960": 3000} {
		for _, c := range suites.Cases(name) {
			b := must.Get(Parse(c.FEN))(t)
			if got := b.Perft(0); got != 1 {
				t.Errorf("%s: depth 0: %d nodes, want the position itself", c.FEN, got)
			}
			for _, want := range c.Counts {
				if want.Nodes > limit {
					break
				}
				if got := b.Perft(want.Depth); got != want.Nodes {
					t.Errorf("%s: %s: depth %d: %d nodes, want %d", c.Name, c.FEN, want.Depth, got, want.Nodes)
				}
			}
		}
	}
}
