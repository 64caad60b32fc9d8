package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto"
)

// MoveCount is a move at the root and the number of leaves below it.
type MoveCount struct {
	Move  fianchetto.Move
	Nodes uint64
}

// Divide returns, for each legal move of pos, the number of leaves below it, depth plies below pos, in
// the order of generation. Their sum is Count(pos, depth). For depth 0 there is no move to divide by: the
// result is empty.
//
// It returns the errors of Count, ErrOverflow also if only the sum needs more than 64 bits.
func Divide(pos fianchetto.Position, depth int) ([]MoveCount, error) {
	return DivideContext(context.Background(), pos, depth, nil)
}

// DivideContext is Divide, stopped when ctx is done: it then returns the moves that were counted to the end,
// and the error of ctx. Each time one is, it calls counted, unless that is nil, with all of them so far and
// the number of moves there are.
func DivideContext(ctx context.Context, pos fianchetto.Position, depth int, counted func(done []MoveCount, moves int)) ([]MoveCount, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	if depth == 0 {
		return nil, nil
	}
	moves := pos.AppendLegal(nil)
	done := make([]MoveCount, 0, len(moves))
	c := newCounter(ctx, depth-1)
	var total tally
	for _, m := range moves {
		next := pos.After(m)
		board := boardOf(&next)
		nodes, err := c.count(&board, depth-1)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = total.add(nodes)
		}
		if err != nil {
			return done, err
		}
		done = append(done, MoveCount{m, nodes})
		if counted != nil {
			counted(done, len(moves))
		}
	}
	return done, nil
}
