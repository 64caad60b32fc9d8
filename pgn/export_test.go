package pgn

// Unexported names, for the tests.
const (
	ErrText  = errText
	MaxToken = maxToken
	MaxGame  = maxGame
	MaxDepth = maxDepth
)

var After = after

func (t Tags) Has(name string) bool { return t.has(name) }
