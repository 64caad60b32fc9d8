package simd_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// TestKernels logs which kernels the other tests have run here.
func TestKernels(t *testing.T) {
	if !simd.Available() {
		t.Skip("no AVX-512 here, or not all of it that is needed: only the kernel in Go is tested")
	}
	if n := len(simd.Kernels()); n != 2 {
		t.Errorf("%d kernels, want those in Go and in AVX-512", n)
	}
}

func TestChildrenOfTheSuites(t *testing.T) {
	fens := suites.FENs()
	eachKernel(t, func(c *checker) {
		for _, fen := range fens {
			b := parse(fen)
			c.checkLanes(fen, &b)
		}
	})
}

func TestTreesOfTheSuites(t *testing.T) { checkSuites(t, 1) }

func checkSuites(t *testing.T, depth int) {
	fens := suites.FENs()
	eachKernel(t, func(c *checker) {
		for _, fen := range fens {
			b := parse(fen)
			c.checkTree(fen, &b, depth)
		}
	})
}
