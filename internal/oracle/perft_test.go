package oracle

import "testing"

// published are the positions whose counts everybody agrees on.
// Source: https://www.chessprogramming.org/Perft_Results
var published = []struct {
	name, fen string
	nodes     []uint64 // at depth 1, 2, ...
}{
	{"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []uint64{20, 400, 8902, 197281}},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{48, 2039, 97862}},
	{"position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238}},
	{"position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467}},
	{"position 4 mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", []uint64{6, 264, 9467}},
	{"position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379}},
	{"position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		[]uint64{46, 2079, 89890}},
}

func TestPerftAgreesWithPublishedCounts(t *testing.T) {
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			b := mustParse(t, p.fen)
			for i, want := range p.nodes {
				if got := b.Perft(i + 1); got != want {
					t.Errorf("depth %d: %d nodes, want %d", i+1, got, want)
				}
			}
		})
	}
}

func TestPerftOfDepthZeroIsOne(t *testing.T) {
	if got := mustParse(t, published[0].fen).Perft(0); got != 1 {
		t.Errorf("got %d, want the position itself", got)
	}
}

func mustParse(t *testing.T, fen string) Board {
	t.Helper()
	b, err := Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
