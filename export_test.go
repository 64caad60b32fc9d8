package fianchetto

// Unexported names, for the tests.
const (
	ErrFieldCount = errFieldCount
	ErrRankCount  = errRankCount
	ErrSideToMove = errSideToMove
	ErrClock      = errClock
	ErrPiece      = errPiece
	ErrPacked     = errPacked

	ErrImpossibleCheck = errImpossibleCheck
	ErrNoLastMove      = errNoLastMove

	ErrChess960Number = errChess960Number
	ErrUCIPosition    = errUCIPosition
)
