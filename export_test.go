package fianchetto

// Unexported names, for the tests.
const (
	ErrFieldCount     = errFieldCount
	ErrSpace          = errSpace
	ErrPlacement      = errPlacement
	ErrFileCount      = errFileCount
	ErrRankCount      = errRankCount
	ErrSideToMove     = errSideToMove
	ErrCastlingLetter = errCastlingLetter
	ErrClock          = errClock
	ErrPiece          = errPiece
	ErrPacked         = errPacked

	ErrImpossibleCheck = errImpossibleCheck
	ErrNoLastMove      = errNoLastMove

	ErrChess960Number = errChess960Number
	ErrUCIPosition    = errUCIPosition
)
