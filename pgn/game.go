package pgn

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto"
)

// Game is a chess game with its tags and annotations.
type Game struct {
	Tags  Tags                // in the order in which they are read or were set
	Start fianchetto.Position // the position of the tags FEN and Variant, or the start position
	Line                      // the moves of the game
	// Result is the result behind the moves or, if that is * or missing, the one in the tag Result.
	Result Result
}

// Line is a sequence of moves, of a game or of a variation.
type Line struct {
	Moves []fianchetto.Move // NoMove is a null move: the side to move passes
	Notes []Note            // in the order of their plies, at most one for each ply
}

// Note has the annotations of a ply of a line.
type Note struct {
	Ply        int      // 0 before the first move of the line, n after its nth move
	NAGs       []NAG    // in their order in the text
	Comments   []string // words with single spaces between them
	Variations []Line   // alternatives to the nth move; none if Ply is 0
}

// after returns the position after m, which must be legal, or after a null move if m is NoMove.
func after(pos fianchetto.Position, m fianchetto.Move) fianchetto.Position {
	if m == fianchetto.NoMove {
		return pos.Null()
	}
	return pos.After(m)
}

// Replay yields each move of the line with the position in which it is played. The line must be legal in the start position:
// Game.Start for the moves of a game, and for a variation the position before the move that it replaces.
func (l *Line) Replay(start fianchetto.Position) iter.Seq2[fianchetto.Position, fianchetto.Move] {
	return func(yield func(fianchetto.Position, fianchetto.Move) bool) {
		pos := start
		for _, m := range l.Moves {
			if !yield(pos, m) {
				return
			}
			pos = after(pos, m)
		}
	}
}

// End returns the position after the last move of the line, which must be legal in the start position.
func (l *Line) End(start fianchetto.Position) fianchetto.Position {
	for _, m := range l.Moves {
		start = after(start, m)
	}
	return start
}

// annotate returns the note on the last move, which it adds if there is none.
func (l *Line) annotate() *Note {
	if last := len(l.Notes) - 1; last >= 0 && l.Notes[last].Ply == len(l.Moves) {
		return &l.Notes[last]
	}
	l.Notes = append(l.Notes, Note{Ply: len(l.Moves)})
	return &l.Notes[len(l.Notes)-1]
}

// reset empties the game and keeps its memory.
func (g *Game) reset() {
	clear(g.Notes) // the caller may hold their comments and variations
	*g = Game{Tags: g.Tags[:0], Line: Line{g.Moves[:0], g.Notes[:0]}}
}
