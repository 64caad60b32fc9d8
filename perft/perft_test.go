package perft_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestMain(m *testing.M) { difftest.Main(m, newCounts()) }

// newCounts compares each method with the oracle where there are few moves. It names the move whose
// replies are counted wrong.
func newCounts() difftest.Aspect {
	var counters []*perft.Counter
	for method := perft.Plain; method <= perft.SIMD; method++ {
		if c, err := perft.NewCounter(method, nil); err == nil {
			counters = append(counters, c)
		}
	}
	return func(n *difftest.Node, _ *rand.Rand) {
		if len(n.Moves) > 8 {
			return
		}
		total := 0
		for i, m := range n.Moves {
			replies := len(n.After(i).Moves)
			total += replies
			// All methods count one ply by the same function.
			if got, err := perft.Count(n.Pos.After(m), 1); got != uint64(replies) || err != nil {
				difftest.Fail("replies to %s in %s: %d, %v, want %d", n.Name(m), n.FEN(), got, err, replies)
			}
		}
		for _, c := range counters {
			if got, err := c.Count(context.Background(), n.Pos, 2); got != uint64(total) || err != nil {
				difftest.Fail("%v counts %d leaves in two plies of %s, %v, want %d; one ply is right after each move",
					c.Method(), got, n.FEN(), err, total)
			}
		}
	}
}

// testSuites calls test with each case of the suites, in a subtest for each suite.
func testSuites(t *testing.T, test func(t *testing.T, c suites.Case)) {
	t.Helper()
	for _, name := range suites.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range suites.Cases(name) {
				test(t, c)
			}
		})
	}
}

// compareCounts compares the counts of a case that have at most limit nodes, and returns their sum.
func compareCounts(t *testing.T, c suites.Case, limit uint64) uint64 {
	t.Helper()
	pos, err := fianchetto.ParseFEN(c.FEN)
	if err != nil {
		t.Fatalf("line %d: %v", c.Line, err)
	}
	var compared uint64
	for _, want := range c.Counts {
		if want.Nodes > limit {
			continue
		}
		got, err := perft.Count(pos, want.Depth)
		if err != nil || got != want.Nodes {
			t.Errorf("line %d, %s: depth %d has %d leaves, %v, want %d", c.Line, c.FEN, want.Depth, got, err,
				want.Nodes)
		}
		compared += got
	}
	return compared
}

func TestCountSuites(t *testing.T) {
	testSuites(t, func(t *testing.T, c suites.Case) {
		if compared := compareCounts(t, c, 200e6); c.Name != "" {
			t.Logf("%s: %d leaves compared", c.Name, compared)
		}
	})
}

func ExampleCount() {
	nodes, err := perft.Count(fianchetto.StartPosition(), 5)
	fmt.Println(nodes, err)
	// Output: 4865609 <nil>
}

// Two counts that differ are followed down the move that they differ for.
func ExampleDivide() {
	pos := fianchetto.MustParseFEN("8/8/8/8/8/5k2/6p1/7K w - - 0 1")
	counts, err := perft.Divide(pos, 2)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range counts {
		fmt.Printf("%s: %d\n", pos.UCI(c.Move), c.Nodes)
	}
	// Output:
	// h1g1: 6
	// h1h2: 10
}

// A run with a journal resumes the run before it; here that one was complete.
func ExampleOptions_journal() {
	directory, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
	}
	defer os.RemoveAll(directory)
	options := perft.Options{Journal: filepath.Join(directory, "journal")}
	for range 2 {
		result, err := perft.Run(context.Background(), fianchetto.StartPosition(), 6, options)
		fmt.Println(result.Nodes, err, "resumed", result.Resumed, "of", result.Tasks, "tasks")
	}
	// Output:
	// 119060324 <nil> resumed 0 of 400 tasks
	// 119060324 <nil> resumed 400 of 400 tasks
}

// must returns the value of a call that must succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
