//go:build !purego

package simd

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../../tools/asm . -out kernel_amd64.s -stubs kernel_stubs_amd64.go

var available = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD &&
	cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI2 &&
	cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasAVX512GFNI && cpu.X86.HasBMI2
