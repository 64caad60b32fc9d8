package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

const maxPlies = 2000

// PositionQuestion asks about the position after moves. Other questions contain it.
type PositionQuestion struct {
	FEN      string   `json:"fen"`
	Chess960 bool     `json:"chess960"` // castling is written as king takes rook
	Moves    []string `json:"moves"`    // in UCI
}

// GameQuestion asks about a position of a game.
type GameQuestion struct {
	PositionQuestion
	Redo []string `json:"redo"` // the moves after the position
	PGN  string   `json:"pgn"`  // the text of the game
}

// PositionAnswer describes a position, or the one before an illegal move. If it is unplayable, only
// Problems are set.
type PositionAnswer struct {
	Problems    []Failure `json:"problems,omitempty"`
	Unreachable []string  `json:"unreachable,omitempty"` // the reasons

	FEN        string       `json:"fen,omitempty"`
	Root       string       `json:"root,omitempty"` // the FEN before the moves
	SideToMove string       `json:"sideToMove,omitempty"`
	Line       []string     `json:"line"` // the moves to it and those to redo, in SAN
	Moves      []MoveAnswer `json:"moves"`
	Status     string       `json:"status,omitempty"`
	Check      bool         `json:"check,omitzero"`
	Key        string       `json:"key"`
	PGN        string       `json:"pgn,omitempty"`
	Start      []int        `json:"start,omitempty"` // Chess960 numbers, White's and Black's

	Overlays []Overlay `json:"overlays"`
}

// MoveAnswer is a legal move.
type MoveAnswer struct {
	UCI       string             `json:"uci"`
	SAN       string             `json:"san"`
	From      bitboard.Square    `json:"from"`
	Targets   []bitboard.Square  `json:"targets"` // a castling has two
	Promotion bitboard.PieceType `json:"promotion,omitzero"`
	Check     bool               `json:"check,omitzero"`
}

// Overlay is a set of squares to show on the board.
type Overlay struct {
	Name  string            `json:"name"`
	Label string            `json:"label"`
	Set   bitboard.Bitboard `json:"set"`
}

func answerPosition(_ context.Context, q GameQuestion, _ func(any)) (PositionAnswer, error) {
	root, err := q.root()
	if err != nil {
		return PositionAnswer{Problems: problemsOf(err)}, nil
	}
	q.Moves = append(q.Moves, q.Redo...)
	game, wrong := q.game()
	text, err := written(game, q.PGN)
	if err != nil {
		return PositionAnswer{}, failIn("fen", err)
	}
	line := []string{}
	for i := range game.Len() {
		line = append(line, game.SAN(i))
	}
	for game.Len() > len(q.Moves)-len(q.Redo) {
		game.TakeBack()
	}
	end := game.Position()
	answer := PositionAnswer{
		FEN: end.FEN(), Root: root.FEN(), SideToMove: end.SideToMove().String(), Line: line,
		Moves: movesOf(&end), Status: game.Status().String(), Check: end.InCheck(), PGN: string(text),
		Key: fmt.Sprintf("0x%016x", end.Key()), Overlays: overlaysOf(&end),
	}
	if wrong != nil {
		answer.Problems = problemsOf(wrong)
	}
	if white, black, ok := end.Chess960Numbers(); ok {
		answer.Start = []int{white, black}
	}
	for _, reason := range end.Unreachable() {
		answer.Unreachable = append(answer.Unreachable, reason.Error())
	}
	return answer, nil
}

// written returns a game in PGN, with the tags of its text and, while the moves are the same, all
// else.
func written(game *fianchetto.Game, text string) ([]byte, error) {
	written, read := pgn.FromGame(game), &pgn.Game{}
	pgn.NewReader(strings.NewReader(text)).Read(read) // the page knows its error
	switch {
	case read.Start != written.Start: // another game, or none
	case slices.Equal(read.Moves, written.Moves):
		written = read
	default:
		written.Tags = slices.DeleteFunc(read.Tags, func(tag pgn.Tag) bool { return tag.Name == "Result" })
	}
	return written.AppendText(nil)
}

// root reads the position, and makes the moves in its FEN. "chess960 518 518" means the numbers of
// White's and Black's first ranks.
func (q PositionQuestion) root() (fianchetto.Position, error) {
	var white, black int
	if n, _ := fmt.Sscanf(q.FEN, "chess960 %d %d", &white, &black); n == 2 {
		return fianchetto.Chess960Start(white, black)
	}
	root, moves, err := position.Parse(cmp.Or(strings.TrimSpace(q.FEN), "startpos"), q.Chess960)
	return position.After(root, moves), err
}

// game returns the game up to an illegal move.
func (q PositionQuestion) game() (*fianchetto.Game, error) {
	root, err := q.root()
	if err != nil {
		return nil, failIn("fen", err)
	}
	game := fianchetto.NewGame(root)
	for i, text := range q.Moves {
		if i == maxPlies {
			return game, &Failure{Field: "moves", Text: fmt.Sprintf("%d moves, of at most %d", len(q.Moves), maxPlies)}
		}
		if err := game.PlayUCI(text); err != nil {
			return game, failIn("moves", err)
		}
	}
	return game, nil
}

func (q PositionQuestion) path(depth int) (path engine.Path, err error) {
	game, err := q.game()
	if err != nil {
		return path, err
	}
	if depth < 1 || depth > MaxDepth {
		return path, &Failure{Field: "depth", Text: fmt.Sprintf("depth %d is not 1 to %d", depth, MaxDepth)}
	}
	return engine.Path{Root: game.At(0), Moves: game.Moves()}, nil
}

func questionOf(path engine.Path) PositionQuestion {
	return PositionQuestion{path.Root.FEN(), path.Root.IsChess960(), append([]string{}, strings.Fields(path.UCI())...)}
}

// ExplainQuestion asks why moves are legal or illegal.
type ExplainQuestion struct {
	PositionQuestion
	Proposals []divide.Proposal `json:"proposals"`
}

func answerExplain(_ context.Context, q ExplainQuestion, _ func(any)) ([]fianchetto.Explanation, error) {
	path, err := q.path(1)
	if err != nil {
		return nil, err
	}
	explanations := []fianchetto.Explanation{}
	for _, m := range q.Proposals {
		explanations = append(explanations, compare.Explain(path, m))
	}
	return explanations, nil
}

func problemsOf(err error) (problems []Failure) {
	var refused *fianchetto.PositionError
	if !errors.As(err, &refused) {
		return []Failure{{Text: err.Error()}}
	}
	for _, p := range refused.Problems {
		problem := Failure{Field: p.Field, Text: p.Err.Error()}
		if p.Square.IsValid() {
			problem.Square = &p.Square
		}
		problems = append(problems, problem)
	}
	return problems
}

func movesOf(pos *fianchetto.Position) (answers []MoveAnswer) {
	for m := range pos.LegalMoves() {
		answer := MoveAnswer{pos.UCI(m), pos.SAN(m), m.From(), []bitboard.Square{m.To()}, m.Promotion(), pos.GivesCheck(m)}
		king := pos.MoveBetween(m.From(), m.Destination(), fianchetto.NoPieceType)
		if m.Kind() == fianchetto.Castling && (king == m || !pos.IsLegal(king)) { // no other move goes there
			answer.Targets = append(answer.Targets, m.Destination())
		}
		answers = append(answers, answer)
	}
	return answers
}

func overlaysOf(pos *fianchetto.Position) []Overlay {
	us := pos.SideToMove()
	them, king := us.Opponent(), pos.King(us)
	var kingDanger, pinLines bitboard.Bitboard
	for s := range bitboard.Square(64) {
		if pos.IsAttacked(s, them, pos.Occupancy().Without(king)) { // a king does not shelter itself
			kingDanger = kingDanger.With(s)
		}
	}
	for pinner := range pos.Pinners(us).Squares() {
		pinLines |= bitboard.Between(king, pinner).With(pinner)
	}
	overlays := []Overlay{
		{"checkers", "Pieces that give check", pos.Checkers()},
		{"pinned", "Pinned pieces of the side to move", pos.Pinned(us)},
		{"pin-lines", "Lines of the pins", pinLines},
		{"king-danger", "Squares on which the king would be attacked", kingDanger},
		{"discovered", "Pieces whose move discovers a check", pos.DiscoveredCheckCandidates(us)},
		{"attacks-white", "Squares that White attacks", pos.Attacks(fianchetto.White)},
		{"attacks-black", "Squares that Black attacks", pos.Attacks(fianchetto.Black)},
	}
	for t := fianchetto.Pawn; t <= fianchetto.Queen; t++ {
		overlays = append(overlays, Overlay{"check-" + t.String(),
			fmt.Sprintf("From where a %v checks the %v king", t, them), pos.CheckSquares(t)})
	}
	return overlays
}
