package fianchetto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Game is a start position and the moves played from it. For a search, Position and History cost
// less.
//
// The zero Game is at the start position of standard chess. A game from the zero Position accepts
// no moves.
type Game struct {
	pos     Position // valid if isSet
	isSet   bool
	plies   []ply
	history History
}

type ply struct {
	before Position
	move   Move
}

// NewGame returns a game that begins at start.
func NewGame(start Position) *Game { return &Game{pos: start, isSet: true} }

func (g *Game) current() *Position {
	if !g.isSet {
		g.pos, g.isSet = startPosition, true
	}
	return &g.pos
}

const errUCIPosition Problem = "invalid position command"

// ParseUCIPosition reads UCI's position command, with or without its first word. chess960 is the
// option UCI_Chess960, which decides how the game writes castling, but not how it reads the
// command. An error about the FEN or a move wraps a *PositionError or a *MoveError.
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
		return nil, fmt.Errorf("fianchetto: %w %s (want startpos, or fen and a FEN, then perhaps moves)",
			errUCIPosition, quote.Text(strings.Join(words, " "), 0))
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

// UCIPosition returns the game as UCI's position command, or "" without a position.
// ParseUCIPosition reads it back unless it contains a null move.
func (g *Game) UCIPosition() string {
	text := []byte("position startpos")
	switch start := g.At(0); {
	case start.isNone():
		return ""
	case start.WithChess960(false) != startPosition:
		text = append(text[:len("position ")], "fen "+start.FEN()...)
	}
	for i := range g.plies {
		if i == 0 {
			text = append(text, " moves"...)
		}
		text = append(append(text, ' '), g.plies[i].before.UCI(g.plies[i].move)...)
	}
	return string(text)
}

// Position returns the position after the last move.
func (g *Game) Position() Position { return *g.current() }

// Len returns the number of moves.
func (g *Game) Len() int { return len(g.plies) }

// At returns the position after the given number of moves, 0..Len.
func (g *Game) At(ply int) Position {
	if ply == len(g.plies) {
		return *g.current()
	}
	return g.plies[ply].before
}

// Moves returns the moves, with NoMove for null moves. Move i is played in At(i).
func (g *Game) Moves() []Move {
	moves := make([]Move, len(g.plies))
	for i := range g.plies {
		moves[i] = g.plies[i].move
	}
	return moves
}

// SAN returns the move played in At(ply), 0..Len-1, in Standard Algebraic Notation.
func (g *Game) SAN(ply int) string { return g.plies[ply].before.SAN(g.plies[ply].move) }

// Play plays a move. NoMove is a null move, which is illegal in check. The error is a *MoveError
// with ErrIllegalMove and leaves the game unchanged.
func (g *Game) Play(m Move) error {
	before := *g.current()
	switch {
	case m == NoMove && !before.InCheck() && !before.isNone():
		g.history.PushNull(&before)
		g.pos = before.Null()
	case before.IsLegal(m):
		g.history.Push(&before)
		g.pos = before.After(m)
	default:
		return &MoveError{Input: m.String(), FEN: before.FEN(), Err: ErrIllegalMove,
			Reasons: []Explanation{before.Explain(m)}}
	}
	g.plies = append(g.plies, ply{before, m})
	return nil
}

// PlayUCI plays a move that Position.ParseUCI reads. An error leaves the game unchanged.
func (g *Game) PlayUCI(text string) error { return g.playParsed(g.current().ParseUCI(text)) }

// PlaySAN plays a move that Position.ParseSAN reads. An error leaves the game unchanged.
func (g *Game) PlaySAN(text string) error { return g.playParsed(g.current().ParseSAN(text)) }

func (g *Game) playParsed(m Move, err error) error {
	if err != nil {
		return err
	}
	return g.Play(m)
}

// TakeBack takes back and returns the last move. It reports false if there is none.
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

// Status returns the state of the game, including repetitions.
func (g *Game) Status() Status { return g.current().Status(&g.history) }

// History returns the game's own history, for a search that pops what it pushes.
func (g *Game) History() *History { return &g.history }

// Status is the state of a game.
type Status uint8

// The states of a game. Those from Checkmate to FivefoldRepetition end it (FIDE 5 and 9). A player
// may claim a draw in the last two.
const (
	Ongoing              Status = iota
	Checkmate                   // the side to move has lost
	Stalemate                   // no legal move, and not in check
	InsufficientMaterial        // no sequence of legal moves ends in mate
	SeventyFiveMoves            // 150 plies without a capture or pawn move
	FivefoldRepetition          // fifth occurrence of the position
	FiftyMoves                  // 100 plies without a capture or pawn move
	ThreefoldRepetition         // third occurrence of the position
)

var statusNames = quote.Names[Status]{Type: "Status", List: []string{
	"ongoing", "checkmate", "stalemate", "insufficient material", "seventy-five moves", "fivefold repetition",
	"fifty moves", "threefold repetition",
}}

// String returns the status in words, such as "checkmate" or "threefold repetition".
func (s Status) String() string { return statusNames.String(s) }

// MarshalText returns the text of String, or an error for a value out of range.
func (s Status) MarshalText() ([]byte, error) { return statusNames.Text(s) }

// UnmarshalText reads the text of MarshalText. After an error s is unchanged.
func (s *Status) UnmarshalText(text []byte) error { return statusNames.ReadText(s, text) }

// IsOver reports whether the game has ended without a claim.
func (s Status) IsOver() bool { return Checkmate <= s && s <= FivefoldRepetition }

// IsDraw reports whether the game is drawn or can be claimed as drawn.
func (s Status) IsDraw() bool { return s >= Stalemate }

// Limits of the halfmove clock.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// Status returns the first constant, in their order, that holds in the position. h contains the
// positions before p, or is nil.
func (p *Position) Status(h *History) Status {
	repetitions := 0
	if h != nil {
		repetitions = h.Repetitions(p)
	}
	switch {
	case p.isNone():
		return Ongoing
	case !p.HasLegalMove() && p.InCheck():
		return Checkmate
	case !p.HasLegalMove():
		return Stalemate
	case p.IsInsufficientMaterial():
		return InsufficientMaterial
	case p.HalfmoveClock() >= seventyFiveMoves:
		return SeventyFiveMoves
	case repetitions >= 4:
		return FivefoldRepetition
	case p.HalfmoveClock() >= fiftyMoves:
		return FiftyMoves
	case repetitions >= 2:
		return ThreefoldRepetition
	}
	return Ongoing
}

// IsFiftyMoveDraw reports whether a player may claim a draw by the fifty-move rule (FIDE 9.3). The
// position must not be checkmate.
func (p *Position) IsFiftyMoveDraw() bool { return p.HalfmoveClock() >= fiftyMoves && !p.IsCheckmate() }

// IsInsufficientMaterial reports whether the material alone rules out mate: bare kings, one knight,
// or bishops on one colour of squares. It does not detect other dead positions, such as blocked
// pawns.
func (p *Position) IsInsufficientMaterial() bool {
	if p.pieces[pawns]|p.pieces[rooks]|p.pieces[queens] != 0 || p.isNone() {
		return false
	}
	if p.pieces[knights] != 0 {
		return p.Occupancy().Len() == 3
	}
	return p.pieces[bishops]&bitboard.LightSquares == 0 || p.pieces[bishops]&bitboard.DarkSquares == 0
}
