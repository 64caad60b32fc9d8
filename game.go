package fianchetto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/names"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Game is a start position and the moves played from it, as a front end keeps them. It validates
// moves, takes them back, knows the status of the game with its repetitions, and has the position,
// the FEN and the notation of each ply. A search keeps a Position and a History instead, which cost
// less. The zero Game is at the start position.
type Game struct {
	pos     Position // the start position of standard chess unless isSet
	isSet   bool
	plies   []ply
	history History
}

// ply is a move that was played, and the position before it.
type ply struct {
	before Position
	move   Move
}

// NewGame returns a game without moves.
func NewGame(start Position) *Game { return &Game{pos: start, isSet: true} }

// current returns the position after the last move.
func (g *Game) current() *Position {
	if !g.isSet {
		g.pos, g.isSet = startPosition, true
	}
	return &g.pos
}

const errUCIPosition Problem = "invalid position command"

// ParseUCIPosition reads the position command of UCI: startpos, or fen and a FEN, then perhaps
// moves and the moves in UCI's notation. The word position before it may be left out. chess960 is
// UCI's option UCI_Chess960: whether castling is written as in Chess960. Castlings in the command
// are read either way.
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

// UCIPosition returns the game as the position command of UCI, which ParseUCIPosition reads back
// unless a null move, 0000, is among the moves.
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

// Len returns the number of moves that are played.
func (g *Game) Len() int { return len(g.plies) }

// At returns the position after so many moves, 0..Len.
func (g *Game) At(ply int) Position {
	if ply == len(g.plies) {
		return *g.current()
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

// Play plays a move. NoMove is a null move, which is possible unless the side to move is in check.
// The error is a *MoveError with ErrIllegalMove, and leaves the game unchanged.
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

// PlayUCI plays a move in the notation of UCI, as Position.ParseUCI reads it. An error leaves the
// game unchanged.
func (g *Game) PlayUCI(text string) error { return g.playParsed(g.current().ParseUCI(text)) }

// PlaySAN plays a move in algebraic notation, as Position.ParseSAN reads it. An error leaves the
// game unchanged.
func (g *Game) PlaySAN(text string) error { return g.playParsed(g.current().ParseSAN(text)) }

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

// Status returns the state of the game, repetitions included: whether it is over, or a player may
// claim a draw.
func (g *Game) Status() Status { return g.current().Status(&g.history) }

// History returns the positions before the last one, for a search from there. It is the game's own:
// pop what you push.
func (g *Game) History() *History { return &g.history }

// Status is the state of a game: it goes on, it has ended, or a player may claim a draw.
type Status uint8

// The states of a game. By the laws of chess (FIDE 5 and 9) those up to FivefoldRepetition end it;
// the last two a player may claim.
const (
	Ongoing              Status = iota
	Checkmate                   // the side to move has lost
	Stalemate                   // the side to move has no legal move and is not in check
	InsufficientMaterial        // no sequence of legal moves gives mate with the pieces left
	SeventyFiveMoves            // 75 moves of each side without capture or pawn move
	FivefoldRepetition          // the position occurs for the fifth time
	FiftyMoves                  // 50 moves of each side without capture or pawn move
	ThreefoldRepetition         // the position occurs for the third time
)

// statusNames are indexed by Status.
var statusNames = names.Table[Status]{Type: "Status", Names: []string{
	"ongoing", "checkmate", "stalemate", "insufficient material", "seventy-five moves", "fivefold repetition",
	"fifty moves", "threefold repetition",
}}

// String returns the status in words, as "checkmate" or "threefold repetition".
func (s Status) String() string { return statusNames.String(s) }

// MarshalText returns the status in words; a value out of range is an error. It implements
// encoding.TextMarshaler.
func (s Status) MarshalText() ([]byte, error) { return statusNames.Text(s) }

// UnmarshalText reads the status in words; an error leaves s unchanged. It implements
// encoding.TextUnmarshaler.
func (s *Status) UnmarshalText(text []byte) error { return statusNames.ReadText(s, text) }

// IsOver reports whether the game has ended, without a claim.
func (s Status) IsOver() bool { return Checkmate <= s && s <= FivefoldRepetition }

// IsDraw reports whether the game is drawn, or is if a player claims it.
func (s Status) IsDraw() bool { return s >= Stalemate }

// The clocks, in plies, at which a draw may be claimed and at which the game is drawn.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// Status returns the state of the game: the first of the constants, in their order, that is true of
// the position. h has the positions before it, for repetitions; nil means that there are none.
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

// IsFiftyMoveDraw reports whether a player may claim a draw because both sides have made 50 moves
// without capture or pawn move (FIDE 9.3), and the last of them is not checkmate.
func (p *Position) IsFiftyMoveDraw() bool { return p.HalfmoveClock() >= fiftyMoves && !p.IsCheckmate() }

// IsInsufficientMaterial reports whether neither side can mate by any sequence of legal moves,
// wherever the pieces stand: kings alone, with one knight, or with bishops that are all on squares
// of one colour. Other dead positions, such as those with blocked pawns, are not detected.
func (p *Position) IsInsufficientMaterial() bool {
	if p.pieces[pawns]|p.pieces[rooks]|p.pieces[queens] != 0 || p.isNone() {
		return false
	}
	if p.pieces[knights] != 0 {
		return p.Occupancy().Len() == 3
	}
	return p.pieces[bishops].IsSubset(bitboard.LightSquares) || p.pieces[bishops].IsSubset(bitboard.DarkSquares)
}
