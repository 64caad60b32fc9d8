package perft

import (
	"context"
	"slices"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// counter counts trees, one at a time, depth first, in scratch space made once. Each thread has its own.
type counter struct {
	ctx    context.Context
	pairs  func(*core.Board) int // counts two plies
	table  *Table                // nil: none
	plies  []ply                 // by the depth that is left
	probes uint64
	hits   uint64
}

// ply is the scratch space of the nodes with the same depth left, of which one is looked at at a time.
type ply struct {
	targets  core.TargetSets
	moves    []uint16
	child    core.Board
	children []hashedChild // of the node, if there is a hash table
}

// hashedChild is a position and where in the hash table it may be.
type hashedChild struct {
	board  core.Board
	state  core.State
	bucket *bucket
}

func newCounter(ctx context.Context, method Method, depth int, table *Table) *counter {
	c := &counter{ctx: ctx, pairs: method.counter(), table: table, plies: make([]ply, max(depth, 2)+1)}
	for i := range c.plies {
		c.plies[i].moves = make([]uint16, 0, 256)
	}
	return c
}

// pollDepth is the depth left at which a counter looks whether it should stop: below it a tree takes
// well under a tenth of a second.
const pollDepth = 4

// count returns the leaves below b.
func (c *counter) count(b *core.Board, depth int) (uint64, error) {
	switch depth {
	case 0:
		return 1, nil
	case 1:
		return uint64(b.CountMoves()), nil
	case pollDepth:
		if err := c.ctx.Err(); err != nil {
			return 0, err
		}
	}
	return c.descend(b, depth)
}

// descend returns the leaves below b, at a depth of 2 or more, by making its moves.
func (c *counter) descend(b *core.Board, depth int) (uint64, error) {
	if depth == 2 {
		return uint64(c.pairs(b)), nil
	}
	p := &c.plies[depth]
	b.FindTargets(&p.targets)
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
	if c.table != nil {
		return c.countHashed(b, depth)
	}
	var total tally
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

// countHashed returns the leaves below the moves of b, looking for what is below each in the hash table. All moves are
// made first, and the buckets are prefetched in a loop that does nothing else: the processor then looks up their pages side
// by side. With the making of moves in between, each would wait for the page of the one before.
func (c *counter) countHashed(b *core.Board, depth int) (uint64, error) {
	p := &c.plies[depth]
	p.children = slices.Grow(p.children[:0], len(p.moves))[:len(p.moves)]
	for i, m := range p.moves {
		child := &p.children[i]
		from, to, kind := core.Decode(m)
		b.Make(&child.board, from, to, kind)
		child.state = core.StateOf(&child.board)
		child.bucket = c.table.bucket(&child.state, depth-1)
	}
	for i := range p.children {
		prefetch(p.children[i].bucket)
	}
	var total tally
	for i := range p.children {
		child := &p.children[i]
		c.probes++
		nodes, ok := child.bucket.load(&child.state, depth-1)
		var err error
		if ok {
			c.hits++
		} else if nodes, err = c.count(&child.board, depth-1); err == nil {
			child.bucket.store(&child.state, depth-1, nodes)
		}
		if err == nil {
			err = total.add(nodes)
		}
		if err != nil {
			return 0, err
		}
	}
	return uint64(total), nil
}
