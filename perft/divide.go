package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto"
)

// MoveCount is a root move and the number of leaves below it.
type MoveCount struct {
	Move  fianchetto.Move // legal at the root
	Nodes uint64          // leaves below it, at the full depth
}

// Divide returns the legal moves of pos, in the order of generation, each with the number of leaves below it that are depth
// plies below pos. Their sum is Count(pos, depth). The result is empty for depth 0.
//
// Its errors are those of Count; it returns ErrOverflow also if only the sum needs more than 64 bits.
func Divide(pos fianchetto.Position, depth int) ([]MoveCount, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Moves, err
}
