package engine

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// Line is a position that is told as another and the moves from there. Programs are asked about lines, so that they
// make the moves themselves, and what they get wrong in doing so shows.
type Line struct {
	Root  fianchetto.Position // told to the program as it is
	Moves []fianchetto.Move   // legal, one after the other
}

// Then returns the line with one more move, which must be legal where l ends.
func (l Line) Then(m fianchetto.Move) Line {
	return Line{l.Root, append(slices.Clip(l.Moves), m)}
}

// From returns the line without its first n moves: its root is the position after them.
func (l Line) From(n int) Line {
	return Line{Line{l.Root, l.Moves[:n]}.Position(), l.Moves[n:]}
}

// Position returns where the line ends.
func (l Line) Position() fianchetto.Position {
	pos := l.Root
	for _, m := range l.Moves {
		pos = pos.After(m)
	}
	return pos
}

// Spelled returns the moves as UCI spells them, with spaces between.
func (l Line) Spelled() string {
	var moves []string
	for _, m := range l.Moves {
		moves = append(moves, l.Root.UCI(m))
	}
	return strings.Join(moves, " ")
}
