package pgn

import (
	"maps"
	"slices"
)

// Unexported names, for the tests.
const (
	ErrText  = errText
	MaxToken = maxToken
	MaxGame  = maxGame
	MaxDepth = maxDepth
)

var After = after

func (t Tags) Has(name string) bool { return t.has(name) }

// SetPieceSize changes how many bytes Parallel reads at once, and returns how many it read before.
func SetPieceSize(size int) (before int) {
	before, pieceSize = pieceSize, size
	return before
}

// Signs returns all signs.
func Signs() []string { return slices.Sorted(maps.Keys(nagOfSign)) }
