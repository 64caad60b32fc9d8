package pgn

import "github.com/fianchetto-chess/fianchetto"

// FromGame returns a PGN game with the start position and the moves of g, and its result if it is over. It has only the tags that
// are always written.
func FromGame(g *fianchetto.Game) *Game {
	return &Game{Start: g.At(0), Line: Line{Moves: g.Moves()}, Result: resultOf(g)}
}

// resultOf returns the result of a game that is over, Unknown of any other.
func resultOf(g *fianchetto.Game) Result {
	pos := g.Position()
	switch status := g.Status(); {
	case status == fianchetto.Checkmate && pos.SideToMove() == fianchetto.White:
		return BlackWins
	case status == fianchetto.Checkmate:
		return WhiteWins
	case status.IsOver():
		return Draw
	}
	return Unknown
}

// Play plays the moves of the game, without its variations. The error is a *fianchetto.MoveError for an illegal move, which
// a Reader never reads.
func (g *Game) Play() (*fianchetto.Game, error) {
	played := fianchetto.NewGame(g.Start)
	for _, m := range g.Moves {
		if err := played.Play(m); err != nil {
			return nil, err
		}
	}
	return played, nil
}
