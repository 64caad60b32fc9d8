package simd_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// FuzzCountTwo compares every lane of every kernel with plain counting, in any position that can be played.
func FuzzCountTwo(f *testing.F) {
	for _, trap := range traps {
		f.Add(trap.fen)
	}
	s := new(simd.Scratch)
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			return
		}
		b := core.BoardOf(&p)
		for _, kernel := range simd.Kernels() {
			if report := kernel.Mismatch(&b, s); report != "" {
				t.Errorf("%s: %s", fen, report)
			}
		}
	})
}
