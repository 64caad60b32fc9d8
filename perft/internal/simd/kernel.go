package simd

import "github.com/fianchetto-chess/fianchetto/internal/core"

// Kernel is one of the functions that count children, so that tests can compare each.
type Kernel struct {
	Name  string
	count func(s *siblings, moves []move) int
}

// Kernels returns all kernels that this machine can run, the one in Go first.
func Kernels() []Kernel {
	kernels := []Kernel{{"go", countEach}}
	if Available() {
		kernels = append(kernels, Kernel{"avx512", countChildren})
	}
	return kernels
}

// CountTwo is the function of that name, with this kernel.
func (k Kernel) CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	return k.count(&s.siblings, s.moves.all()) + s.enPassantReplies(b)
}
