//go:build !amd64 || purego

package simd

// Available reports whether this machine has the kernel: CountTwo is fast then.
func Available() bool { return false }

// countChildren is countEach: there is no kernel.
func countChildren(s *siblings, moves []move) int { return countEach(s, moves) }
