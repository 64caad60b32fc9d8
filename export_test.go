package fianchetto

// Unexported names, for the tests.
const (
	ErrFieldCount = errFieldCount
	ErrRankCount  = errRankCount
	ErrSideToMove = errSideToMove
	ErrClock      = errClock
	ErrPiece      = errPiece
	ErrPacked     = errPacked

	ErrChess960Number = errChess960Number
	ErrUCIPosition    = errUCIPosition
)

// LastMoves yields the possible last moves and the positions before them.
func (p *Position) LastMoves(yield func(Move, Position) bool) { p.lastMoves(yield) }
