package fianchetto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Game is a start position and the moves that are played from it: what a front end keeps. It validates moves, takes them
// back, knows the status of the game with its repetitions, and has the position, the FEN and the notation of each ply.
// A search keeps a Position and a History instead, which cost less.
type Game struct {
	pos     Position
	plies   []ply
	history History
}

// ply is a move that was played, and the position before it.
type ply struct {
	before Position
	move   Move
}

// NewGame returns a game without moves.
func NewGame(start Position) *Game { return &Game{pos: start} }

const errUCIPosition Problem = "invalid position command"

// ParseUCIPosition reads the position command of UCI: startpos, or fen and a FEN, then perhaps moves and the moves in UCI's
// notation, with or without the word position before it. chess960 is UCI's option UCI_Chess960: whether castling
// is written as in Chess960. It is read either way.
//
// The error wraps a *PositionError if the FEN is refused, and a *MoveError if a move is.
func ParseUCIPosition(command string, chess960 bool) (*Game, error) {
	words := strings.Fields(command)
	if len(words) > 0 && words[0] == "position" {
		words = words[1:]
	}
	var moves []string
	if i := slices.Index(words, "moves"); i >= 0 {
		words, moves = words[:i], words[i+1:]
	}
	fen := StartFEN
	switch {
	case len(words) > 1 && words[0] == "fen":
		fen = strings.Join(words[1:], " ")
	case len(words) != 1 || words[0] != "startpos":
		return nil, fmt.Errorf("fianchetto: %w %s (want startpos, or fen and a FEN, then perhaps moves)", errUCIPosition, quote.Text(strings.Join(words, " "), 0))
	}
	start, err := ParseFEN(fen)
	if err != nil {
		return nil, err
	}
	g := NewGame(start.WithChess960(chess960))
	for i, text := range moves {
		if err := g.PlayUCI(text); err != nil {
			return nil, fmt.Errorf("move %d of %d: %w", i+1, len(moves), err)
		}
	}
	return g, nil
}

// UCIPosition returns the game as the position command of UCI, which ParseUCIPosition reads back unless a null move, 0000, is among
// the moves.
func (g *Game) UCIPosition() string {
	start := g.At(0)
	text := "position startpos"
	if start.WithChess960(false) != startPosition {
		text = "position fen " + start.FEN()
	}
	for i := range g.plies {
		if i == 0 {
			text += " moves"
		}
		text += " " + g.plies[i].before.UCI(g.plies[i].move)
	}
	return text
}

// Position returns the position after the last move.
func (g *Game) Position() Position { return g.pos }

// Len returns the number of moves that are played.
func (g *Game) Len() int { return len(g.plies) }

// At returns the position after so many moves, 0..Len.
func (g *Game) At(ply int) Position {
	if ply == len(g.plies) {
		return g.pos
	}
	return g.plies[ply].before
}

// Moves returns the moves that are played, NoMove for a null move: move i is played in At(i).
func (g *Game) Moves() []Move {
	moves := make([]Move, len(g.plies))
	for i := range g.plies {
		moves[i] = g.plies[i].move
	}
	return moves
}

// SAN returns the move that is played in At(ply), 0..Len-1, in Standard Algebraic Notation.
func (g *Game) SAN(ply int) string { return g.plies[ply].before.SAN(g.plies[ply].move) }

// Play plays a move. NoMove is a null move, which is possible unless the side to move is in check. The error is a
// *MoveError with ErrIllegalMove, and leaves the game unchanged.
func (g *Game) Play(m Move) error {
	switch {
	case m == NoMove && !g.pos.InCheck():
		g.history.PushNull(&g.pos)
		g.plies = append(g.plies, ply{g.pos, m})
		g.pos = g.pos.Null()
	case g.pos.IsLegal(m):
		g.history.Push(&g.pos)
		g.plies = append(g.plies, ply{g.pos, m})
		g.pos = g.pos.After(m)
	default:
		return &MoveError{Input: m.String(), FEN: g.pos.FEN(), Err: ErrIllegalMove}
	}
	return nil
}

// PlayUCI plays a move in the notation of UCI, as Position.ParseUCI reads it. An error leaves the game unchanged.
func (g *Game) PlayUCI(text string) error { return g.playParsed(g.pos.ParseUCI(text)) }

// PlaySAN plays a move in algebraic notation, as Position.ParseSAN reads it. An error leaves the game unchanged.
func (g *Game) PlaySAN(text string) error { return g.playParsed(g.pos.ParseSAN(text)) }

func (g *Game) playParsed(m Move, err error) error {
	if err != nil {
		return err
	}
	return g.Play(m)
}

// TakeBack takes back the last move and returns it, or false if there is none.
func (g *Game) TakeBack() (Move, bool) {
	if len(g.plies) == 0 {
		return NoMove, false
	}
	last := g.plies[len(g.plies)-1]
	g.plies = g.plies[:len(g.plies)-1]
	g.pos = last.before
	g.history.Pop()
	return last.move, true
}

// Status returns the state of the game, repetitions included: whether it is over, or a player may claim a draw.
func (g *Game) Status() Status { return g.pos.Status(&g.history) }

// History returns the positions before the last one, for a search from there. It is the game's own: pop what you push.
func (g *Game) History() *History { return &g.history }
