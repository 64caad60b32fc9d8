package perft_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestMain(m *testing.M) { difftest.Main(m) }

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

// TestCountSuites compares the counts of at most 200 million nodes, and in long tests all.
func TestCountSuites(t *testing.T) {
	testSuites(t, func(t *testing.T, c suites.Case) {
		pos := must.Get(fianchetto.ParseFEN(c.FEN))(t)
		for _, want := range c.Counts {
			if want.Nodes > 200e6 && !difftest.Long {
				continue
			}
			if got, err := perft.Count(pos, want.Depth); err != nil || got != want.Nodes {
				t.Errorf("line %d, %s: depth %d has %d leaves, %v, want %d", c.Line, c.FEN, want.Depth, got, err, want.Nodes)
			}
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

// TestRunOptionsAgree counts the suites with threads and hash tables, large and small, and compares
// move by move.
func TestRunOptionsAgree(t *testing.T) {
	kept := must.Get(perft.NewTable(1, 0))(t)
	testSuites(t, func(t *testing.T, c suites.Case) {
		pos := fianchetto.MustParseFEN(c.FEN)
		depth := 0
		for _, count := range c.Counts {
			if count.Nodes <= 300e3 {
				depth = count.Depth
			}
		}
		want := must.Get(perft.Divide(pos, depth))(t)
		variants := []perft.Options{
			{Method: perft.Plain, Threads: 1},
			{Method: perft.TwoPly, Threads: 1},
			{Threads: 3},
			{Threads: 1, HashMB: 1},
			{Threads: 4, HashMB: 1},
			{Threads: 2, Table: kept},
		}
		if perft.SIMD.Available() {
			variants = append(variants, perft.Options{Method: perft.SIMD, Threads: 1})
		}
		for _, options := range variants {
			result, err := perft.Run(context.Background(), pos, depth, options)
			if err != nil || !slices.Equal(result.Moves, want) {
				t.Fatalf("line %d, %s depth %d, %+v: %v, %v, want %v", c.Line, c.FEN, depth, options, result, err, want)
			}
			if result.Method == perft.Auto || result.Threads != options.Threads || options.HashMB == 0 &&
				options.Table == nil && result.Probes != 0 {
				t.Fatalf("%+v: used %+v", options, result)
			}
		}
	})
}

// TestRefusals has the options and depths that each function refuses.
func TestRefusals(t *testing.T) {
	pos, c := fianchetto.StartPosition(), must.Get(perft.NewCounter(perft.Plain, nil))(t)
	run := func(depth int, o perft.Options) error { return problem(perft.Run(t.Context(), pos, depth, o)) }
	for _, depth := range []int{-1, perft.MaxDepth + 1} {
		for name, err := range map[string]error{
			"Run": run(depth, perft.Options{}), "Count": problem(perft.Count(pos, depth)),
			"Divide": problem(perft.Divide(pos, depth)), "Counter.Count": problem(c.Count(t.Context(), pos, depth)),
		} {
			if !errors.Is(err, perft.ErrDepth) {
				t.Errorf("%s to depth %d: %v", name, depth, err)
			}
		}
	}
	for _, options := range []perft.Options{
		{Threads: -1}, {Threads: perft.MaxThreads + 1}, {HashMB: -1}, {HashMB: perft.MaxHashMB + 1},
		{HashMB: 1, Table: new(perft.Table)}, {Method: 99},
	} {
		if err := run(3, options); !errors.Is(err, perft.ErrOptions) {
			t.Errorf("%+v: %v", options, err)
		}
	}
	if runtime.GOOS == "linux" { // elsewhere the memory of the machine is not known
		err := run(1, perft.Options{HashMB: perft.MaxHashMB})
		if !errors.Is(err, perft.ErrOptions) || !strings.Contains(err.Error(), "the machine has") {
			t.Errorf("more memory than there is: %v", err)
		}
	}
	if err := problem(perft.NewCounter(99, nil)); !errors.Is(err, perft.ErrOptions) {
		t.Errorf("a method that is none: %v", err)
	}
	for _, size := range []int{-1, 0, perft.MaxHashMB + 1} {
		if err := problem(perft.NewTable(size, 0)); !errors.Is(err, perft.ErrOptions) {
			t.Errorf("a table of %d MiB: %v", size, err)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := problem(c.Count(done, pos, 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
	if n, err := c.Count(t.Context(), pos, 3); err != nil || n != 8902 {
		t.Errorf("after an error: %d, %v", n, err)
	}
}

// problem returns the error of a call.
func problem[T any](_ T, err error) error { return err }

// TestTableOfRuns keeps a table from run to run.
func TestTableOfRuns(t *testing.T) {
	table := must.Get(perft.NewTable(16, 0))(t)
	const depth, leaves = 5, 4865609
	count := func() perft.Result {
		t.Helper()
		result, err := perft.Run(t.Context(), fianchetto.StartPosition(), depth,
			perft.Options{Threads: 1, Table: table})
		if err != nil || result.Nodes != leaves {
			t.Fatalf("%d leaves, %v, want %d", result.Nodes, err, leaves)
		}
		return result
	}
	first := count()
	if full := table.Hashfull(); full < 1 || full > 100 {
		t.Errorf("%d permille full after %d positions", full, first.Probes-first.Hits)
	}
	if again := count(); again.Hits != again.Probes || again.Probes == 0 {
		t.Errorf("the second run finds %d of %d", again.Hits, again.Probes)
	}
}

// TestInterruptedRunReportsWhatIsDone stops runs with one thread and with several after three root
// moves: the sums are of whole root moves.
func TestInterruptedRunReportsWhatIsDone(t *testing.T) {
	pos := fianchetto.StartPosition()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := perft.Run(ended, pos, 20, perft.Options{Threads: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	whole := must.Get(perft.Divide(pos, 5))(t)
	for _, threads := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		counted := func(done []perft.MoveCount, moves int) {
			if len(done) == 3 {
				cancel()
			}
			if moves != len(whole) {
				t.Errorf("%d threads: %d moves in all, want %d", threads, moves, len(whole))
			}
		}
		result, err := perft.Run(ctx, pos, 5, perft.Options{Threads: threads, Counted: counted})
		done := len(result.Moves)
		if !errors.Is(err, context.Canceled) || done < 3 || threads == 1 && done > 3 || done == len(whole) {
			t.Errorf("%d threads: %d moves done, %v", threads, done, err)
		}
		var sum uint64
		for _, m := range result.Moves {
			sum += m.Nodes
			if !slices.Contains(whole, m) {
				t.Errorf("%d threads: %v has %d leaves", threads, m.Move, m.Nodes)
			}
		}
		if sum != result.Nodes {
			t.Errorf("%d threads: %d leaves, of moves %d", threads, result.Nodes, sum)
		}
		cancel()
	}
}

func TestMethodNames(t *testing.T) {
	for method := range perft.SIMD + 1 {
		var m perft.Method
		if err := m.UnmarshalText([]byte(method.String())); err != nil || m != method {
			t.Errorf("%v is %v, %v", method, m, err)
		}
	}
	if err := new(perft.Method).UnmarshalText([]byte("guess")); err == nil {
		t.Error(err)
	}
}

// TestRunCutsTreesThatEndEarly compares with a counter, which makes no tasks, below positions of
// which some have a mate or a stalemate within the plies that a run is cut at: a task without moves
// is as deep as the others.
func TestRunCutsTreesThatEndEarly(t *testing.T) {
	plain := must.Get(perft.NewCounter(perft.Plain, nil))(t)
	for _, fen := range []string{
		"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", // mate
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",    // stalemate
		"7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
		"8/8/8/8/8/2k5/1q6/K7 w - - 0 1",
		"7k/8/8/8/8/5K2/6p1/7n b - - 0 1",
	} {
		pos := fianchetto.MustParseFEN(fen)
		for depth := range 8 {
			want, moves := must.Get(plain.Count(t.Context(), pos, depth))(t), pos.CountLegal()
			if depth == 0 {
				moves = 0
			}
			for _, threads := range []int{1, 5} {
				got, err := perft.Run(context.Background(), pos, depth, perft.Options{Threads: threads})
				if err != nil || got.Nodes != want || len(got.Moves) != moves {
					t.Errorf("%s: depth %d on %d threads: %+v, %v, want %d", fen, depth, threads, got, err, want)
				}
			}
		}
	}
}
