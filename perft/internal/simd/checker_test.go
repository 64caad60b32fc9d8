package simd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

func parse(t testing.TB, fen string) core.Board {
	t.Helper()
	p, err := fianchetto.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return core.BoardOf(&p)
}

// suites returns the positions of all perft suites.
func suites(t testing.TB) (fens []string) {
	t.Helper()
	names, err := filepath.Glob("../../../testdata/*.epd")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if fen, _, isCase := strings.Cut(line, ";"); isCase && !strings.HasPrefix(line, "#") {
				fens = append(fens, strings.TrimSpace(fen))
			}
		}
	}
	if len(fens) < 1000 {
		t.Fatalf("only %d positions in %d suites", len(fens), len(names))
	}
	return fens
}

// checker compares the counts of a kernel with plain ones, and tallies the nodes compared.
type checker struct {
	*testing.T
	kernel  simd.Kernel
	scratch simd.Scratch
	targets core.TargetSets
	nodes   int
}

// eachKernel runs a test with every kernel that this machine has.
func eachKernel(t *testing.T, test func(c *checker)) {
	t.Helper()
	for _, kernel := range simd.Kernels() {
		t.Run(kernel.Name, func(t *testing.T) {
			c := &checker{T: t, kernel: kernel}
			test(c)
			t.Logf("%d nodes", c.nodes)
		})
	}
}

// checkLanes fails if any child of a board is counted wrong.
func (c *checker) checkLanes(name string, b *core.Board) {
	c.Helper()
	c.nodes++
	if report := c.kernel.Mismatch(b, &c.scratch); report != "" {
		c.Fatalf("%s, node %d: %s", name, c.nodes, report)
	}
}

// checkTotal fails if the sum over all children is wrong, and only then compares child by child, which is much slower.
func (c *checker) checkTotal(name string, b *core.Board) {
	c.Helper()
	c.nodes++
	if got, want := c.kernel.CountTwo(b, &c.scratch), b.CountTwo(&c.targets); got != want {
		c.Fatalf("%s, node %d: %d moves two plies deep, want %d: %s", name, c.nodes, got, want, c.kernel.Mismatch(b, &c.scratch))
	}
}

// checkTree checks the total at every node of a tree, down to depth plies below b.
func (c *checker) checkTree(name string, b *core.Board, depth int) {
	c.checkTotal(name, b)
	if depth == 0 {
		return
	}
	for _, child := range simd.Children(b) {
		c.checkTree(name, &child, depth-1)
	}
}
