// Package goamd64 compares the instruction set that a program was built for with the one that its
// machine runs. On amd64, Go builds for a microarchitecture level, GOAMD64. The default, v1, runs
// on every such processor. Processors since about 2013 run v3, which includes BMI and a population
// count that needs no check.
//
// In a program for v1 the compiler tests the processor before every population count, and saves
// registers around the portable form that it calls otherwise. Go offers no way around this:
// math/bits is the only access to the instruction, a package cannot be compiled for another level
// than its program, and a call of a function in assembly costs more than the test. So the level is
// chosen for the program as a whole.
package goamd64

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"
)

// gain is how much faster a program for v3 counts than one for v1: the geometric means over
// the four full boards of the benchmarks on one thread of an Intel Xeon (family 6, model 207). v2
// and v4 gain nothing over v1 and v3.
const gain = "plain perft by 16%, two-ply by 21%, simd by 1%"

// Best returns the level to build for on this machine: v3, or the highest level that it runs if
// that is lower, because v4 gains nothing. On other architectures it returns "".
func Best() string {
	x86 := &cpu.X86
	switch {
	case runtime.GOARCH != "amd64":
		return ""
	// Processors that have these have the rest of v3: LZCNT, MOVBE, F16C.
	case x86.HasAVX2 && x86.HasBMI1 && x86.HasBMI2 && x86.HasFMA:
		return "v3"
	case x86.HasPOPCNT && x86.HasSSE42:
		return "v2"
	}
	return "v1"
}

// Setting returns the instruction set that this program was built for as a setting of Go, such as
// GOAMD64=v3 or GOARM64=v8.0, or "" if the build recorded none.
func Setting() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
				return s.Key + "=" + s.Value
			}
		}
	}
	return ""
}

// Advice returns a line of advice if a program for another level would count faster on this machine,
// with the command that builds it, or "".
func Advice(command string) string {
	return advice(strings.TrimPrefix(Setting(), "GOAMD64="), Best(), command)
}

func advice(build, best, command string) string {
	if best != "v3" || build != "v1" && build != "v2" {
		return ""
	}
	return fmt.Sprintf("built for GOAMD64=%s; GOAMD64=%s counts faster here, %s: %s", build, best, gain, command)
}
