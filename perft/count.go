package perft

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Errors that counting returns; test for them with errors.Is.
var (
	// ErrOverflow means that a count does not fit into 64 bits.
	ErrOverflow = errors.New("perft: the count does not fit into 64 bits")
	// ErrDepth means that a depth is negative or more than MaxDepth.
	ErrDepth = errors.New("perft: depth out of range")
)

// MaxDepth is the greatest depth, in plies, that may be asked for. No count so deep will ever end.
const MaxDepth = 1000

// Count returns the number of leaves of the tree of legal moves, depth plies below pos: 1 for depth 0. The
// last ply is counted in bulk, not made; one thread, no hash table.
//
// It returns ErrDepth for a depth below 0 or above MaxDepth and ErrOverflow if the count needs more than 64 bits.
func Count(pos fianchetto.Position, depth int) (uint64, error) {
	return CountContext(context.Background(), pos, depth)
}

// CountContext is Count, stopped when ctx is done: the error is then that of ctx.
func CountContext(ctx context.Context, pos fianchetto.Position, depth int) (uint64, error) {
	if err := checkDepth(depth); err != nil {
		return 0, err
	}
	board := boardOf(&pos)
	return newCounter(ctx, depth).count(&board, depth)
}

func checkDepth(depth int) error {
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("%w: %d is not in 0..%d", ErrDepth, depth, MaxDepth)
	}
	return nil
}

// boardOf returns the part of a position that counting needs, as the side to move sees it.
func boardOf(pos *fianchetto.Position) core.Board {
	side := pos.SideToMove()
	var enPassant fianchetto.Bitboard
	if s := pos.EnPassant(); s != fianchetto.NoSquare {
		enPassant = s.Bitboard()
	}
	bishops, rooks, queens := pos.ByType(fianchetto.Bishop), pos.ByType(fianchetto.Rook), pos.ByType(fianchetto.Queen)
	b := core.Board{
		Us:          pos.ByColor(side),
		Them:        pos.ByColor(side.Opponent()),
		Pawns:       pos.ByType(fianchetto.Pawn),
		Knights:     pos.ByType(fianchetto.Knight),
		Diagonals:   bishops | queens,
		Orthogonals: rooks | queens,
		Rights:      pos.CastlingRooks(fianchetto.White) | pos.CastlingRooks(fianchetto.Black) | enPassant,
	}
	if side == fianchetto.Black {
		b = b.Mirror()
	}
	return b
}

// counter counts one tree, depth first, in scratch space made once.
type counter struct {
	ctx   context.Context
	plies []ply // by the depth that is left
}

// ply is the scratch space of the nodes with the same depth left, of which one is looked at at a time.
type ply struct {
	targets core.Targets
	moves   []uint16
	child   core.Board
}

func newCounter(ctx context.Context, depth int) *counter {
	c := &counter{ctx: ctx, plies: make([]ply, max(depth, 2)+1)}
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
	case 2:
		return uint64(b.CountTwo(&c.plies[2].targets)), nil
	case pollDepth:
		if err := c.ctx.Err(); err != nil {
			return 0, err
		}
	}
	p := &c.plies[depth]
	b.Targets(&p.targets)
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
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

// tally is a sum that refuses to wrap.
type tally uint64

// add adds n; it returns ErrOverflow, and leaves the sum as it was, if that does not fit.
func (t *tally) add(n uint64) error {
	sum, carry := bits.Add64(uint64(*t), n, 0)
	if carry != 0 {
		return ErrOverflow
	}
	*t = tally(sum)
	return nil
}
