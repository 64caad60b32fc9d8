package epd

// Unexported names, for the tests.
const (
	ErrOpcode      = errOpcode
	ErrString      = errString
	ErrClock       = errClock
	ErrMoves       = errMoves
	ErrNullInCheck = errNullInCheck
	ErrLineBreak   = errLineBreak
)
