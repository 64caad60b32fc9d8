//go:build !purego

package simd_test

import (
	"os"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// TestKernelRuns compares Available with what Linux knows of the processor, and reports whether the
// tests below run the kernel.
func TestKernelRuns(t *testing.T) {
	if cpus, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		want := true
		for _, flag := range []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_vbmi2",
			"avx512_vpopcntdq", "gfni", "bmi2"} {
			want = want && strings.Contains(string(cpus), " "+flag+" ")
		}
		if simd.Available() != want {
			t.Errorf("Available is %v, against the flags of /proc/cpuinfo", !want)
		}
	}
	needKernel(t)
}
