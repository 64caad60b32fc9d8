package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestKernelCounts generates the kernel. The tests of package simd interpret the file in the
// repository. If this program writes another kernel, they interpret that one here, to find a fault
// before the file is generated again.
func TestKernelCounts(t *testing.T) {
	readSources(t)
	kernel := filepath.Join(t.TempDir(), "kernel.s")
	generate := exec.Command("go", "run", ".", "-out", kernel, "-stubs", filepath.Join(t.TempDir(), "stubs.go"))
	if output, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if bytes.Equal(instructions(t, kernel), instructions(t, filepath.Join(directory, "kernel_amd64.s"))) {
		return
	}
	test := exec.Command("go", "test", "-count=1", "-run", "^TestInterpreted$", ".", "-args",
		"-kernel", kernel)
	test.Dir = directory
	if output, err := test.CombinedOutput(); err != nil {
		t.Fatalf("the generated kernel counts wrong:\n%s", output)
	}
	t.Error("the generated kernel counts right, but kernel_amd64.s is another one: run make generate")
}

// readSources reads the files on which the kernel depends. So go test runs the test again after a
// change, instead of reporting the cached result.
func readSources(t *testing.T) {
	for _, pattern := range []string{"*.go", filepath.Join(directory, "*"), "../../internal/core/*.go"} {
		names := must.Get(filepath.Glob(pattern))(t)
		if len(names) == 0 {
			t.Fatalf("no file %s", pattern)
		}
		for _, name := range names {
			instructions(t, name)
		}
	}
}

// instructions returns a file of assembly without its first line, which is the command that wrote
// it.
func instructions(t *testing.T, name string) []byte {
	_, rest, _ := bytes.Cut(must.Get(os.ReadFile(name))(t), []byte("\n"))
	return rest
}
