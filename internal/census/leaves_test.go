package census

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const (
	kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	pos3     = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
	pos4     = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
)

// ignore is no report.
func ignore(perft.Progress) {}

// TestLeavesPublished compares with the last lines of the published tables on the Perft Results
// page, and with the kinds of check of the Grand Chess Tree project, to which its mates are added.
func TestLeavesPublished(t *testing.T) {
	for _, test := range []struct {
		fen  string
		want Statistics
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Statistics{
			Depth: 6, Nodes: 119060324, Captures: 2812008, EnPassant: 5248, Checks: 809099,
			DirectChecks: 797896 + 10828, SingleDiscoveredChecks: 329, DirectDiscoveredChecks: 46, Checkmates: 10828,
		}},
		{kiwipete, Statistics{
			Depth: 4, Nodes: 4085603, Captures: 757163, EnPassant: 1929, Castles: 128013, Promotions: 15172,
			Checks:       25523,
			DirectChecks: 25432 + 43, SingleDiscoveredChecks: 42, DirectDiscoveredChecks: 6, Checkmates: 43,
		}},
		{pos3, Statistics{
			Depth: 6, Nodes: 11030083, Captures: 940350, EnPassant: 33325, Promotions: 7552, Checks: 452473,
			DirectChecks: 452473 - 26067, SingleDiscoveredChecks: 26067, Checkmates: 2733,
		}},
		{pos4, Statistics{
			Depth: 5, Nodes: 15833292, Captures: 2046173, EnPassant: 6512, Promotions: 329464, Checks: 200568,
			DirectChecks: 200568 - 11621 - 50, SingleDiscoveredChecks: 11621, DirectDiscoveredChecks: 50,
			Checkmates: 50562,
		}},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", Statistics{
			Depth: 4, Nodes: 3894594, Captures: 440388, Checks: 68985,
			DirectChecks: 68903, SingleDiscoveredChecks: 62, DirectDiscoveredChecks: 20,
		}},
	} {
		got, err := Leaves(t.Context(), fianchetto.MustParseFEN(test.fen), test.want.Depth, 2, ignore)
		if err != nil || len(got) != test.want.Depth {
			t.Errorf("%s: %d depths, %v", test.fen, len(got), err)
			continue
		}
		if got := got[test.want.Depth-1]; got != test.want {
			t.Errorf("%s:\n      got %+v\npublished %+v", test.fen, got, test.want)
		}
	}
}

// TestLeavesDefinitions compares the effects of the moves of testdata/definitions.txt.
func TestLeavesDefinitions(t *testing.T) {
	effect := regexp.MustCompile(`(\w+):1\b`)
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/definitions.txt"))(t))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		want, name, b, move := fields[0], fields[1], must.Get(oracle.Parse(fields[2]))(t), fields[3]
		moves := b.LegalMoves()
		i := slices.IndexFunc(moves, func(m oracle.Move) bool { return m.String() == move })
		if i < 0 {
			t.Fatalf("%s: %s is not legal in %s", name, move, b.FEN())
		}
		var effects []string
		for _, match := range effect.FindAllStringSubmatch(fmt.Sprintf("%+v", slowStatistics(b, moves[i])), -1)[2:] {
			effects = append(effects, match[1]) // without depth and nodes
		}
		if got := cmp.Or(strings.Join(effects, " "), "-"); got != want {
			t.Errorf("%s: %s in %s has the effects %s, want %s", name, move, b.FEN(), got, want)
		}
		compareStatistics(t, b, 1)
	}
}

// slowStatistics makes a move and examines its effect, piece by piece.
func slowStatistics(b oracle.Board, m oracle.Move) Statistics {
	s := Statistics{Depth: 1, Nodes: 1}
	piece, target := b.PieceAt(m.From), b.PieceAt(m.To)
	after := b.Apply(m)
	moved := m.To
	switch {
	case target != bitboard.NoPiece && target.Color() == piece.Color():
		s.Castles = 1
		if moved = bitboard.SquareAt(bitboard.FileD, m.From.Rank()); m.To.File() > m.From.File() {
			moved = bitboard.SquareAt(bitboard.FileF, m.From.Rank())
		}
	case target != bitboard.NoPiece:
		s.Captures = 1
	case piece.Type() == bitboard.Pawn && m.From.File() != m.To.File():
		s.Captures, s.EnPassant = 1, 1
	}
	if m.Promotion != bitboard.NoPieceType {
		s.Promotions = 1
	}

	var king bitboard.Square
	var occupancy bitboard.Bitboard
	for s := range bitboard.Square(64) {
		switch after.PieceAt(s) {
		case bitboard.PieceOf(after.SideToMove(), bitboard.King):
			king = s
		case bitboard.NoPiece:
			continue
		}
		occupancy = occupancy.With(s)
	}
	var direct, others uint64
	for from := range occupancy.Squares() {
		attacker := after.PieceAt(from)
		switch {
		case attacker.Color() == after.SideToMove() || !difftest.Attacks(attacker, from, king, occupancy):
		case from == moved:
			direct++
		default:
			others++
		}
	}
	switch {
	case direct == 1 && others == 0:
		s.DirectChecks = 1
	case direct == 1:
		s.DirectDiscoveredChecks = 1
	case others == 1:
		s.SingleDiscoveredChecks = 1
	case others > 1:
		s.DoubleDiscoveredChecks = 1
	}
	s.Checks = min(1, direct+others)
	if len(after.LegalMoves()) == 0 {
		s.Checkmates, s.Stalemates = s.Checks, 1-s.Checks
	}
	return s
}

// compareStatistics compares the statistics of the moves of b, and of all positions to depth, with
// the oracle's. It returns how many of its moves stalemate.
func compareStatistics(t *testing.T, b oracle.Board, depth int) (stalemates uint64) {
	t.Helper()
	want := Statistics{Depth: 1}
	moves := b.LegalMoves()
	for _, m := range moves {
		s := slowStatistics(b, m)
		want.add(&s)
	}
	got, err := Leaves(t.Context(), fianchetto.MustParseFEN(b.ShredderFEN()), 1, 1, ignore)
	if err != nil || len(got) != 1 || got[0] != want {
		t.Fatalf("%s: %v\n   got %+v\noracle %+v", b.ShredderFEN(), err, got, want)
	}
	stalemates = want.Stalemates
	if depth > 1 {
		for _, m := range moves {
			stalemates += compareStatistics(t, b.Apply(m), depth-1)
		}
	}
	return stalemates
}

// TestLeavesAgainstOracle compares at every node of the suites to depth 3 or, except in long tests,
// to a lesser depth, at least 1, where that would have more than 300 leaves.
func TestLeavesAgainstOracle(t *testing.T) {
	testSuites(t, func(t *testing.T, c suites.Case) {
		depth := 1
		for _, count := range c.Counts {
			if count.Depth <= 3 && (count.Nodes <= 300 || difftest.Long) {
				depth = max(depth, count.Depth)
			}
		}
		compareStatistics(t, must.Get(oracle.Parse(c.FEN))(t), depth)
	})
}

// TestLeavesOfRandomPositions compares with the oracle where stalemates are common.
func TestLeavesOfRandomPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(64, 1))
	var compared, stalemates uint64
	for compared < 12_000 {
		b := must.Get(oracle.Parse(positions.Random(random)))(t)
		stalemates += compareStatistics(t, b, 1)
		compared++
	}
	t.Logf("%d positions, %d moves that stalemate", compared, stalemates)
	if stalemates < 500 {
		t.Errorf("only %d moves stalemate, which proves little", stalemates)
	}
}

func TestLeavesOptions(t *testing.T) {
	pos := fianchetto.MustParseFEN(kiwipete)
	want := must.Get(Leaves(t.Context(), pos, 4, 1, ignore))(t)
	for _, threads := range []int{2, 5} {
		var last perft.Progress
		got, err := Leaves(t.Context(), pos, 4, threads, func(p perft.Progress) {
			if p.Done != last.Done+1 || p.Nodes < last.Nodes {
				t.Errorf("%d threads: progress jumps from %+v to %+v", threads, last, p)
			}
			last = p
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d threads: %v\n got %+v\nwant %+v", threads, err, got, want)
		}
		if last.Done != last.Tasks || last.Nodes != want[3].Nodes {
			t.Errorf("%d threads: progress ends with %+v", threads, last)
		}
	}
}

func TestLeavesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	report := func(perft.Progress) { cancel() }
	if _, err := Leaves(ctx, fianchetto.StartPosition(), 6, 2, report); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// testSuites calls test with each case of the suites, in a subtest for each suite.
func testSuites(t *testing.T, test func(t *testing.T, c suites.Case)) {
	t.Helper()
	for _, name := range suites.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range suites.Cases(name) {
				test(t, c)
			}
		})
	}
}
