package page

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

// TestPortAgrees compares the scores of the search on docs/migrate.md before and after the port,
// and counts allocations.
func TestPortAgrees(t *testing.T) {
	plies := make([]node, 8)
	for _, fen := range []string{
		fianchetto.StartFEN,
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		"6k1/5ppp/8/8/8/8/8/Q3K2R w K - 0 1",
		"7k/5Q2/8/8/8/8/8/4K3 b - - 0 1",
	} {
		for depth := range 4 {
			board := dragontoothmg.ParseFen(fen)
			plies[0].pos = fianchetto.MustParseFEN(fen)
			want := searchBefore(&board, -2000, 2000, depth)
			if got := searchAfter(plies, -2000, 2000, depth); got != want {
				t.Errorf("%s to depth %d: %d, before the port %d", fen, depth, got, want)
			}
			if n := testing.AllocsPerRun(1, func() { searchAfter(plies, -2000, 2000, depth) }); n != 0 {
				t.Errorf("%s to depth %d allocates %v times", fen, depth, n)
			}
		}
	}
}
