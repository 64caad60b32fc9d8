package simd_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

var kernelFile = flag.String("kernel", "kernel_amd64.s", "interpret the assembly in `FILE`")

// needKernel skips a test on a machine that cannot run the kernel.
func needKernel(t testing.TB) {
	t.Helper()
	if !simd.Available() {
		t.Skip("the kernel was not run on this machine, only interpreted: it needs AVX-512 with VBMI2, " +
			"VPOPCNTDQ and GFNI, and BMI2")
	}
}

// counts compares a kernel's counts with plain ones: the totals at every node and, at one node of
// about so many, the count of every child in every lane.
func counts(kernel *simd.Kernel, every int) difftest.Aspect {
	scratch, targets := new(simd.Scratch), new(core.TargetSets)
	return func(n *difftest.Node, random *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		got, want := kernel.CountTwo(&b, scratch), b.CountTwo(targets)
		if got != want || random.IntN(every) == 0 {
			if wrong := kernel.Mismatch(&b, scratch); got != want || wrong != "" {
				difftest.Fail("%d replies in %s, want %d: %s", got, n.FEN(), want, wrong)
			}
		}
	}
}

// public compares what the package counts on this machine, with its kernel or without.
func public() difftest.Aspect {
	scratch, targets := new(simd.Scratch), new(core.TargetSets)
	return func(n *difftest.Node, _ *rand.Rand) {
		b := core.BoardOf(&n.Pos)
		if got, want := simd.CountTwo(&b, scratch), b.CountTwo(targets); got != want {
			difftest.Fail("%d replies in %s, want %d", got, n.FEN(), want)
		}
	}
}

func TestMain(m *testing.M) { difftest.Main(m, public()) }

// TestInterpreted interprets the kernel, on every machine.
func TestInterpreted(t *testing.T) {
	c := difftest.NewChecker(counts(simd.Interpreter(t, *kernelFile), 4))
	checkRoots(t, c)
	c.Games(t, 3, difftest.Breadth(10_000))
	c.EachCastling(t, 50)
}

// checkRoots checks the traps and the positions of the suites.
func checkRoots(t *testing.T, c *difftest.Checker) {
	for _, fen := range positions.Traps() {
		c.Game(t, fen, 0)
	}
	c.Trees(t, 0, suites.FENs()...)
}

// TestWithoutInstructions counts as a machine without the instructions does.
func TestWithoutInstructions(t *testing.T) {
	simd.WithoutInstructions(func() {
		if simd.Available() {
			t.Error("the instructions are available")
		}
		difftest.NewChecker(public()).Trees(t, 1, suites.FENs()...)
	})
}

// TestProcessor runs the kernel on the processor.
func TestProcessor(t *testing.T) {
	needKernel(t)
	checkRoots(t, difftest.NewChecker(counts(simd.Processor, 1)))
	c := difftest.NewChecker(counts(simd.Processor, 1000))
	if difftest.Long {
		c.Trees(t, 2, suites.FENs()...)
		c.Trees(t, 3, suites.FENs("published")...)
	} else {
		c.Trees(t, 1, suites.FENs()...)
	}
	c.EachCastling(t, 3)
	difftest.NewChecker(counts(simd.Processor, 5)).Games(t, 8, difftest.Breadth(50_000))
	// These cross the border between core's count of bare sides and the kernel: pawns promote, give
	// check or may be captured en passant.
	difftest.NewChecker(public(), counts(simd.Processor, 10)).Trees(t, 3,
		"8/1P3k2/8/8/4pP2/8/3K2p1/8 b - f3 0 1", "8/2P5/1k6/8/3p4/3K4/4P2p/8 w - - 0 1",
		"8/5k2/4p3/3pPp2/3P1P2/6K1/8/8 w - d6 0 1")
}

// FuzzCountTwo compares every lane with plain counting, in any position that can be played.
func FuzzCountTwo(f *testing.F) {
	for _, fen := range positions.Traps() {
		f.Add(fen)
	}
	f.Add("4k3/8/8/8/8/8/8/4K3 w  -") // no castling field: refused by both
	kernel := simd.Processor
	if !simd.Available() {
		kernel = simd.Interpreter(f, *kernelFile)
	}
	c := difftest.NewChecker(counts(kernel, 1))
	f.Fuzz(func(t *testing.T, fen string) {
		c.Game(t, fen, 0)
	})
}

func TestCountTwoDoesNotAllocate(t *testing.T) {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	b, s := core.BoardOf(&pos), new(simd.Scratch)
	if n := testing.AllocsPerRun(100, func() { simd.CountTwo(&b, s) }); n != 0 {
		t.Errorf("CountTwo allocates %v times in %v, want 0", n, pos)
	}
}
