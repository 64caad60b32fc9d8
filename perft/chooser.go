package perft

import (
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// chooser chooses the faster method for two plies below the children of a node: the kernel of
// package simd or two-ply counting. It measures a few nodes with each, because no rule by numbers
// of pieces holds on all boards and processors. On an Intel Xeon the kernel is 1.5 times as fast on
// kiwipete, and two-ply counting 2.3 times as fast with a king against king and rook.
type chooser struct {
	methods [2]func(*twoply.Scratch) int
	classes [64]class // by the number of knights and sliders of either side, up to seven

	// Of the current node.
	class  *class
	method int
	begun  time.Time // when its measurement began; zero for most nodes
}

// The indices of methods.
const (
	kernel = iota
	twoPly
)

// class contains the experience with nodes that have the same numbers of pieces.
type class struct {
	nodes int
	cost  [2]float64 // nanoseconds a child, by method; zero if never measured
}

// The first nodes of a class are measured with each method in turn, later one node in measureEvery.
// The slower method then gets half of the measurements if it is close behind, and few if it is not,
// because it can take several times as long.
const (
	firstNodes   = 8
	measureEvery = 32
	closeBehind  = 1.25 // ratio of costs
	seldom       = 32   // measurements
)

func newChooser() *chooser {
	vectors := new(simd.Scratch)
	return &chooser{methods: [2]func(*twoply.Scratch) int{
		kernel: func(s *twoply.Scratch) int { return simd.CountTwo(&s.Board, vectors) },
		twoPly: (*twoply.Scratch).Count,
	}}
}

// choose returns the method for the children of b. If it measures the node, measure ends that.
func (c *chooser) choose(b *core.Board) func(*twoply.Scratch) int {
	pieces := b.Knights | b.Diagonals | b.Orthogonals
	if b.Them&pieces == 0 { // both leave bare sides to core
		return c.methods[twoPly]
	}
	c.class = &c.classes[min((pieces&b.Us).Len(), 7)<<3|min((pieces&b.Them).Len(), 7)]
	measured := false
	if c.method, measured = c.class.next(); measured {
		c.begun = time.Now()
	}
	return c.methods[c.method]
}

// next returns the method for the next node of the class and whether to measure it.
func (c *class) next() (method int, measured bool) {
	faster, slower := kernel, twoPly
	if 0 < c.cost[twoPly] && c.cost[twoPly] < c.cost[kernel] {
		faster, slower = twoPly, kernel
	}
	c.nodes++
	if c.nodes <= firstNodes {
		return c.nodes % 2, true
	}
	if c.nodes%measureEvery != 0 {
		return faster, false
	}
	n := c.nodes / measureEvery
	if n%seldom == 0 || n%2 == 0 && c.cost[slower] < closeBehind*c.cost[faster] {
		return slower, true
	}
	return faster, true
}

// measure ends the measurement, if there is one, of a node. Of its children some were counted, the
// others found in the hash table: if these are most, the time says little.
func (c *chooser) measure(counted, children int) {
	if c == nil || c.begun.IsZero() {
		return
	}
	cost := float64(time.Since(c.begun)) / float64(max(counted, 1))
	c.begun = time.Time{}
	if 2*counted >= children {
		c.class.add(c.method, cost)
	}
}

// add adds a measurement to the moving average of a method. One that was interrupted counts little.
func (c *class) add(method int, cost float64) {
	if average := &c.cost[method]; *average == 0 {
		*average = cost
	} else {
		*average += (min(cost, 2**average) - *average) / 8
	}
}
