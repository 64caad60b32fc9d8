package twoply_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// newCounts compares counting by differences with plain counting, also where Count prefers to count plainly, and with
// the oracle where there are few moves.
func newCounts() agreement.Aspect {
	scratch, targets := new(twoply.Scratch), new(core.TargetSets)
	return func(n *agreement.Node, _ *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		want := b.CountTwo(targets)
		if len(n.Moves) <= 8 {
			if slow := n.Oracle.Perft(2); uint64(want) != slow {
				agreement.Fail("plain counting gives %d replies in %s, want %d", want, n.FEN(), slow)
			}
		}
		if got := twoply.Count(&b, scratch); got != want {
			agreement.Fail("Count is %d in %s, want %d%s", got, n.FEN(), want, wrongMove(n, &b, scratch))
		}
		if got, ok := scratch.Differences(&b); ok && got != want {
			agreement.Fail("by differences there are %d replies in %s, want %d%s", got, n.FEN(), want,
				wrongMove(n, &b, scratch))
		}
	}
}

// wrongMove names the first move after which the replies are counted wrong.
func wrongMove(n *agreement.Node, b *core.Board, s *twoply.Scratch) string {
	flip := fianchetto.Move(0)
	if n.Pos.SideToMove() == fianchetto.Black {
		flip = core.FlipMove
	}
	for i, m := range n.Moves {
		if got, want := s.Attributed(b, uint16(m^flip)), len(n.After(i).Moves); got != want {
			return fmt.Sprintf(": after %s it counts %d, want %d", n.Name(m), got, want)
		}
	}
	return ": no single move is counted wrong"
}

func TestMain(m *testing.M) { agreement.Main(m, newCounts()) }

func newChecker() *agreement.Checker { return agreement.NewChecker(newCounts()) }

// Every node of the trees of all suites, as deep as a second allows.
func TestTreesOfTheSuites(t *testing.T) {
	depth, published := 1, 2
	if agreement.Long {
		depth, published = 2, 3
	}
	c := newChecker()
	c.Trees(t, depth, suites.FENs()...)
	if !testing.Short() {
		c.Trees(t, published, suites.FENs("published")...)
	}
	t.Logf("%d nodes", c.Nodes)
}

func TestGames(t *testing.T) { newChecker().Games(t, 1, agreement.Breadth(60_000)) }

// King, castling rook and one enemy piece on every square, with the side that may castle to move and to reply.
func TestCastlings(t *testing.T) { newChecker().EachCastling(t, agreement.Step(3)) }

func TestCountAllocatesNothing(t *testing.T) {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	b, s := core.BoardOf(&pos), new(twoply.Scratch)
	if n := testing.AllocsPerRun(100, func() { twoply.Count(&b, s) }); n != 0 {
		t.Errorf("Count allocates %v times in %v, want 0", n, pos)
	}
}

// What a scratch has of one node may not matter to another.
func TestScratchIsForgotten(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	used := new(twoply.Scratch)
	for range 2000 {
		pos := fianchetto.MustParseFEN(positions.Random(random))
		b := core.BoardOf(&pos)
		if got, want := twoply.Count(&b, used), twoply.Count(&b, new(twoply.Scratch)); got != want {
			t.Fatalf("Count is %d in %v with a used scratch, %d with a new one", got, pos, want)
		}
	}
}

// FuzzCount takes any playable position and plays a random game from it.
func FuzzCount(f *testing.F) {
	for i, fen := range suites.FENs() {
		if i%25 == 0 {
			f.Add(fen, byte(3))
		}
	}
	random := rand.New(rand.NewPCG(9, 11))
	for range 50 {
		f.Add(positions.Random(random), byte(3))
	}
	f.Fuzz(func(t *testing.T, fen string, plies byte) { newChecker().Game(t, fen, int(plies)) })
}

// Each of these is wrong if what its name describes is left out.
var traps = []struct{ name, fen string }{
	{"a piece arrives between pinner and a pinned pawn, whose moves are a constant",
		"8/7k/8/8/4p3/1K6/8/1Q6 w - - 0 1"},
	{"a slider in front of a pinned pawn pins it too, and can be captured by it", "6k1/5p2/8/8/8/1Q6/8/5K2 w - - 0 1"},
	{"a pawn pinned on its file is blocked by the pinner next to it", "8/6k1/8/K5p1/6R1/8/8/8 w - - 0 1"},
	{"a pinned pawn attacks its pinner", "6k1/8/8/8/2p5/1B6/8/7K w - - 0 1"},
	{"a pinned slider meets its pinner on the line", "6k1/6r1/8/6R1/8/8/8/5K2 w - - 0 1"},
	{"a new queen attacks through the square that the pawn has left", "8/5P2/7K/8/8/6k1/8/8 w - - 0 1"},
	{"mutual attacks of pawns", "8/8/8/2p5/1P6/K7/7k/8 w - - 0 1"},
	{"a bishop captures the pawn that attacks it", "8/8/8/2p5/1B6/K7/7k/8 w - - 0 1"},
	{"squares of castlings are not targets of king moves", "r3k3/8/8/8/8/3B4/4K3/8 w q - 0 1"},
	{"a castling becomes legal because an attack is given up", "r6k/8/8/8/8/8/8/2R3K1 w Ca - 0 1"},
	{"our king next to the path of a castling", "r3k3/8/1K6/8/8/3r4/8/8 w q - 0 1"},
	{"a queen attacks the path of a castling from both sides", "4k2r/8/8/8/8/8/1Q6/K7 w k - 0 1"},
	{"an attack on a castling's path is blocked", "4k2r/8/8/8/8/3N4/8/1K3R2 w k - 0 1"},
	{"a castling rook is captured", "r3k3/1K6/8/8/8/8/8/8 w q - 0 1"},
	{"an arrival in the gap that castling west leaves", "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1"},
	{"our piece leaves the squares of a castling", "1rkN4/8/8/2K5/8/8/8/8 w b - 0 1"},
	{"a castling rook that can be pinned from outside", "1r2k2K/R7/8/8/8/8/8/8 w b - 0 1"},
	{"a castling in which the king stays", "6kr/8/8/8/8/8/1Q6/K7 w h - 0 1"},
	{"our castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1"},
	{"our castling in Chess960 from the rook's target", "7k/8/8/8/8/8/8/5KR1 w G - 0 1"},
	{"our castling next to their king", "8/8/8/8/8/6k1/8/R3K2R w KQ - 0 1"},
	{"our castling with a rook of theirs on the rank", "4k3/8/8/8/8/8/8/r1N1K2R w K - 0 1"},
	{"our castling rook gives up an attack and attacks another file", "6k1/8/8/8/8/8/8/4K2R w K - 0 1"},
	{"our castling rook pins a pawn", "5k2/5p2/8/8/8/8/8/4K2R w K - 0 1"},
	{"our castling rook unblocks a pawn", "4k3/8/8/8/8/8/p7/R3K3 w Q - 0 1"},
	{"our castling rook leaves an attacked square", "4k3/8/8/3b4/8/8/8/4K2R w K - 0 1"},
	{"our castling unblocks a slider behind the king", "8/8/8/8/8/7k/8/R3K1B1 w Q - 0 1"},
	{"a double push next to a pinned pawn", "7k/8/8/8/3K3p/7Q/6P1/8 w - - 0 1"},
	{"a double push next to a pawn on the rank of its king", "8/8/8/8/k4p1R/8/4P3/4K3 w - - 0 1"},
	{"a double push between two pawns", "3k4/8/8/8/5p1p/8/4K1P1/8 w - - 0 1"},
	{"a double push discovers check", "8/8/8/8/8/1k6/3P4/4KB2 w - - 0 1"},
	{"a capture en passant discovers check", "8/6k1/8/3pP3/8/2B5/8/4K3 w - d6 0 1"},
	{"a pin blocker moves on the line", "1K6/3knR1R/8/8/8/8/8/8 w - - 0 1"},
	{"a pin blocker moves where the piece attacks that is pinned then", "8/8/K7/8/8/8/1RPq1k2/8 w - - 0 1"},
	{"a pinner moves in front of the pawn it sets free", "8/8/8/8/1k6/1p6/8/1Q1K4 w - - 0 1"},
	{"a pinner keeps its pin", "8/8/K5B1/8/4p3/8/2k5/8 w - - 0 1"},
	{"a discovered check", "8/5k2/8/8/5K2/8/8/5R2 w - - 0 1"},
	{"a capture next to their king", "k6K/q7/2N5/8/8/8/8/8 w - - 0 1"},
	{"an attack on a king target is blocked", "Q7/8/8/8/3K4/7k/8/8 w - - 0 1"},
	{"an attack on a king target is unblocked", "8/1k6/8/1K6/8/8/8/5B2 w - - 0 1"},
	{"our king gives up an attack", "3K4/8/1k6/8/8/8/8/8 w - - 0 1"},
	{"a pinned piece does not help in check", "K7/8/8/8/8/5B2/5Qn1/7k w - - 0 1"},
	{"a checking piece no longer attacks what it did", "3K4/N7/8/k7/8/8/8/8 w - - 0 1"},
	{"a checking piece is captured by a pawn that promotes", "8/4Q3/8/8/8/8/K2p4/7k w - - 0 1"},
	{"a check by a capture next to their king", "k7/1q6/8/3B4/8/8/8/1R4K1 w - - 0 1"},
	{"a check by a capture next to their king, which may capture back", "k7/1q6/8/3B4/8/8/8/6K1 w - - 0 1"},
	{"a check by the capture of the pinned piece", "k7/1n6/2q5/3B4/8/8/8/6K1 w - - 0 1"},
	{"a check by the capture of the pinned piece at a distance", "k7/8/2n5/8/4B3/8/8/1r4K1 w - - 0 1"},
	{"a blocked pawn gets both pushes", "8/7p/7K/8/4k3/8/8/8 w - - 0 1"},
	{"a blocked pawn gets to promote", "8/8/4k3/8/8/8/3p4/3K4 w - - 0 1"},
	{"a pawn attacks a square where it would promote", "1QK5/7k/8/8/8/8/2p5/8 w - - 0 1"},
	{"a piece leaves a slider's line by a capture at its end", "8/8/8/8/8/2nQ2q1/8/K6k w - - 0 1"},
	{"a queen goes away from the queen that attacks it", "8/8/8/8/8/3Q2q1/8/K6k w - - 0 1"},
	{"a bishop goes away, though not everywhere", "5k2/8/8/4B3/8/8/1b5K/8 w - - 0 1"},
	{"four knights reach a square next to their king", "7K/8/8/4N3/8/N3N3/3N4/k7 w - - 0 1"},
	{"a piece goes towards the slider that attacks it", "k6K/3b4/4Q3/8/8/8/8/8 w - - 0 1"},
	{"a queen's nine and more moves are taken", "k6K/8/2N5/8/1q6/8/8/8 w - - 0 1"},
}

func TestTraps(t *testing.T) {
	c := newChecker()
	for _, trap := range traps {
		c.Trees(t, 2, trap.fen)
	}
}

// No square has more than sixteen arrivals: one along each of eight lines, and eight of knights. On the last rank
// promotions count four each, but there are fewer lines: fifteen. Sixteen is one more than the planes of a counter
// hold.
func TestManyArrivalsOnOneSquare(t *testing.T) {
	for _, test := range []struct {
		arrivals int
		fen      string
	}{
		{14, "7k/8/2N1NK2/1NQ1Q3/2Q1Q3/1NQQQN2/2N1N3/8 w - - 0 1"},
		{15, "7k/8/2N1NK2/1NQ1QN2/2Q1Q3/1NQQQN2/2N1N3/8 w - - 0 1"},
		{16, "7k/8/2N1NK2/1NQQQN2/2Q1Q3/1NQQQN2/2N1N3/8 w - - 0 1"},
		{16, "1r5k/7r/2N1NK2/1NQQQN2/2Q1Q3/1NQQQNb1/2N1N3/8 w - - 0 1"},
		{16, "8/8/2N1N3/1NQQQN2/2QnQ3/1NQQQN1k/2N1N3/6K1 w - - 0 1"},
		{15, "2QnQ3/1NPRPN2/2N1N3/8/8/8/8/K6k w - - 0 1"},
	} {
		if got := mostArrivals(agreement.MustRead(test.fen)); got != test.arrivals {
			t.Errorf("%s: %d arrivals on one square, want %d", test.fen, got, test.arrivals)
		}
		newChecker().Trees(t, 1, test.fen)
	}
}

// mostArrivals returns the greatest number of moves to one square.
func mostArrivals(n *agreement.Node) int {
	var arrivals [64]int
	for _, m := range n.Moves {
		arrivals[m.To()]++
	}
	return slices.Max(arrivals[:])
}
