package perft

import (
	"context"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// Problems of counting; find them with errors.Is.
const (
	ErrOverflow    fianchetto.Problem = "perft: the count does not fit into 64 bits"
	ErrDepth       fianchetto.Problem = "perft: depth out of range"
	ErrUnavailable fianchetto.Problem = "perft: method not available on this machine"
	ErrOptions     fianchetto.Problem = "perft: options out of range"
	ErrJournal     fianchetto.Problem = "perft: not the journal of this count"
)

// MaxDepth is the greatest depth, in plies, that the functions of this package accept. No count comes near it.
const MaxDepth = 1000

// Count returns the number of leaves of the tree of legal moves depth plies below pos; it is 1 for depth 0. It counts on the
// calling goroutine, without a hash table; Run has more options.
//
// It returns ErrDepth for a depth below 0 or above MaxDepth and ErrOverflow if the count needs more than 64 bits.
func Count(pos fianchetto.Position, depth int) (uint64, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Nodes, err
}

func checkDepth(depth int) error {
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("%w: %d is not in 0..%d", ErrDepth, depth, MaxDepth)
	}
	return nil
}
