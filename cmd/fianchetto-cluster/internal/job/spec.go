package job

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// MaxBatch is the greatest number of positions in a task: its message, and its result's, stay below half a MiB.
const MaxBatch = 1 << 14

// Spec is what a job counts, and how it is cut. The same spec is the same job, with the same tasks, on every machine.
type Spec struct {
	FEN      string `json:"fen"`
	Chess960 bool   `json:"chess960,omitzero"` // how root moves are written; see fianchetto.Position.WithChess960
	Depth    int    `json:"depth"`             // plies, 1 or more
	Split    int    `json:"split"`             // plies that are expanded, 1..Depth; 0 chooses them
	Batch    int    `json:"batch,omitzero"`    // positions in a task, 1..MaxBatch; 0 cuts by estimated cost
	Verify   bool   `json:"verify,omitzero"`   // whether each task is counted twice, by different methods and workers
}

// Check returns the error of New for a spec that is not of any job: ErrSpec, or that of ParseFEN.
func (s *Spec) Check() error {
	_, err := s.position()
	return err
}

// position reads the spec's position, and checks all else.
func (s *Spec) position() (fianchetto.Position, error) {
	switch {
	case s.Depth < 1 || s.Depth > perft.MaxDepth:
		return fianchetto.Position{}, fmt.Errorf("%w: depth %d is not in 1..%d", ErrSpec, s.Depth, perft.MaxDepth)
	case s.Split < 0 || s.Split > s.Depth:
		return fianchetto.Position{}, fmt.Errorf("%w: split %d is not in 0..%d, the depth", ErrSpec, s.Split, s.Depth)
	case s.Batch < 0 || s.Batch > MaxBatch:
		return fianchetto.Position{}, fmt.Errorf("%w: batch %d is not in 0..%d", ErrSpec, s.Batch, MaxBatch)
	}
	pos, err := fianchetto.ParseFEN(s.FEN)
	if err != nil {
		return fianchetto.Position{}, err
	}
	if s.Chess960 {
		pos = pos.WithChess960(true)
	}
	return pos, nil
}

// deepestSplit is the deepest split that is chosen; 96 million positions from the start.
const deepestSplit = 7

// DefaultSplit returns the split that is chosen for a depth unless the frontier grows too large before: half the depth, but at
// least five plies less than it. Deeper ones merge more, but take memory and messages.
func DefaultSplit(depth int) int {
	const worthwhile = 5 // plies: what is below a position should take longer than its transfer through the queue
	return min(max(1, min(depth/2, depth-worthwhile)), deepestSplit)
}
