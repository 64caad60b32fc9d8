package explorer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto/pgn"
)

// PGNQuestion asks to read a game, or to write one.
type PGNQuestion struct {
	Text string            `json:"text,omitempty"` // to read: the first game of it
	Play *PositionQuestion `json:"play,omitempty"` // to write
	Tags map[string]string `json:"tags,omitempty"` // of the game to write: Event, White, Black and the like
}

// PGNAnswer is a game as text and as moves.
type PGNAnswer struct {
	FEN      string            `json:"fen"`
	Chess960 bool              `json:"chess960"`
	Moves    []string          `json:"moves"` // in UCI; null moves end them
	Text     string            `json:"text"`
	Tags     map[string]string `json:"tags"`
	Problem  string            `json:"problem,omitempty"` // why the game ends early
}

func answerPGN(q PGNQuestion) (PGNAnswer, error) {
	if q.Play == nil {
		return readGame(q.Text)
	}
	root, err := playable(*q.Play)
	if err != nil {
		return PGNAnswer{}, err
	}
	l, err := play(root, q.Play.Moves)
	if err != nil {
		return PGNAnswer{}, err
	}
	game := pgn.Game{Start: root, Line: pgn.Line{Moves: l.moves}}
	for name, value := range q.Tags {
		game.Tags.Set(name, value)
	}
	return gameAnswer(&game)
}

// readGame reads the first game of a text, up to its first error.
func readGame(text string) (PGNAnswer, error) {
	var game pgn.Game
	err := pgn.NewReader(strings.NewReader(text)).Read(&game)
	if errors.Is(err, io.EOF) {
		return PGNAnswer{}, &Failure{"text", "there is no game in the text"}
	}
	answer, failure := gameAnswer(&game)
	if failure != nil {
		return PGNAnswer{}, failure
	}
	if err != nil {
		answer.Problem = err.Error()
	}
	return answer, nil
}

func gameAnswer(game *pgn.Game) (PGNAnswer, error) {
	answer := PGNAnswer{FEN: game.Start.FEN(), Chess960: game.Start.IsChess960(), Moves: []string{}, Tags: map[string]string{}}
	for _, tag := range game.Tags {
		answer.Tags[tag.Name] = tag.Value
	}
	for pos, m := range game.Replay(game.Start) {
		if m == 0 {
			answer.Problem = fmt.Sprintf("a null move after %d plies", len(answer.Moves))
			break
		}
		answer.Moves = append(answer.Moves, pos.UCI(m))
	}
	text, err := game.MarshalText()
	if err != nil {
		return PGNAnswer{}, failIn("tags", err)
	}
	answer.Text = string(text)
	return answer, nil
}
