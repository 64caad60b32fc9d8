//go:build !purego

package sliders

import "golang.org/x/sys/cpu"

var hasPEXT = cpu.X86.HasBMI2

func extract(source, mask uint64) uint64 {
	if hasPEXT {
		return extractBMI2(source, mask)
	}
	return extractPortable(source, mask)
}

// extractBMI2 is the instruction PEXT.
//
//go:noescape
func extractBMI2(source, mask uint64) uint64
