package perft

import (
	"errors"
	"math"
	"testing"
)

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
