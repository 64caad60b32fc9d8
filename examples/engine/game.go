package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// game is the position on the board and those before it, for the repetitions.
type game struct {
	pos  fianchetto.Position
	past *fianchetto.History
}

func newGame(pos fianchetto.Position) *game {
	const room = 1024 // plies; a longer game has the history grow
	return &game{pos, fianchetto.NewHistory(room)}
}

func (g *game) play(m fianchetto.Move) {
	g.past.Push(&g.pos)
	g.pos = g.pos.After(m)
}

// parseGame reads what follows a position command: startpos, or fen and a FEN, then perhaps moves and the moves.
func parseGame(words []string, chess960 bool) (*game, error) {
	var moves []string
	if i := slices.Index(words, "moves"); i >= 0 {
		words, moves = words[:i], words[i+1:]
	}
	var fen string
	switch {
	case len(words) == 1 && words[0] == "startpos":
		fen = fianchetto.StartFEN
	case len(words) > 1 && words[0] == "fen":
		fen = strings.Join(words[1:], " ")
	default:
		return nil, errors.New("position: want startpos, or fen and a FEN, then perhaps moves")
	}
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return nil, err
	}
	g := newGame(pos.WithChess960(chess960))
	for i, text := range moves {
		m, err := g.pos.ParseUCI(text)
		if err != nil {
			return nil, fmt.Errorf("move %d of %d: %w", i+1, len(moves), err)
		}
		g.play(m)
	}
	return g, nil
}
