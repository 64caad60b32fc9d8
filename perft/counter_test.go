package perft

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

const start = fianchetto.StartFEN

// TestSeedsSpreadDifferently holds tables with different seeds to keeping positions in different
// places.
func TestSeedsSpreadDifferently(t *testing.T) {
	a, b := newTable(1, 1), newTable(1, 2)
	same := 0
	for _, fen := range []string{start, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/P7/4K3 b - - 0 1"} {
		s := boardFrom(fen)
		for depth := 2; depth < 10; depth++ {
			if a.find(&s, depth).index == b.find(&s, depth).index {
				same++
			}
		}
	}
	if same > 2 {
		t.Errorf("%d of 32 positions are in the same place with both seeds", same)
	}
}

func TestCounterErrors(t *testing.T) {
	if _, err := NewCounter(Method(200), nil); !errors.Is(err, ErrOptions) {
		t.Errorf("a method that is none: %v", err)
	}
	for _, size := range []int{-1, 0, MaxHashMB + 1} {
		if _, err := NewTable(size, 0); !errors.Is(err, ErrOptions) {
			t.Errorf("a table of %d MiB: %v", size, err)
		}
	}
	c, err := NewCounter(Plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	pos := fianchetto.StartPosition()
	if _, err := c.Count(t.Context(), pos, -1); !errors.Is(err, ErrDepth) {
		t.Errorf("depth -1: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Count(done, pos, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
	if n, err := c.Count(t.Context(), pos, 3); err != nil || n != 8902 {
		t.Errorf("after an error: %d, %v", n, err)
	}
}

func TestTallyRefusesToWrap(t *testing.T) {
	var sum checkedSum
	for _, step := range []struct {
		n, want  uint64
		overflow bool
	}{
		{math.MaxUint64 - 1, math.MaxUint64 - 1, false},
		{2, math.MaxUint64 - 1, true},
		{1, math.MaxUint64, false},
		{0, math.MaxUint64, false},
		{1, math.MaxUint64, true},
		{math.MaxUint64, math.MaxUint64, true},
	} {
		if err := sum.add(step.n); errors.Is(err, ErrOverflow) != step.overflow || uint64(sum) != step.want {
			t.Fatalf("adding %d gives %d, %v", step.n, sum, err)
		}
	}
}
