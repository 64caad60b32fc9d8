package epd

// Unexported names, for the tests.
const (
	ErrNoPosition  = errNoPosition
	ErrOpcode      = errOpcode
	ErrString      = errString
	ErrClock       = errClock
	ErrMoves       = errMoves
	ErrNullInCheck = errNullInCheck
	ErrLineBreak   = errLineBreak
)

const MaxLine = maxLine
