//go:build !purego

package simd

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../../tools/asm . -out children_amd64.s -stubs children_amd64.go

// available reports whether the processor has all instructions of the kernel. It is found once.
var available = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD &&
	cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasAVX512GFNI && cpu.X86.HasBMI2

// Available reports whether this machine has the kernel: CountTwo is fast then.
func Available() bool { return available }

// countChildren is countEach, done by the kernel where there is one.
func countChildren(s *siblings, moves []move) int {
	if available {
		return countChildrenAVX512(s, unsafe.SliceData(moves), len(moves))
	}
	return countEach(s, moves)
}
