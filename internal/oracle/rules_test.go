package oracle

import (
	"slices"
	"strings"
	"testing"
)

// TestTrapsOfTheRules lists, for positions on which generators fail, every
// legal move of the piece on one square.
func TestTrapsOfTheRules(t *testing.T) {
	for _, trap := range []struct{ name, fen, from, moves string }{
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5", "e5d6 e5e6"},
		{"en passant is over after one move", "4k3/8/8/3pP3/8/8/8/4K3 w - - 1 2", "e5", "e5e6"},
		{"en passant bares the king on its rank", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "e5", "e5e6"},
		{"en passant by a pawn pinned on a diagonal", "7k/8/8/3pP3/8/2K5/8/8 w - d6 0 2", "e5", "e5d6 e5e6"},
		{"en passant off the diagonal of the pin", "7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 2", "e5", ""},
		{"en passant along the diagonal of the pin", "7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2", "e5", "e5d6"},
		{"en passant by a pawn pinned on its file", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5", "e5e6"},
		{"en passant lifts the blocker of a diagonal", "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2", "e5", "e5e6"},
		{"en passant lifts the blocker of a file, and blocks it", "3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 2", "e5",
			"e5d6 e5e6"},
		{"en passant takes the checking pawn", "7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2", "e5", "e5d6"},
		{"en passant steps between", "5b1k/8/8/3pP3/1K6/8/8/8 w - d6 0 2", "e5", "e5d6"},
		{"en passant does not end another check", "7k/8/8/b2pP3/8/8/8/4K3 w - d6 0 2", "e5", ""},
		{"a pawn on its first rank steps twice", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2", "d2d3 d2d4"},
		{"a double step does not jump", "4k3/8/8/8/8/3n4/3P4/3K4 w - - 0 1", "d2", ""},
		{"a double step does not capture", "4k3/8/8/8/3n4/8/3P4/3K4 w - - 0 1", "d2", "d2d3"},
		{"promotion has four kinds", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7",
			"a7a8b a7a8n a7a8q a7a8r a7b8b a7b8n a7b8q a7b8r"},
		{"a black pawn promotes downwards", "4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2", "a2a1b a2a1n a2a1q a2a1r"},
		{"a pinned piece moves along the pin", "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", "e3",
			"e3e2 e3e4 e3e5 e3e6 e3e7 e3e8"},
		{"a pinned knight stays", "4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3", ""},
		{"in double check only the king moves", "4r2k/8/8/8/8/5n2/6R1/4K3 w - - 0 1", "g2", ""},
		{"the king moves out of double check", "4r2k/8/8/8/8/5n2/6R1/4K3 w - - 0 1", "e1", "e1d1 e1f1 e1f2"},
		{"the king does not step back along the line of check", "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", "e4",
			"e4d3 e4d4 e4d5 e4f3 e4f4 e4f5"},
		{"the king does not take a guarded piece", "4k3/8/8/8/8/2b5/3q4/4K3 w - - 0 1", "e1", "e1f1"},
		{"kings keep apart", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3", "d3c2 d3c3 d3d2 d3e2 d3e3"},

		{"castling to both castlingSides", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1",
			"e1a1 e1d1 e1d2 e1e2 e1f1 e1f2 e1h1"},
		{"castling without the right", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1", "e1d1 e1d2 e1e2 e1f1 e1f2"},
		{"castling out of check", "4r3/1k6/8/8/8/8/3P1P2/R3K2R w KQ - 0 1", "e1", "e1d1 e1f1"},
		{"castling across an attacked square", "3r4/1k6/8/8/8/8/4PP2/R3K2R w KQ - 0 1", "e1", "e1f1 e1h1"},
		{"castling into check", "6r1/1k6/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", "e1", "e1a1 e1d1 e1f1"},
		{"castling past an attacked b1", "1r5k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1", "e1a1 e1d1 e1f1"},
		{"castling with an attacked rook", "r6k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1", "e1a1 e1d1 e1f1"},
		{"castling over a piece on b1", "7k/8/8/8/8/8/3PPP2/RN2K3 w Q - 0 1", "e1", "e1d1 e1f1"},
		{"castling while a pawn looks at the path", "8/1k6/8/8/8/8/3PP1p1/R3K2R w KQ - 0 1", "e1", "e1a1 e1d1 e1f2"},

		{"chess960: the rook's square is taken", "7k/8/8/8/8/8/4PPPP/5RKR w H - 0 1", "g1", ""},
		{"chess960: the king stands still", "7k/8/8/8/8/8/5PPP/4R1KR w HE - 0 1", "g1", "g1e1 g1f1 g1h1"},
		{"chess960: king and rook change places", "7k/8/8/8/8/8/4PPPP/4BKR1 w G - 0 1", "f1", "f1g1"},
		{"chess960: the rook stands still", "7k/8/8/8/8/8/2PPP3/3RK3 w D - 0 1", "e1", "e1d1 e1f1 e1f2"},
		{"chess960: the king's square is taken", "7k/8/8/8/8/8/2PPP3/2NRK3 w D - 0 1", "e1", "e1f1 e1f2"},
		{"chess960: the rook's departure bares the king", "7k/8/8/8/8/8/PPPP4/qRK5 w B - 0 1", "c1", "c1d1"},
		{"chess960: the rook shields and stays", "7k/8/8/8/8/8/PPPP4/1RK5 w B - 0 1", "c1", "c1b1 c1d1"},
		{"chess960: a long way for the king", "7k/8/8/8/8/8/PPPPPPPP/1K5R w H - 0 1", "b1", "b1a1 b1c1 b1h1"},
		{"chess960: an attacked square on the long way", "7k/8/8/8/8/8/PPP1PPPP/1K1r3R w H - 0 1", "b1", ""},
		{"double chess960: each side by its own files", "1rk4r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "c8",
			"c8b7 c8b8 c8c7 c8d7 c8d8 c8h8"},
	} {
		t.Run(trap.name, func(t *testing.T) {
			want := strings.Fields(trap.moves)
			slices.Sort(want)
			got := movesFrom(mustParse(t, trap.fen), trap.from)
			if !slices.Equal(got, want) {
				t.Errorf("%s\n got %v\nwant %v", trap.fen, got, want)
			}
		})
	}
}

// movesFrom returns the sorted notations of b's legal moves from the named square.
func movesFrom(b Board, square string) []string {
	var moves []string
	for _, m := range b.LegalMoves() {
		if m.From.String() == square {
			moves = append(moves, m.String())
		}
	}
	slices.Sort(moves)
	return moves
}
