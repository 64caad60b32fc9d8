package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// maxPlies bounds the moves of a request.
const maxPlies = 2000

// PositionQuestion asks about the position after moves. Other questions contain it.
type PositionQuestion struct {
	FEN      string   `json:"fen"`
	Chess960 bool     `json:"chess960"` // castling is written as king takes rook
	Moves    []string `json:"moves"`    // in UCI
}

// PositionAnswer describes a position. If it is unplayable, only Problems are set.
type PositionAnswer struct {
	Problems    []Problem `json:"problems,omitempty"`
	Unreachable []string  `json:"unreachable,omitempty"` // reasons why no game reaches it

	FEN        string       `json:"fen,omitempty"`
	Root       string       `json:"root,omitempty"` // the FEN before the moves
	Chess960   bool         `json:"chess960"`
	SideToMove string       `json:"sideToMove,omitempty"`
	Line       []Ply        `json:"line"`
	Moves      []MoveAnswer `json:"moves"`
	Status     string       `json:"status,omitempty"`
	Check      bool         `json:"check"`
	Key        string       `json:"key"`
	Packed     string       `json:"packed,omitempty"` // 38 bytes in hexadecimal
	Go         string       `json:"go,omitempty"`     // the position as Go code
	Start      []int        `json:"start,omitempty"`  // White's and Black's Chess960 numbers of a start position

	Overlays []Overlay `json:"overlays"`
}

// Problem is a reason why a position is unplayable.
type Problem struct {
	Field  string           `json:"field"` // of the FEN
	Square *bitboard.Square `json:"square,omitempty"`
	Text   string           `json:"text"`
}

// Ply is a move of the line to the position.
type Ply struct {
	UCI string `json:"uci"`
	SAN string `json:"san"`
}

// MoveAnswer is a legal move.
type MoveAnswer struct {
	Ply
	From      bitboard.Square   `json:"from"`
	Targets   []bitboard.Square `json:"targets"` // where to drop the piece; a castling has two targets
	Promotion string            `json:"promotion,omitempty"`
	Check     bool              `json:"check"`
}

// Overlay is a set of squares to show on the board.
type Overlay struct {
	Name  string            `json:"name"`
	Label string            `json:"label"`
	Set   bitboard.Bitboard `json:"set"`
}

func answerPosition(q PositionQuestion) (PositionAnswer, error) {
	root, err := q.root()
	if err != nil {
		return PositionAnswer{Problems: problemsOf(err)}, nil
	}
	game, err := play(root, q.Moves)
	if err != nil {
		return PositionAnswer{}, err
	}
	end := game.Position()
	answer := PositionAnswer{
		FEN: end.FEN(), Root: root.FEN(), Chess960: end.IsChess960(), SideToMove: end.SideToMove().String(), Line: []Ply{},
		Moves: movesOf(&end), Status: game.Status().String(), Check: end.InCheck(),
		Key:      fmt.Sprintf("0x%016x", end.Key()),
		Go:       fmt.Sprintf("fianchetto.MustParseFEN(%q)", end.FEN()),
		Overlays: overlaysOf(&end),
	}
	for i, m := range game.Moves() {
		before := game.At(i)
		answer.Line = append(answer.Line, Ply{before.UCI(m), before.SAN(m)})
	}
	if white, black, ok := end.Chess960Numbers(); ok {
		answer.Start = []int{white, black}
	}
	for _, reason := range end.Unreachable() {
		answer.Unreachable = append(answer.Unreachable, reason.Error())
	}
	packed, err := end.MarshalBinary()
	if err != nil {
		return PositionAnswer{}, failIn("fen", err)
	}
	answer.Packed = fmt.Sprintf("%x", packed)
	return answer, nil
}

// StartQuestion asks for a Chess960 start position. The two sides may differ.
type StartQuestion struct {
	White int `json:"white"` // 0..959
	Black int `json:"black"`
}

// StartAnswer is the position.
type StartAnswer struct {
	FEN string `json:"fen"`
}

func answerStart(q StartQuestion) (StartAnswer, error) {
	pos, err := fianchetto.Chess960Start(q.White, q.Black)
	if err != nil {
		return StartAnswer{}, failIn("white", err)
	}
	return StartAnswer{pos.FEN()}, nil
}

// root reads the position of a question and makes the moves in its FEN. The default is the start
// position.
func (q PositionQuestion) root() (fianchetto.Position, error) {
	root, moves, err := position.Parse(cmp.Or(strings.TrimSpace(q.FEN), "startpos"), q.Chess960)
	return position.After(root, moves), err
}

func (q PositionQuestion) game() (*fianchetto.Game, error) {
	root, err := q.root()
	if err != nil {
		return nil, failIn("fen", err)
	}
	return play(root, q.Moves)
}

// play plays moves in UCI. The error names an illegal move.
func play(root fianchetto.Position, moves []string) (*fianchetto.Game, error) {
	if len(moves) > maxPlies {
		return nil, &Failure{"moves", fmt.Sprintf("%d moves, of at most %d", len(moves), maxPlies)}
	}
	game := fianchetto.NewGame(root)
	for _, text := range moves {
		if err := game.PlayUCI(text); err != nil {
			return nil, failIn("moves", err)
		}
	}
	return game, nil
}

func problemsOf(err error) []Problem {
	var refused *fianchetto.PositionError
	if !errors.As(err, &refused) {
		return []Problem{{Text: err.Error()}}
	}
	var problems []Problem
	for _, p := range refused.Problems {
		problem := Problem{Field: p.Field, Text: p.Err.Error()}
		if p.Square.IsValid() {
			problem.Square = &p.Square
		}
		problems = append(problems, problem)
	}
	return problems
}

func movesOf(pos *fianchetto.Position) []MoveAnswer {
	answers := []MoveAnswer{}
	for m := range pos.LegalMoves() {
		answer := MoveAnswer{
			Ply: Ply{pos.UCI(m), pos.SAN(m)}, From: m.From(), Targets: []bitboard.Square{m.To()},
			Check: pos.GivesCheck(m),
		}
		if promotion := m.Promotion(); promotion != fianchetto.NoPieceType {
			answer.Promotion = promotion.String()
		}
		if m.Kind() == fianchetto.Castling && !pos.IsChess960() {
			king, _ := m.CastlingTargets()
			answer.Targets = append(answer.Targets, king)
		}
		answers = append(answers, answer)
	}
	return answers
}

func overlaysOf(pos *fianchetto.Position) []Overlay {
	us := pos.SideToMove()
	them := us.Opponent()
	overlays := []Overlay{
		{"checkers", "Pieces that give check", pos.Checkers()},
		{"pinned", "Pinned pieces of the side to move", pos.Pinned(us)},
		{"pin-lines", "Lines of the pins", pinLines(pos)},
		{"king-danger", "Squares the king may not enter", kingDanger(pos)},
		{"discovered", "Pieces whose move discovers a check", pos.DiscoveredCheckCandidates(us)},
		{"attacks-white", "Squares that White attacks", pos.Attacks(fianchetto.White)},
		{"attacks-black", "Squares that Black attacks", pos.Attacks(fianchetto.Black)},
	}
	for _, t := range []fianchetto.PieceType{fianchetto.Pawn, fianchetto.Knight, fianchetto.Bishop, fianchetto.Rook,
		fianchetto.Queen} {
		overlays = append(overlays, Overlay{"check-" + t.String(),
			fmt.Sprintf("From where a %v checks the %v king", t, them), pos.CheckSquares(t)})
	}
	return overlays
}

// kingDanger returns the squares that the king of the side to move may not enter. Its own square
// counts as empty.
func kingDanger(pos *fianchetto.Position) (danger bitboard.Bitboard) {
	us := pos.SideToMove()
	occupancy := pos.Occupancy().Without(pos.King(us))
	for s := range bitboard.Square(64) {
		if pos.IsAttacked(s, us.Opponent(), occupancy) {
			danger = danger.With(s)
		}
	}
	return danger
}

// pinLines returns the squares from the king of the side to move to each pinning piece, the piece
// included.
func pinLines(pos *fianchetto.Position) (lines bitboard.Bitboard) {
	us := pos.SideToMove()
	for pinner := range pos.Pinners(us).Squares() {
		lines |= bitboard.Between(pos.King(us), pinner).With(pinner)
	}
	return lines
}

// PGNQuestion asks to read a game, or to write one.
type PGNQuestion struct {
	Text string            `json:"text,omitempty"` // its first game is read
	Play *PositionQuestion `json:"play,omitempty"` // the game to write
}

// PGNAnswer is a game as text and as moves.
type PGNAnswer struct {
	FEN      string   `json:"fen"`
	Chess960 bool     `json:"chess960"`
	Moves    []string `json:"moves"` // in UCI; a null move ends them
	Text     string   `json:"text"`
	Problem  string   `json:"problem,omitempty"` // the reason if the game ends early
}

func answerPGN(q PGNQuestion) (PGNAnswer, error) {
	if q.Play == nil {
		return readGame(q.Text)
	}
	played, err := q.Play.game()
	if err != nil {
		return PGNAnswer{}, err
	}
	game := pgn.Game{Start: played.At(0), Line: pgn.Line{Moves: played.Moves()}}
	game.Tags.Set("Event", "Explorer")
	return gameAnswer(&game)
}

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
		answer.Problem = inWords(err)
	}
	return answer, nil
}

// inWords describes an error in a game for people.
func inWords(err error) string {
	var bad *pgn.Error
	if !errors.As(err, &bad) {
		return err.Error()
	}
	text := bad.Err.Error()
	var move *fianchetto.MoveError
	if errors.As(bad.Err, &move) {
		text = fmt.Sprintf("%s: %v", move.Input, move.Err)
		if len(move.Reasons) > 0 {
			text = fmt.Sprintf("%s is illegal: %s", move.Input, move.Reasons[0].Reason)
		}
	}
	return fmt.Sprintf("Line %d, column %d: %s.", bad.Line, bad.Column, text)
}

func gameAnswer(game *pgn.Game) (PGNAnswer, error) {
	answer := PGNAnswer{FEN: game.Start.FEN(), Chess960: game.Start.IsChess960(), Moves: []string{}}
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
