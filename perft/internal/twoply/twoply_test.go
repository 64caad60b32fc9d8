package twoply_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// newCounts compares counting by differences with plain counting, also where Count prefers to count
// plainly. At one node in a hundred it looks at each move.
func newCounts() difftest.Aspect {
	scratch, targets := new(twoply.Scratch), new(core.TargetSets)
	return func(n *difftest.Node, random *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		want, got := b.CountTwo(targets), twoply.Count(&b, scratch)
		differences, ok := scratch.Differences(&b)
		if isRight := got == want && (!ok || differences == want); !isRight || random.IntN(100) == 0 {
			if wrong := wrongMove(n, &b, scratch); !isRight || wrong != "" {
				difftest.Fail("Count is %d in %s, by differences %d, want %d: %s", got, n.FEN(), differences, want,
					cmp.Or(wrong, "no single move is counted wrong"))
			}
		}
	}
}

// wrongMove names the first move after which the replies are counted wrong, if any.
func wrongMove(n *difftest.Node, b *core.Board, s *twoply.Scratch) string {
	flip := fianchetto.Move(0)
	if n.Pos.SideToMove() == fianchetto.Black {
		flip = core.FlipMove
	}
	for i, m := range n.Moves {
		if got, want := s.Attributed(b, uint16(m^flip)), len(n.After(i).Moves); got != want {
			return fmt.Sprintf("after %s it counts %d, want %d", n.Name(m), got, want)
		}
	}
	return ""
}

func TestMain(m *testing.M) { difftest.Main(m, newCounts()) }

func newChecker() *difftest.Checker { return difftest.NewChecker(newCounts()) }

// TestTrees compares every node of the trees of all suites, as deep as a second allows, of the
// traps, and of the positions of testdata/trees.txt.
func TestTrees(t *testing.T) {
	depth, published := 1, 2
	if difftest.Long {
		depth, published = 2, 3
	}
	c := newChecker()
	c.Trees(t, depth, suites.FENs()...)
	if !testing.Short() {
		c.Trees(t, published, suites.FENs("published")...)
	}
	c.Trees(t, 2, positions.Traps()...)
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/trees.txt"))(t))) {
		if fen, _, isTree := strings.Cut(line, "\t"); isTree {
			c.Trees(t, 2, fen)
		}
	}
	t.Logf("%d nodes", c.Nodes)
}

func TestGames(t *testing.T) { newChecker().Games(t, 1, difftest.Breadth(60_000)) }

// King, castling rook and one enemy piece on every square, with the side that may castle to move
// and to reply.
func TestCastlings(t *testing.T) { newChecker().EachCastling(t, 3) }

func TestCountAllocatesNothing(t *testing.T) {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	b, s := core.BoardOf(&pos), new(twoply.Scratch)
	if n := testing.AllocsPerRun(100, func() { twoply.Count(&b, s) }); n != 0 {
		t.Errorf("Count allocates %v times in %v, want 0", n, pos)
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

// No square has more than sixteen arrivals: one along each of eight lines, and eight of knights. On
// the last rank promotions count four each, but there are fewer lines: fifteen. Sixteen is one more
// than the planes of a counter hold: eight knights are counted plainly.
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
		{16, "3R4/1QN1N3/1N2BN2/2R3R1/1N1RBN2/1BN1NK2/7r/7k w - - 0 1"}, // all in the counter
	} {
		if got := mostArrivals(difftest.MustRead(test.fen)); got != test.arrivals {
			t.Errorf("%s: %d arrivals on one square, want %d", test.fen, got, test.arrivals)
		}
		newChecker().Trees(t, 1, test.fen)
	}
}

// mostArrivals returns the greatest number of moves to one square.
func mostArrivals(n *difftest.Node) int {
	var arrivals [64]int
	for _, m := range n.Moves {
		arrivals[m.To()]++
	}
	return slices.Max(arrivals[:])
}
