package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestReadCount(t *testing.T) {
	for _, c := range []struct {
		output string
		count  uint64
		took   time.Duration
	}{
		{"20 0.1ms\n", 20, 100 * time.Microsecond},
		{"Perft 5: 4865609 12ms 405.5 MNodes/s\nPerft 6: 119060324 117ms 1017.6 MNodes/s\n\nPress any key",
			119060324, 117 * time.Millisecond},
		{"perft  8 :     84998978956 leaves in      9.766 s   8703464369 leaves/s\nfull time:      9.894 s",
			84998978956, 9766 * time.Millisecond},
		{"nodes 400 in 35 us", 400, 35 * time.Microsecond},
		{"perft(3): 334  0.000s  10.00 MNPS\n", 334, 33400},
		{"perft(1): 1  0.250s  0.00 MNPS\n", 1, 250 * time.Millisecond},
	} {
		count, took, err := readCount([]byte(c.output))
		if err != nil || count != c.count || took != c.took {
			t.Errorf("%q: %d, %v, %v, want %d, %v", c.output, count, took, err, c.count, c.took)
		}
	}
	for _, output := range []string{"", "20", "20 nodes at 5 nodes/s", "20 0ms", "99999999999999999999 1s", "20\n1s"} {
		if count, took, err := readCount([]byte(output)); err == nil {
			t.Errorf("%q: read as %d in %v, want an error", output, count, took)
		}
	}
}

// TestOthersCountRight lets the test binary play a program, with its arguments in either form.
func TestOthersCountRight(t *testing.T) {
	t.Setenv("BENCHMARKS_TEST_OTHER", "1")
	for _, command := range []string{os.Args[0], os.Args[0] + " {fen} {depth}"} {
		p, err := parseProgram("test=" + command)
		if err != nil {
			t.Fatal(err)
		}
		checkCounts(t, p, shallow(), workload.leavesAt)
		walk, _ := p.open(t.Context(), "not a FEN")
		if _, _, err := walk(1); err == nil || !strings.Contains(err.Error(), "not a FEN") {
			t.Errorf("error %v, want what the program printed on standard error", err)
		}
	}
}

func TestProgramsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "/bin/true", "=/bin/true", "name=", "name= "} {
		if p, err := parseProgram(text); err == nil {
			t.Errorf("%q: read as %v, want an error", text, p.name)
		}
	}
	for code, arguments := range map[int][]string{2: {"--bulk", "name="}, 3: {"perft", "--bulk", "x=/does/not/exist"}} {
		root := newRoot()
		root.SetArgs(arguments)
		if exitCode(root.Execute()) != code {
			t.Errorf("%v: exit code is not %d", arguments, code)
		}
	}
}

// playProgram counts leaves with perft of our own.
func playProgram() {
	fen, depth := os.Args[1], os.Args[2]
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		fmt.Fprintln(os.Stderr, fen, err)
		os.Exit(2)
	}
	plies, _ := strconv.Atoi(depth)
	start := time.Now()
	nodes, _ := perft.Count(pos, plies)
	fmt.Printf("%d leaves in %.6f s, depth %d\n", nodes, time.Since(start).Seconds(), plies)
}
