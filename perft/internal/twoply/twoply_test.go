package twoply_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// newCounts compares counting by differences with plain counting, also where Count prefers to count
// plainly, and with the oracle where there are few moves.
func newCounts() difftest.Aspect {
	scratch, targets := new(twoply.Scratch), new(core.TargetSets)
	return func(n *difftest.Node, _ *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		want := b.CountTwo(targets)
		if len(n.Moves) <= 8 {
			if slow := n.Oracle.Perft(2); uint64(want) != slow {
				difftest.Fail("plain counting gives %d replies in %s, want %d", want, n.FEN(), slow)
			}
		}
		if got := twoply.Count(&b, scratch); got != want {
			difftest.Fail("Count is %d in %s, want %d%s", got, n.FEN(), want, wrongMove(n, &b, scratch))
		}
		if got, ok := scratch.Differences(&b); ok && got != want {
			difftest.Fail("by differences there are %d replies in %s, want %d%s", got, n.FEN(), want,
				wrongMove(n, &b, scratch))
		}
	}
}

// wrongMove names the first move after which the replies are counted wrong.
func wrongMove(n *difftest.Node, b *core.Board, s *twoply.Scratch) string {
	flip := fianchetto.Move(0)
	if n.Pos.SideToMove() == fianchetto.Black {
		flip = core.FlipMove
	}
	for i, m := range n.Moves {
		if got, want := s.Attributed(b, uint16(m^flip)), len(n.After(i).Moves); got != want {
			return fmt.Sprintf(": after %s it counts %d, want %d", n.Name(m), got, want)
		}
	}
	return wrongNowhere
}

const wrongNowhere = ": no single move is counted wrong"

// TestEachMoveIsAttributed checks that wrongMove accuses no move that is counted right.
func TestEachMoveIsAttributed(t *testing.T) {
	scratch := new(twoply.Scratch)
	random := rand.New(rand.NewPCG(8, 1))
	for _, fen := range suites.FENs() {
		n := difftest.MustRead(fen)
		for range 6 {
			b := core.BoardOf(&n.Pos)
			if !b.IsBare() {
				if wrong := wrongMove(n, &b, scratch); wrong != wrongNowhere {
					t.Errorf("%s%s", n.FEN(), wrong)
				}
			}
			if len(n.Moves) == 0 {
				break
			}
			n = n.After(random.IntN(len(n.Moves)))
		}
	}
}

func TestMain(m *testing.M) { difftest.Main(m, newCounts()) }

func newChecker() *difftest.Checker { return difftest.NewChecker(newCounts()) }

// Every node of the trees of all suites, as deep as a second allows.
func TestTreesOfTheSuites(t *testing.T) {
	depth, published := 1, 2
	if difftest.Long {
		depth, published = 2, 3
	}
	c := newChecker()
	c.Trees(t, depth, suites.FENs()...)
	if !testing.Short() {
		c.Trees(t, published, suites.FENs("published")...)
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

// Counting one node must not depend on the node that the scratch counted before.
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

func TestTraps(t *testing.T) { newChecker().Trees(t, 2, positions.Traps()...) }

// A pinned pawn captures en passant along its line alone.
func TestEnPassantOfPinnedPawns(t *testing.T) {
	newChecker().Trees(t, 2,
		"8/7k/8/8/4p3/8/3P1P2/1B2K3 w - - 0 1", // legal towards the bishop
		"8/8/2k5/8/4p3/8/3P1P2/4K2B w - - 0 1",
		"8/8/8/8/R3p2k/8/3P1P2/4K3 w - - 0 1", // along the rank: either pawn may stand between
		"8/8/8/8/k2p1p1Q/8/4P3/4K3 w - - 0 1",
		"4k3/8/8/8/4p3/8/3P1P2/4RK2 w - - 0 1", // along the file
	)
}

// A move may take more than fifteen moves, which is all that the planes of a counter hold, or
// promotions, which count four each.
func TestManyMovesLost(t *testing.T) {
	newChecker().Trees(t, 2,
		"k7/8/8/5N2/3q4/7K/8/8 w - - 0 1",                 // by capturing a queen: 27
		"8/8/8/5K1k/8/3N4/r7/br6 w - - 0 1",               // by blocking three lines at their ends: 19
		"7k/8/8/8/7K/8/1p6/R1RN4 w - - 0 1",               // by capturing or blocking a pawn that promotes on three squares
		"7k/8/8/8/7K/8/1p1p4/R1RNR3 w - - 0 1",            // where two pawns capture
		"7k/8/1b4q1/8/8/2r1N3/p1p1p1pK/1R1R1R2 w - - 0 1", // and with sliders
	)
}

// Moves that change a line to their king, or its castling moves.
func TestLinesToTheirKing(t *testing.T) {
	newChecker().Trees(t, 2,
		"k7/1q6/8/3Q4/8/8/8/K7 w - - 0 1",         // the pinner leaves, arrives where the pinned piece goes, checks
		"4k3/4r3/8/8/4R3/4Q3/8/K7 w - - 0 1",      // behind the pinner another piece pins
		"4k3/4p3/8/8/4R3/8/8/K7 w - - 0 1",        // the pinner arrives before the pinned pawn
		"3k4/4p3/8/6B1/8/8/8/K7 w - - 0 1",        // or where this pawn captures
		"4k3/4N3/4n3/8/4R3/8/8/K7 w - - 0 1",      // a piece leaves the line of a slider that then pins
		"4k3/4r3/4N3/8/4R3/8/8/K7 w - - 0 1",      // likewise, behind the pinned piece
		"8/8/8/5k2/3p4/8/4P3/K7 w - - 0 1",        // a double push checks, and is captured en passant
		"8/k7/8/8/3p4/8/4P3/K5B1 w - - 0 1",       // a pinned pawn captures en passant along its line
		"8/8/8/8/R2p3k/8/4P3/K7 w - - 0 1",        // or does not, because it leaves its line
		"r3k2r/8/8/8/2B5/6N1/8/K2Q4 w kq - 0 1",   // arrivals close a castling, check, or capture a rook
		"6k1/5ppp/8/6N1/8/8/1B4R1/K5Q1 w - - 0 1", // a check interposes, or unblocks another attack
	)
}

// Several checks by one piece, and what stops some of them but not others.
func TestEvasions(t *testing.T) {
	newChecker().Trees(t, 2,
		"k7/8/7r/7b/3Q4/8/8/6K1 w - - 0 1",        // three checks on one line share squares between
		"k7/8/8/8/2Q5/8/r7/6K1 w - - 0 1",         // a slider on the line may capture, but not interpose, or is captured
		"8/8/3pk3/5n2/8/8/8/3Q2K1 w - - 0 1",      // next to their king, a piece shields a square from the queen
		"8/3k4/8/2P5/8/8/6K1/2r5 w - - 0 1",       // the pawn that checks opens a line to itself
		"4b3/8/8/6k1/7r/8/2P1PP2/K7 w - - 0 1",    // or other pawns do not
		"8/6B1/8/4p3/8/2k5/8/3Q2K1 w - - 0 1",     // a pinned pawn captures along its line
		"8/R3p3/R7/8/8/4k3/8/6K1 w - - 0 1",       // a pawn behind the check, or captured with check
		"8/8/8/8/8/R5K1/1p6/4k3 w - - 0 1",        // a pawn promotes by capturing or interposing
		"6k1/r4ppp/8/8/8/8/5PPP/1RR3K1 w - - 0 1", // a check on the last rank, with a slider behind the leaving piece
	)
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
