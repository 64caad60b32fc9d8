package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto"
)

// MoveCount is a move at the root and the number of leaves below it.
type MoveCount struct {
	Move  fianchetto.Move // legal at the root
	Nodes uint64          // leaves below it, of the whole depth
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
// and the error of ctx. counted is Options.Counted.
func DivideContext(ctx context.Context, pos fianchetto.Position, depth int, counted func(done []MoveCount, moves int)) ([]MoveCount, error) {
	result, err := Run(ctx, pos, depth, Options{Threads: 1, Counted: counted})
	return result.Moves, err
}
