package engine

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// Path is a position and the moves from it, as in the position command of UCI. The program makes the moves, so that mistakes in
// making them show.
type Path struct {
	Root  fianchetto.Position // the position before the moves
	Moves []fianchetto.Move   // legal, one after the other
}

// Then returns the path with one more move, which must be legal at the end of p.
func (p Path) Then(m fianchetto.Move) Path {
	return Path{p.Root, append(slices.Clip(p.Moves), m)}
}

// From returns the path without its first n moves: its root is the position after them.
func (p Path) From(n int) Path {
	return Path{Path{p.Root, p.Moves[:n]}.Position(), p.Moves[n:]}
}

// Position returns the position at the end of the path.
func (p Path) Position() fianchetto.Position {
	pos := p.Root
	for _, m := range p.Moves {
		pos = pos.After(m)
	}
	return pos
}

// UCI returns the moves in UCI notation, with spaces between.
func (p Path) UCI() string {
	var moves []string
	for _, m := range p.Moves {
		moves = append(moves, p.Root.UCI(m))
	}
	return strings.Join(moves, " ")
}
