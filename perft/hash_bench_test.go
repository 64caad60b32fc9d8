package perft

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// BenchmarkHashed times deep trees with a hash table, on one thread. The system has given the table its memory before: on some
// machines that takes as long as the count.
func BenchmarkHashed(b *testing.B) {
	for _, tree := range []struct {
		name, fen string
		depth     int
		leaves    uint64
		megabytes int
	}{
		{"startpos 7, 64 MiB", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 7, 3195901860, 64},
		{"startpos 8, 256 MiB", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 8, 84998978956, 256},
		{"startpos 8, 1024 MiB", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 8, 84998978956, 1024},
		{"kiwipete 6, 1024 MiB", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 6, 8031647685, 1024},
	} {
		pos := fianchetto.MustParseFEN(tree.fen)
		board := core.BoardOf(&pos)
		for _, method := range []Method{TwoPly, SIMD} {
			b.Run(tree.name+"/"+method.String(), func(b *testing.B) {
				if !method.Available() {
					b.Skip("not on this machine")
				}
				table := newTable(tree.megabytes, 0)
				c := newCounter(b.Context(), method, tree.depth, table)
				for b.Loop() {
					b.StopTimer()
					clear(table.pairs.lines)
					clear(table.deep.buckets)
					b.StartTimer()
					if leaves, err := c.count(&board, tree.depth); err != nil || leaves != tree.leaves {
						b.Fatalf("%d leaves, %v, want %d", leaves, err, tree.leaves)
					}
				}
				b.ReportMetric(float64(c.probes-c.hits)/float64(b.N)/1e6, "Mmisses")
			})
		}
	}
}
