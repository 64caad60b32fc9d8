package census

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestDistinctPublished compares with the numbers that many programs agree on.
func TestDistinctPublished(t *testing.T) {
	want := []uint64{20, 400, 5362, 72078, 822518, 9417681}
	if testing.Short() {
		want = want[:5]
	}
	got, err := Distinct(t.Context(), fianchetto.StartPosition(), len(want), 2, ignore)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestDistinctAgainstOracle counts the distinct texts that the oracle writes of the positions in the
// suites.
func TestDistinctAgainstOracle(t *testing.T) {
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
		root := must.Get(oracle.Parse(c.FEN))(t)
		var want []uint64
		boards := []oracle.Board{root}
		for range depth {
			boards = slowChildren(boards)
			want = append(want, uint64(len(boards)))
		}
		got, err := Distinct(t.Context(), fianchetto.MustParseFEN(c.FEN), depth, 1, ignore)
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

func TestDistinctOnThreads(t *testing.T) {
	pos := fianchetto.MustParseFEN(kiwipete)
	want := must.Get(Distinct(t.Context(), pos, 4, 1, ignore))(t)
	depth := 0
	got, err := Distinct(t.Context(), pos, 4, 3, func(p perft.Progress) {
		if p.Done == 0 {
			depth++
		}
		if p.Done > p.Tasks || p.Nodes > want[depth-1] {
			t.Errorf("at depth %d, %+v", depth, p)
		}
	})
	if err != nil || !slices.Equal(got, want) || depth != 4 {
		t.Errorf("3 threads: %v, %v, want %v; progress ends at depth %d", got, err, want, depth)
	}
}

func TestDistinctInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	depth := 0
	got, err := Distinct(ctx, fianchetto.StartPosition(), 7, 2, func(p perft.Progress) {
		if p.Done == 0 {
			depth++
		}
		if depth == 4 {
			cancel()
		}
	})
	if want := []uint64{20, 400, 5362}; !errors.Is(err, context.Canceled) || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v and %v", got, err, want, context.Canceled)
	}
}
