package perft

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// Counter counts one tree after another on the calling goroutine with one hash table, if any. For
// trees without common positions, make a new table now and then, because stale deep entries crowd a
// small one.
type Counter struct {
	method   Method
	countTwo func(*twoply.Scratch) int
	chooser  *chooser        // chooses countTwo for SIMD; nil for other methods
	scratch  twoply.Scratch  // with the board from which countTwo counts
	table    *Table          // nil: none
	ctx      context.Context // of the current call of Count
	plies    []ply           // by remaining depth
	probes   uint64
	hits     uint64
}

// ply is the scratch space of the visited node with a remaining depth.
type ply struct {
	moves    []uint16
	child    core.Board
	children []hashedChild // used with a hash table
}

type hashedChild struct {
	board core.Board
	state core.State
	place place
}

// NewCounter returns a counter with the given method and, if table is not nil, a hash table, which
// several counters may share. It refuses with ErrOptions, and a method that is not Available.
func NewCounter(method Method, table *Table) (*Counter, error) {
	method, err := method.resolve()
	if err != nil {
		return nil, err
	}
	return newCounter(method, table), nil
}

func newCounter(method Method, table *Table) *Counter {
	c := &Counter{method: method, table: table}
	switch method {
	case SIMD:
		c.chooser = newChooser()
		c.countTwo = c.chooser.methods[kernel]
	case TwoPly:
		c.countTwo = (*twoply.Scratch).Count
	default:
		targets := new(core.TargetSets)
		c.countTwo = func(s *twoply.Scratch) int { return s.CountTwo(targets) }
	}
	return c
}

// Method returns the method in use, never Auto.
func (c *Counter) Method() Method { return c.method }

// Count returns the number of leaves depth plies below pos. The errors are ErrDepth, ErrOverflow
// and, if ctx ends first, ctx.Err().
func (c *Counter) Count(ctx context.Context, pos fianchetto.Position, depth int) (uint64, error) {
	if err := checkDepth(depth); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for len(c.plies) <= depth {
		c.plies = append(c.plies, ply{moves: make([]uint16, 0, 256)})
	}
	c.ctx = ctx
	board := core.BoardOf(&pos)
	return c.count(&board, depth)
}

// pollDepth is the remaining depth at which a counter checks its context: much less than 0.1 s.
const pollDepth = 4

func (c *Counter) count(b *core.Board, depth int) (uint64, error) {
	switch depth {
	case 0:
		return 1, nil
	case 1:
		return uint64(b.CountMoves()), nil
	case 2:
		c.scratch.Board = *b
		return uint64(c.countTwo(&c.scratch)), nil
	case pollDepth:
		if err := c.ctx.Err(); err != nil {
			return 0, err
		}
	}
	p := &c.plies[depth]
	p.moves = core.AppendLegal(p.moves[:0], b, 0)
	if depth == 3 && c.chooser != nil {
		c.countTwo = c.chooser.choose(b)
	}
	if c.table != nil {
		return c.countHashed(b, depth)
	}
	var total checkedSum
	if depth == 3 {
		for _, m := range p.moves {
			from, to, kind := core.Decode(m)
			b.Make(&c.scratch.Board, from, to, kind)
			total += checkedSum(c.countTwo(&c.scratch)) // too few to overflow
		}
		c.chooser.measure(len(p.moves), len(p.moves))
		return uint64(total), nil
	}
	for _, m := range p.moves {
		from, to, kind := core.Decode(m)
		b.Make(&p.child, from, to, kind)
		nodes, err := c.count(&p.child, depth-1)
		if err == nil {
			err = total.add(nodes)
		}
		if err != nil {
			return 0, err
		}
	}
	return uint64(total), nil
}

// countHashed is count with a hash table. It makes all moves first and prefetches the slots in a
// separate loop, because the processor overlaps the page lookups of prefetches only if no other
// work comes between them.
func (c *Counter) countHashed(b *core.Board, depth int) (uint64, error) {
	p := &c.plies[depth]
	p.children = slices.Grow(p.children[:0], len(p.moves))[:len(p.moves)]
	for i, m := range p.moves {
		child := &p.children[i]
		from, to, kind := core.Decode(m)
		b.Make(&child.board, from, to, kind)
		child.state = core.StateOf(&child.board)
		child.place = c.table.find(&child.state, depth-1)
	}
	for i := range p.children {
		c.table.prefetch(p.children[i].place, depth-1)
	}
	var total checkedSum
	before := c.hits
	for i := range p.children {
		child := &p.children[i]
		c.probes++
		nodes, ok := c.table.load(child.place, &child.state, depth-1)
		var err error
		if ok {
			c.hits++
		} else if nodes, err = c.count(&child.board, depth-1); err == nil {
			c.table.store(child.place, &child.state, depth-1, nodes)
		}
		if err == nil {
			err = total.add(nodes)
		}
		if err != nil {
			return 0, err
		}
	}
	if depth == 3 {
		c.chooser.measure(len(p.children)-int(c.hits-before), len(p.children))
	}
	return uint64(total), nil
}

type checkedSum uint64

func (s *checkedSum) add(n uint64) error {
	sum, carry := bits.Add64(uint64(*s), n, 0)
	if carry != 0 {
		return ErrOverflow
	}
	*s = checkedSum(sum)
	return nil
}

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
