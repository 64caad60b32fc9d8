package oracle

import (
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestApply compares the whole position after a move.
func TestApply(t *testing.T) {
	for _, test := range []struct{ name, fen, move, want string }{
		{"a double step sets the en passant square and keeps the rest",
			"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7", "e2e4",
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 7"},
		{"any other move clears it, and Black's counts",
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "g8f6",
			"rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"},
		{"en passant takes the pawn beside",
			"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"},
		{"promotion by capture on a corner ends a right",
			"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 5 20", "b7a8n", "N3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 20"},
		{"rook takes rook ends one right of each side",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 20", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 20"},
		{"a king's move ends both rights",
			"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 20", "e8e7", "r6r/4k3/8/8/8/8/8/R3K2R w KQ - 6 21"},
		{"castling long",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 20", "e1a1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 6 20"},
		{"castling short, for Black",
			"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 20", "e8h8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 6 21"},
		{"chess960: king and rook change places",
			"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"chess960: an inner rook castles",
			"4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "e1f1", "4k3/8/8/8/8/8/8/5RKR b - - 1 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := must.Get(Parse(test.fen))(t)
			i := slices.IndexFunc(b.LegalMoves(), func(m Move) bool { return m.String() == test.move })
			if i < 0 {
				t.Fatalf("%s is not legal in %s", test.move, test.fen)
			}
			if got := b.Apply(b.LegalMoves()[i]).FEN(); got != test.want {
				t.Errorf("%s, then %s\n got %s\nwant %s", test.fen, test.move, got, test.want)
			}
		})
	}
}

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
