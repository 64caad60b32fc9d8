package simd_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

func parse(fen string) core.Board {
	p := fianchetto.MustParseFEN(fen)
	return core.BoardOf(&p)
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
