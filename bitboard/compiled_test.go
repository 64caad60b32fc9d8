package bitboard

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// goTool finds the go command, without which these tests are skipped.
func goTool(t *testing.T) string {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	return tool
}

// TestScalarFormsHaveNoBranches looks for conditional jumps in the machine code of the scalar
// forms of intersections.
func TestScalarFormsHaveNoBranches(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("reads amd64 instructions")
	}
	branchFree := []string{"Between", "Line", "Piece.Index", "rankFile", "rankDiagonal", "rankAntiDiagonal", "fileDiagonal",
		"fileAntiDiagonal", "diagonalAntiDiagonal"}
	listing, err := exec.Command(goTool(t), "build", "-gcflags=-S", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, listing)
	}
	code := machineCode(string(listing))
	for _, name := range branchFree {
		instructions := code[name]
		if len(instructions) == 0 {
			t.Errorf("no machine code of %s", name)
		}
		for _, instruction := range instructions {
			if strings.HasPrefix(instruction, "J") || instruction == "CALL" {
				t.Errorf("%s has a %s", name, instruction)
			}
		}
	}
	if !strings.Contains(strings.Join(code["Intersect"], " "), "J") {
		t.Error("Intersect has no jump, so that this test would find none")
	}
}

// machineCode reads the compiler's listing: the names of the instructions of each function.
func machineCode(listing string) map[string][]string {
	var (
		function    = regexp.MustCompile(`^\S*/bitboard\.(\S+) STEXT`)
		instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \(.*?\)\t([A-Z][A-Z0-9]*)`)
		code        = map[string][]string{}
		current     string
	)
	for line := range strings.Lines(listing) {
		if match := function.FindStringSubmatch(line); match != nil {
			current = match[1]
		} else if match := instruction.FindStringSubmatch(line); match != nil {
			code[current] = append(code[current], match[1])
		}
	}
	return code
}

// TestInitialisationDoesNotAllocate reads what the runtime reports about the initialisation of this
// package, which every program that imports it pays for. It logs the time, which should be below
// 200 microseconds.
func TestInitialisationDoesNotAllocate(t *testing.T) {
	engine := filepath.Join(t.TempDir(), "engine")
	build := exec.Command(goTool(t), "build", "-o", engine, "../examples/engine")
	build.Env = append(os.Environ(), "GOOS=", "GOARCH=") // to be run here, wherever the test is emulated
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	run := exec.Command(engine)
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	output, err := run.CombinedOutput()
	line := regexp.MustCompile(`init \S*/bitboard @\S+ ms, (\S+ ms) clock, \d+ bytes, (\d+) allocs`)
	trace := line.FindSubmatch(output)
	if err != nil || trace == nil {
		t.Fatalf("%v, want a trace of the initialisation:\n%s", err, output)
	}
	t.Logf("initialisation takes %s", trace[1])
	if allocations := string(trace[2]); allocations != "0" {
		t.Errorf("initialisation makes %s allocations", allocations)
	}
}
