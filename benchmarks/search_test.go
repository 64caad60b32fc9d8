package main

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/benchmarks/search/dragontooth"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/position"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/tuned"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestSearchesVisitTheSameTree compares the nodes of the searches at every depth: one move in
// another place gives another tree.
func TestSearchesVisitTheSameTree(t *testing.T) {
	const entries = 1 << 12
	compare := func(fen string, depths int, others ...func(string, int) func(int) uint64) {
		onPosition := position.Open(fen, entries)
		for i, open := range others {
			on := open(fen, entries)
			for depth := 1; depth <= depths; depth++ {
				if got, want := on(depth), onPosition(depth); got != want {
					t.Fatalf("%s depth %d, board %d: %d nodes, want %d", fen, depth, i, got, want)
				}
			}
		}
	}
	for _, w := range newWorkloads() {
		compare(w.fen, 8, tuned.Open, dragontooth.Open)
	}
	for i, fen := range suites.FENs() { // of which dragontoothmg misses some en-passant captures
		if rights := strings.Fields(fen)[2]; i%4 == 0 && strings.Trim(rights, "KQkq-") == "" { // not Chess960
			compare(fen, 4, tuned.Open)
		}
	}
}

// TestSearchAllocatesNothing searches again with memory that is there.
func TestSearchAllocatesNothing(t *testing.T) {
	for _, w := range newWorkloads() {
		search := position.Open(w.fen, 1<<12)
		if n := testing.AllocsPerRun(2, func() { search(7) }); n != 0 {
			t.Errorf("%s: it allocates %v times", w.name, n)
		}
	}
}

// BenchmarkSearch searches on each board; with -cpuprofile it shows where the time goes.
func BenchmarkSearch(b *testing.B) {
	for _, c := range searchContest(nil) {
		for _, player := range c.contenders {
			b.Run(player.name, func(b *testing.B) {
				nodes := uint64(0)
				var walks []walk
				for _, w := range c.workloads {
					step, err := player.open(b.Context(), w.fen)
					if err != nil {
						b.Fatal(err)
					}
					walks = append(walks, step)
				}
				for b.Loop() {
					for i, w := range c.workloads {
						count, _, _ := walks[i](w.depth)
						nodes += count
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
			})
		}
	}
}
