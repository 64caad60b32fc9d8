package pgn

// Unexported names, for the tests.
const (
	ErrUnexpected  = errUnexpected
	ErrTag         = errTag
	ErrComment     = errComment
	ErrNAG         = errNAG
	ErrParenthesis = errParenthesis
	ErrVariation   = errVariation
	ErrDepth       = errDepth
	ErrTooLong     = errTooLong
	ErrGameTooLong = errGameTooLong
	ErrNullInCheck = errNullInCheck
	ErrNotes       = errNotes
	ErrText        = errText
	MaxToken       = maxToken
	MaxGame        = maxGame
	MaxDepth       = maxDepth
)

var After = after

func (t Tags) Has(name string) bool { return t.has(name) }
