package simd_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// BenchmarkPerft times whole trees by each method of counting the last two plies. The kernel earns its place if it is
// 1.3 times as fast as two-ply counting or more, in the geometric mean.
func BenchmarkPerft(b *testing.B) {
	var targets core.TargetSets
	var differences twoply.Scratch
	var scratch simd.Scratch
	methods := []struct {
		name     string
		countTwo func(*core.Board) int
	}{
		{"plain", func(b *core.Board) int { return b.CountTwo(&targets) }},
		{"two-ply", func(b *core.Board) int { return twoply.Count(b, &differences) }},
		{"simd", func(b *core.Board) int { return simd.CountTwo(b, &scratch) }},
	}
	for _, tree := range []struct {
		name, fen     string
		depth, leaves int
	}{
		{"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
		{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
		{"pos6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551},
		{"endgame", "5nk1/pp3pp1/2p4p/q7/2PPB2P/P5P1/1P5K/3Q4 w - - 1 28", 6, 849167880},
	} {
		board := parse(tree.fen)
		for _, method := range methods {
			b.Run(tree.name+"/"+method.name, func(b *testing.B) {
				plies := make([]ply, tree.depth+1)
				for b.Loop() {
					if leaves := countTree(&board, tree.depth, plies, method.countTwo); leaves != tree.leaves {
						b.Fatalf("%d leaves, want %d", leaves, tree.leaves)
					}
				}
				b.ReportMetric(float64(tree.leaves)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnps")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// ply is what countTree needs at one depth.
type ply struct {
	targets core.TargetSets
	moves   []uint16
	child   core.Board
}

// countTree returns the leaves depth plies below b, which is two at least.
func countTree(b *core.Board, depth int, plies []ply, countTwo func(*core.Board) int) int {
	if depth == 2 {
		return countTwo(b)
	}
	p := &plies[depth]
	b.FindTargets(&p.targets)
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
	leaves := 0
	for _, move := range p.moves {
		from, to, kind := core.Decode(move)
		b.Make(&p.child, from, to, kind)
		leaves += countTree(&p.child, depth-1, plies, countTwo)
	}
	return leaves
}
