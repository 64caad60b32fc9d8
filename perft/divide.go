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
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Moves, err
}
