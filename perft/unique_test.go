package perft_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func ExampleUnique() {
	fmt.Println(perft.Unique(context.Background(), fianchetto.StartPosition(), 5, perft.Options{}))
	// Output: [20 400 5362 72078 822518] <nil>
}

// TestUniquePublished compares with the numbers that many programs agree on.
func TestUniquePublished(t *testing.T) {
	want := []uint64{20, 400, 5362, 72078, 822518, 9417681}
	if testing.Short() {
		want = want[:5]
	}
	got, err := perft.Unique(t.Context(), fianchetto.StartPosition(), len(want), perft.Options{})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestUniqueAgainstOracle finds the distinct positions of the suites by what the oracle writes of
// them.
func TestUniqueAgainstOracle(t *testing.T) {
	testSuites(t, func(t *testing.T, c suites.Case) {
		depth, limit := 1, uint64(1000)
		if testing.Short() {
			limit = 300
		}
		for _, count := range c.Counts {
			if count.Nodes <= limit {
				depth = max(depth, count.Depth)
			}
		}
		root := must(oracle.Parse(c.FEN))(t)
		var want []uint64
		boards := []oracle.Board{root}
		for range depth {
			boards = slowChildren(boards)
			want = append(want, uint64(len(boards)))
		}
		got, err := perft.Unique(t.Context(), fianchetto.MustParseFEN(c.FEN), depth, perft.Options{Threads: 1})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("line %d, %s: %v, %v, want %v", c.Line, c.FEN, got, err, want)
		}
	})
}

// slowChildren returns the positions one ply on, and of those that differ only in the clocks only
// one.
func slowChildren(boards []oracle.Board) []oracle.Board {
	seen := map[string]bool{}
	var children []oracle.Board
	for _, b := range boards {
		for _, m := range b.LegalMoves() {
			child := b.Apply(m)
			if name := child.Identity(); !seen[name] {
				seen[name] = true
				children = append(children, child)
			}
		}
	}
	return children
}

func TestUniqueOptions(t *testing.T) {
	pos := fianchetto.MustParseFEN(kiwipete)
	want := must(perft.Unique(t.Context(), pos, 4, perft.Options{Threads: 1}))(t)
	last := 0
	got, err := perft.Unique(t.Context(), pos, 4, perft.Options{Threads: 3, Progress: func(p perft.Progress) {
		if p.Depth < last || p.Done < 1 || p.Done > p.Tasks || p.Nodes > want[p.Depth-1] {
			t.Errorf("after depth %d, %+v", last, p)
		}
		last = p.Depth
	}})
	if err != nil || !slices.Equal(got, want) || last != 4 {
		t.Errorf("3 threads: %v, %v, want %v; progress ends at depth %d", got, err, want, last)
	}
}

func TestUniqueInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got, err := perft.Unique(ctx, fianchetto.StartPosition(), 7, perft.Options{Progress: func(p perft.Progress) {
		if p.Depth == 4 {
			cancel()
		}
	}})
	if want := []uint64{20, 400, 5362}; !errors.Is(err, context.Canceled) || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v and %v", got, err, want, context.Canceled)
	}
}
