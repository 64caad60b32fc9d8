package pgn

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto"
)

// Game is a game of chess with what has been said about it.
type Game struct {
	Tags  Tags                // in the order in which they are read or were set
	Start fianchetto.Position // what the tags FEN and Variant say, or the start position
	Line                      // the moves that were played
	// Result is what the moves end with or, if that is nothing or *, what the tag Result says.
	Result Result
}

// Line is a sequence of moves, of a game or of a variation.
type Line struct {
	Moves []fianchetto.Move // NoMove is a null move: the side to move passes
	Notes []Note            // in the order of their plies, one a ply; most plies have none
}

// Note is what is said about a ply of a line.
type Note struct {
	Ply        int      // 0 before the first move of the line, n after its nth
	NAGs       []NAG    // in the order in which they were given
	Comments   []string // each its words with single spaces between them
	Variations []Line   // what could have been played instead of the nth move; none if Ply is 0
}

// After returns the position after m, which must be legal, or after a null move if m is NoMove.
func After(pos *fianchetto.Position, m fianchetto.Move) fianchetto.Position {
	if m == fianchetto.NoMove {
		return pos.Null()
	}
	return pos.After(m)
}

// Replay yields each move of the line together with the position in which it is played. The line must have been
// read from, or be legal in, the position given: that of Game.Start for the moves of a game, that before the
// move replaced for a variation.
func (l *Line) Replay(start fianchetto.Position) iter.Seq2[fianchetto.Position, fianchetto.Move] {
	return func(yield func(fianchetto.Position, fianchetto.Move) bool) {
		pos := start
		for _, m := range l.Moves {
			if !yield(pos, m) {
				return
			}
			pos = After(&pos, m)
		}
	}
}

// End returns the position after the last move of the line, which must be legal in the position given.
func (l *Line) End(start fianchetto.Position) fianchetto.Position {
	for _, m := range l.Moves {
		start = After(&start, m)
	}
	return start
}

// Note returns what is said about a ply of the line, nil if nothing is.
func (l *Line) Note(ply int) *Note {
	for i := range l.Notes {
		if l.Notes[i].Ply == ply {
			return &l.Notes[i]
		}
	}
	return nil
}

// annotate returns the note on the last move, to add to.
func (l *Line) annotate() *Note {
	if last := len(l.Notes) - 1; last >= 0 && l.Notes[last].Ply == len(l.Moves) {
		return &l.Notes[last]
	}
	l.Notes = append(l.Notes, Note{Ply: len(l.Moves)})
	return &l.Notes[len(l.Notes)-1]
}

// reset empties the game and keeps its memory.
func (g *Game) reset() {
	clear(g.Notes) // what they hold may be in use
	*g = Game{Tags: g.Tags[:0], Line: Line{g.Moves[:0], g.Notes[:0]}}
}
