package twoply_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

var benchmarkPositions = []struct {
	name, fen string
	depth     int
	nodes     int
}{
	{"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
	{"pos6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551},
	{"endgame", "5nk1/pp3pp1/2p4p/q7/2PPB2P/P5P1/1P5K/3Q4 w - - 1 28", 6, 849167880},
	{"pos3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178633661},
	{"pos4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
	{"pos5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194},
}

// BenchmarkPerft times whole trees, the last two plies counted plainly or by differences.
func BenchmarkPerft(b *testing.B) {
	var targets core.TargetSets
	var scratch twoply.Scratch
	methods := []struct {
		name  string
		count func(*core.Board) int
	}{
		{"plain", func(b *core.Board) int { return b.CountTwo(&targets) }},
		{"two-ply", func(b *core.Board) int { return twoply.Count(b, &scratch) }},
	}
	for _, p := range benchmarkPositions {
		board := parse(b, p.fen)
		for _, method := range methods {
			b.Run(p.name+"/"+method.name, func(b *testing.B) {
				plies := make([]ply, p.depth+1)
				for b.Loop() {
					if nodes := countTree(&board, p.depth, plies, method.count); nodes != p.nodes {
						b.Fatalf("%d leaves, want %d", nodes, p.nodes)
					}
				}
				b.ReportMetric(float64(p.nodes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnps")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

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
	total := 0
	for _, move := range p.moves {
		from, to, kind := core.Decode(move)
		b.Make(&p.child, from, to, kind)
		total += countTree(&p.child, depth-1, plies, countTwo)
	}
	return total
}
