package perft

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
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
	c := must.Get(NewCounter(Plain, nil))(t)
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

// TestChooserPrefersTheFasterMethod simulates costs: almost all nodes go to the faster method, the
// slower one is measured now and then, and the choice follows a change.
func TestChooserPrefersTheFasterMethod(t *testing.T) {
	const nodes = 100_000
	for _, test := range []struct {
		name          string
		cost          [2]float64
		faster        int
		mostSlower    int // nodes
		leastMeasured int
	}{
		{"kernel three times as fast", [2]float64{100, 300}, kernel, 600, 200},
		{"two-ply twice as fast", [2]float64{400, 200}, twoPly, 600, 200},
		{"nearly equal", [2]float64{100, 110}, kernel, 3300, 1500},
	} {
		var c class
		for _, cost := range [][2]float64{test.cost, {test.cost[1], test.cost[0]}} {
			var chosen, measured [2]int
			for range nodes {
				method, isMeasured := c.next()
				chosen[method]++
				if isMeasured {
					measured[method]++
					c.add(method, cost[method])
				}
			}
			faster := test.faster
			if cost != test.cost { // the methods have exchanged their costs, which takes a while to notice
				faster, test.mostSlower = 1-faster, nodes/2
			}
			if slower := 1 - faster; chosen[slower] > test.mostSlower || measured[slower] < test.leastMeasured {
				t.Errorf("%s, costs %v: chosen %v, measured %v of %d nodes", test.name, cost, chosen, measured, nodes)
			}
		}
	}
}

// TestChooserIgnoresAnInterruption adds one enormous measurement.
func TestChooserIgnoresAnInterruption(t *testing.T) {
	c := class{nodes: 2 * first, cost: [2]float64{100, 150}}
	c.add(kernel, 1e9)
	if method, _ := c.next(); method != kernel {
		t.Errorf("after one interruption the costs are %v, and two-ply is chosen", c.cost)
	}
}
