package perft

import (
	"cmp"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// chooser chooses the faster method for two plies below the children of a node: the kernel of
// package simd or two-ply counting. It measures both, because no rule by numbers of pieces holds
// everywhere. On an Intel Xeon the kernel is 1.5 times as fast on kiwipete, and two-ply counting
// 2.3 times as fast with a king against king and rook.
type chooser struct {
	methods [2]func(*twoply.Scratch) int
	classes [64]class // by the number of knights and sliders of either side, up to seven

	// Of the current node.
	class  *class
	method int
	begun  time.Time // when its measurement began, or zero
}

// The indices of methods.
const (
	kernel = iota
	twoPly
)

type class struct {
	nodes int
	cost  [2]float64 // nanoseconds a child, by method, or zero
}

// One method counts a block of nodes, because an unused method takes up to three times as long at
// first: its code and tables have left the caches. So only nodes in the second half of a block are
// measured. Blocks by the slower method are rare, and very rare if it is far behind.
const (
	block        = 128 // nodes
	first        = 32  // nodes of the first blocks, because most classes are small
	measureEvery = 8   // nodes of a block by the faster method
	closeBehind  = 1.25
	often        = 32  // blocks, one of them by a method close behind
	seldom       = 256 // blocks, one of them by any method
)

func newChooser() *chooser {
	vectors := new(simd.Scratch)
	return &chooser{methods: [2]func(*twoply.Scratch) int{
		kernel: func(s *twoply.Scratch) int { return simd.CountTwo(&s.Board, vectors) },
		twoPly: (*twoply.Scratch).Count,
	}}
}

// choose returns the method for the children of b. It may begin a measurement, which measure ends.
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

func (c *class) next() (method int, measured bool) {
	faster, slower := kernel, twoPly
	if 0 < c.cost[twoPly] && c.cost[twoPly] < c.cost[kernel] {
		faster, slower = twoPly, kernel
	}
	at := c.nodes
	c.nodes++
	if at < 2*first {
		return at / first, at%first >= first/2
	}
	n, blocks := at%block, 1+at/block
	if blocks%seldom == 0 || blocks%often == 0 && c.cost[slower] < closeBehind*c.cost[faster] {
		return slower, n >= block/2
	}
	return faster, n >= block/2 && n%measureEvery == 0
}

// measure ends the measurement of a node, if any. It drops a time that mostly measures the hash
// table.
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

// add adds a measurement to the moving average of a method. An interrupted one counts little, and
// later ones less and less, because an average that fluctuates would change the method.
func (c *class) add(method int, cost float64) {
	average := cmp.Or(c.cost[method], cost)
	c.cost[method] = average + (min(cost, 2*average)-average)/float64(min(8+c.nodes/first, 256))
}
