package perft_test

import (
	"context"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// BenchmarkTraining is the work that make pgo profiles for the compiler. Its positions differ from those
// that we measure speeds with.
func BenchmarkTraining(b *testing.B) {
	positions := []struct {
		fen   string
		depth int
	}{
		{"r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8", 4},
		{"r3r1k1/1bq2pp1/p2p1n1p/1p2p3/4P3/1PN2N1P/P1P1QPP1/R3R1K1 w - - 0 18", 4},
		{"8/5k2/3r1pp1/1p5p/p3K2P/P4RP1/1P3P2/8 b - - 0 40", 5},
		{"8/pp3k2/2p2n2/3b1p2/1P6/P1B2P2/5NK1/8 w - - 0 40", 5},
		{"8/1p3k2/p4p2/6pp/3K4/1P4P1/P4P1P/8 w - - 0 40", 7},
	}
	for _, method := range []perft.Method{perft.Plain, perft.TwoPly, perft.SIMD} {
		if !method.Available() {
			continue
		}
		for _, hash := range []int{0, 16} {
			for _, position := range positions {
				pos := fianchetto.MustParseFEN(position.fen)
				b.Run(position.fen[:8], func(b *testing.B) {
					for b.Loop() {
						options := perft.Options{Method: method, Threads: 1, HashMB: hash}
						if _, err := perft.Run(context.Background(), pos, position.depth, options); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
