// Package goamd64 compares the instruction set that a program was built for with the one that its
// machine runs. On amd64, Go builds for the microarchitecture level in GOAMD64: by default v1,
// which every such processor runs; v3, which those since about 2013 run, has BMI and a population
// count that needs no check.
//
// In a program for v1 the compiler puts a check of the processor in front of every population
// count, and behind it a call of the portable form, across which registers are saved. Go has no
// form without: math/bits is the only access to the instruction, variants of a package cannot be
// compiled for other levels than the program, and a function in assembly, which is not inlined,
// costs more than the check. Hence the level is chosen for the program as a whole.
package goamd64

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"
)

// gain is by how many percent a program for v3 counts faster than one for v1: plain perft on one
// thread, as in the benchmarks, on an AMD EPYC (Zen 4). There two-ply gains 10%, simd 3%, and v2
// and v4 gain nothing over v1 and v3.
const gain = 8

// Best returns the lowest level above which nothing is gained on this machine: v3, or v2 or v1 if
// it runs no more. On other architectures it returns "".
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

// Setting returns the setting by which this program was built for an instruction set, such as
// GOAMD64=v3 or GOARM64=v8.0, "" if the build recorded none.
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

// Advice returns a sentence if this machine runs a level that makes programs faster than the one of
// this program: by how much, and the command that builds one. Else it returns "".
func Advice(command string) string {
	return advice(strings.TrimPrefix(Setting(), "GOAMD64="), Best(), command)
}

func advice(build, best, command string) string {
	if best != "v3" || build != "v1" && build != "v2" {
		return ""
	}
	return fmt.Sprintf("This machine runs GOAMD64=%s, which counts %d%% faster: %s", best, gain, command)
}
