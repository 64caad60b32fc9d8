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

	ErrTooManyPieces   = errTooManyPieces
	ErrTooManyPawns    = errTooManyPawns
	ErrTooManyPromoted = errTooManyPromoted
	ErrPawnStructure   = errPawnStructure
	ErrImpossibleCheck = errImpossibleCheck
	ErrNoLastMove      = errNoLastMove
	ErrClockMismatch   = errClockMismatch

	ErrChess960Number = errChess960Number
	ErrUCIPosition    = errUCIPosition
)
