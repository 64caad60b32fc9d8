package simd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// counts compares the counts with plain ones: the totals at every node and, at one node of about so many, the count of
// every child in every lane.
func counts(every int) agreement.Aspect {
	scratch, targets := new(simd.Scratch), new(core.TargetSets)
	return func(n *agreement.Node, random *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		want := b.CountTwo(targets)
		if len(n.Moves) <= 8 {
			if slow := n.Oracle.Perft(2); uint64(want) != slow {
				agreement.Fail("plain counting gives %d replies in %s, want %d", want, n.FEN(), slow)
			}
		}
		got, wrong := simd.CountTwo(&b, scratch), ""
		if simd.Available() && (got != want || random.IntN(every) == 0) {
			wrong = simd.Mismatch(&b, scratch)
		}
		if got != want || wrong != "" {
			agreement.Fail("%d replies in %s, want %d: %s", got, n.FEN(), want, wrong)
		}
	}
}

func TestMain(m *testing.M) { agreement.Main(m, counts(10)) }

// TestWithoutInstructions counts as a machine without the instructions does.
func TestWithoutInstructions(t *testing.T) {
	simd.WithoutInstructions(func() {
		if simd.Available() {
			t.Error("the instructions are available")
		}
		agreement.NewChecker(counts(1)).Trees(t, 1, suites.FENs()...)
	})
}

func TestTreesOfTheSuites(t *testing.T) {
	depth := 1
	if agreement.Long {
		depth = 2
	}
	agreement.NewChecker(counts(1)).Trees(t, 0, suites.FENs()...)
	agreement.NewChecker(counts(1000)).Trees(t, depth, suites.FENs()...)
	if agreement.Long {
		agreement.NewChecker(counts(1000)).Trees(t, 3, suites.FENs("published")...)
	}
}

func TestGames(t *testing.T) { agreement.NewChecker(counts(5)).Games(t, 8, agreement.Breadth(50_000)) }

// King, castling rook and one enemy piece on every square, with the side that may castle to move and to reply.
func TestCastlings(t *testing.T) {
	agreement.NewChecker(counts(1000)).EachCastling(t, agreement.Step(3))
}

// FuzzCountTwo compares every lane with plain counting, in any position that can be played.
func FuzzCountTwo(f *testing.F) {
	for _, trap := range traps {
		f.Add(trap.fen)
	}
	f.Add("4k3/8/8/8/8/8/8/4K3 w  -") // no castling field: refused by both
	c := agreement.NewChecker(counts(1))
	f.Fuzz(func(t *testing.T, fen string) {
		c.Game(t, fen, 0)
	})
}

// Each of these is wrong if what its name describes is left out. The numbers are those of internal/oracle.
var traps = []struct {
	name, fen       string
	children, total int
}{
	{"no child at all", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0},
	{"a single child", "k7/8/1Q6/8/8/7p/8/6K1 b - - 0 1", 1, 5},
	{"as many children as a game's position can have", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218, 99},
	{"more children than eight bits count", "KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1", 263, 11},
	{"more knights than a game can have", "nnnnknnn/nnnnnnnn/8/8/8/8/8/4K3 w - - 0 1", 5, 190},
	{"more captures by pawns than a vector of moves has",
		"7k/pppppppp/PPPPPPPP/pppppppp/PPPPPPPP/pppppppp/PPPPPPPP/K7 w - - 0 1", 43, 1694},
	{"more pushes than a vector of moves has, none of them free because a slider is pinned",
		"3Qr2k/r7/1PPPPPPP/r7/1PPPPPPP/r7/PPPPPPPP/K7 w - - 0 1", 32, 854},
	{"double check", "4k3/3r1p2/8/8/4N3/8/8/K3R3 w - - 0 1", 19, 198},
	{"check by a pawn and a slider behind it", "8/8/3k4/r7/8/8/2P2P2/B3R1K1 w - - 0 1", 26, 453},
	{"a check that a capture en passant ends", "8/8/8/3k4/5p2/8/4P3/4K3 w - - 0 1", 6, 54},
	{"a pawn between its king and a rook, next to the pawn that it may capture", "8/8/8/8/k4p1R/8/4P3/4K3 w - - 0 1",
		15, 78},
	{"a pawn pinned on a diagonal, off which it captures en passant", "k7/8/8/8/4p3/8/3P2B1/6K1 w - - 0 1", 11, 35},
	{"a pawn pinned on the diagonal on which it captures en passant", "8/7k/8/8/4p3/8/2BP4/6K1 w - - 0 1", 13, 70},
	{"a double push between two pawns", "3k4/8/8/8/5p1p/8/4K1P1/8 w - - 0 1", 9, 66},
	{"a capture en passant discovers check", "8/6k1/8/3pP3/8/2B5/8/4K3 w - d6 0 1", 13, 97},
	{"a capture en passant clears the way of a king", "8/8/8/2Pp4/4k3/8/8/K7 w - d6 0 1", 5, 40},
	{"a capture en passant opens a rank to a king and the squares next to it",
		"8/6p1/1r6/k3pPRK/1p6/3P4/2P5/8 w - e6 0 1", 13, 196},
	{"a capture en passant gives a king among its own pieces a square", "8/8/8/2Ppnn2/3nkn2/3nnn2/8/K7 w - d6 0 1", 4,
		171},
	{"promotions of either side, by pushes and captures", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1", 24, 496},
	{"a promotion gives check through the square the pawn has left", "8/5P2/7K/8/8/5k2/8/8 w - - 0 1", 9, 65},
	{"a piece is pinned by a new queen", "8/8/8/8/8/k7/3p4/5R1K b - - 0 1", 9, 118},
	{"a bishop behind its own king", "8/1b6/2k5/8/8/8/8/4K2R w - - 0 1", 14, 130},
	{"a rook behind its own king", "8/8/8/r2k4/8/8/4B3/4K3 w - - 0 1", 13, 186},
	{"a king that is checked along a line flees along it", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 22, 116},
	{"a king takes the piece that checks it, if nothing defends it", "7k/5ppp/8/8/8/8/1B4R1/3R2K1 w - - 0 1", 34, 167},
	{"a piece pinned on each kind of line", "8/8/8/1Q1nk1bR/3nq3/2B3q1/7B/K3R3 w - - 0 1", 43, 622},
	{"a castling rook is captured", "r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1", 21, 282},
	{"a castling path is left, entered and attacked", "rN2k1Br/8/8/8/8/8/8/4K3 w kq - 0 1", 15, 273},
	{"a piece that is captured on a castling path", "r2bk2r/8/8/8/7B/8/8/4K3 w kq - 0 1", 11, 294},
	{"a king comes to attack a castling path far from the other king", "r3k3/8/1K6/8/8/3r4/8/8 w q - 0 1", 5, 145},
	{"a knight comes to attack a castling path", "4k2r/8/8/8/7N/8/8/4K3 w k - 0 1", 9, 116},
	{"a rook attacks no square near a king, but one that it castles to", "r3k3/8/8/8/8/8/8/1NRK4 w q - 0 1", 14, 196},
	{"a castling rook that is pinned", "1rk5/8/8/8/8/8/8/R3K3 w b - 0 1", 15, 171},
	{"a castling in which the king stays", "6kr/8/8/8/8/8/1Q6/K7 w h - 0 1", 24, 212},
	{"a castling in which the rook stays", "3r1k2/8/8/8/8/8/8/K6Q w d - 0 1", 23, 294},
	{"the other side castles, its king and rook changing places", "7k/5r2/8/8/8/8/8/5KR1 w G - 0 1", 3, 47},
	{"the other side castles, its king staying", "2k5/8/8/8/8/8/8/R1K3R1 w A - 0 1", 25, 109},
	{"the other side castles either way, in Chess960", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w BGbg - 0 1", 25, 508},
	{"a castling rook leaves the square that a pawn promotes on", "4k3/8/8/8/8/8/p7/R3K3 w Q - 0 1", 10, 66},
	{"a king castles across the board towards the other king", "8/8/8/8/8/7k/8/1K1R4 w D - 0 1", 18, 78},
	{"castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 15, 66},
	{"castling discovers check", "8/8/8/8/8/8/8/k1KR3R w H - 0 1", 22, 21},
}

func TestTraps(t *testing.T) {
	c := agreement.NewChecker(counts(1))
	for _, trap := range traps {
		n := agreement.MustRead(trap.fen)
		if len(n.Moves) != trap.children || n.Oracle.Perft(2) != uint64(trap.total) {
			t.Errorf("%s: %s has %d children and %d moves two plies deep, want %d and %d",
				trap.name, trap.fen, len(n.Moves), n.Oracle.Perft(2), trap.children, trap.total)
		}
		c.Game(t, n.FEN(), 0)
	}
}

// TestBatchesOfEverySize checks a node for each number of children: what is left over from batches of eight is
// a batch by itself, of half the width if it can be.
func TestBatchesOfEverySize(t *testing.T) {
	const most = 48
	bySize := map[int]*agreement.Node{}
	for _, fen := range suites.FENs() {
		n := agreement.MustRead(fen)
		bySize[len(n.Moves)] = n
		for i := range n.Moves {
			child := n.After(i)
			bySize[len(child.Moves)] = child
		}
	}
	c := agreement.NewChecker(counts(1))
	for size := range most + 1 {
		if bySize[size] == nil {
			t.Errorf("no node with %d children", size)
			continue
		}
		c.Game(t, bySize[size].FEN(), 0)
	}
}

func TestCountTwoDoesNotAllocate(t *testing.T) {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	b, s := core.BoardOf(&pos), new(simd.Scratch)
	if n := testing.AllocsPerRun(100, func() { simd.CountTwo(&b, s) }); n != 0 {
		t.Errorf("CountTwo allocates %v times in %v, want 0", n, pos)
	}
}

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
		pos := fianchetto.MustParseFEN(tree.fen)
		board := core.BoardOf(&pos)
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
