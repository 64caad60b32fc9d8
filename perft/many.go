package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Counter counts the trees below one position after another on the goroutine that calls it. What it learns stays in
// its table, if it has one: positions whose trees share positions are counted faster together than each by Run.
type Counter struct {
	method  Method
	table   *Table
	counter *counter
	depth   int // the greatest that counter has space for
}

// NewCounter returns a counter that counts the last plies by method, and remembers positions in table, which other
// counters may share; nil is none. Its errors are ErrMethod and ErrUnavailable.
func NewCounter(method Method, table *Table) (*Counter, error) {
	method, err := method.resolve()
	if err != nil {
		return nil, err
	}
	return &Counter{method: method, table: table, depth: -1}, nil
}

// Method returns the method the counter counts by, never Auto.
func (c *Counter) Method() Method { return c.method }

// Count returns the number of leaves depth plies below pos. Its errors are ErrDepth, ErrOverflow, and that of ctx, if it
// is done before the count.
func (c *Counter) Count(ctx context.Context, pos *fianchetto.Position, depth int) (uint64, error) {
	if err := checkDepth(depth); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if depth > c.depth {
		c.counter, c.depth = newCounter(ctx, c.method, depth, c.table), depth
	}
	c.counter.ctx = ctx
	board := core.BoardOf(pos)
	return c.counter.count(&board, depth)
}
