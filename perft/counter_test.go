package perft

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

const start = fianchetto.StartFEN

// TestCounterCountsOneAfterAnother counts positions to rising and falling depths with counters of every method that
// share a table, and with tables of other seeds, against Run.
func TestCounterCountsOneAfterAnother(t *testing.T) {
	fens := []string{start, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}
	for seed := range uint64(2) {
		table, err := NewTable(1, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []Method{Auto, Plain, TwoPly} {
			c, err := NewCounter(method, table)
			if err != nil {
				t.Fatal(err)
			}
			if c.Method() == Auto {
				t.Error("the method of a counter is Auto")
			}
			for _, depth := range []int{0, 3, 1, 4, 2} {
				for _, fen := range fens {
					pos := fianchetto.MustParseFEN(fen)
					want, err := Count(pos, depth)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := c.Count(t.Context(), pos, depth); err != nil || got != want {
						t.Errorf("%s to depth %d by %v, seed %d: %d, %v, want %d", fen, depth, method, seed, got, err,
							want)
					}
				}
			}
		}
	}
}

// TestSeedsSpreadDifferently holds tables with different seeds to keeping positions in different places.
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
	var sum tally
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
