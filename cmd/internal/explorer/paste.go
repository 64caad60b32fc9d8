package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// PasteQuestion asks what a pasted text is: one divide or several, a position or a game.
type PasteQuestion struct {
	Text string             `json:"text"`
	Near []PositionQuestion `json:"near"` // those asked about, in order, and last the one looked at
}

// PasteAnswer contains a game, or divides with their positions.
type PasteAnswer struct {
	Game    *PastedGame `json:"game,omitempty"`
	Cases   []Case      `json:"cases,omitempty"`   // the most telling first
	Choices []Case      `json:"choices,omitempty"` // if the first case fits several positions equally well
}

// PastedGame is a position with the moves to it, or a game.
type PastedGame struct {
	PositionQuestion
	IsPGN   bool   `json:"isPGN"`
	Problem string `json:"problem"` // the reason if the game ends early
}

// Case is a divide and its position.
type Case struct {
	PositionQuestion
	Name  string `json:"name"` // of the position, or ""
	Depth int    `json:"depth"`
	Text  string `json:"text"`
	State string `json:"state"` // "wrong moves", "wrong counts" or "right"

	equal int // right counts
}

// NamedPosition is a position of the page's menu or of a suite.
type NamedPosition struct {
	Name     string
	Position fianchetto.Position
}

// Menu returns the named positions of the page.
func Menu() (menu []NamedPosition) {
	for _, name := range position.Names() {
		pos, _, _ := position.Parse(name, false) // names are known
		menu = append(menu, NamedPosition{name, pos})
	}
	// Source: chessprogramming wiki, Chess960 Perft Results.
	for i, fen := range []string{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
		"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9"} {
		menu = append(menu, NamedPosition{fmt.Sprintf("Chess960, %d", i+1), fianchetto.MustParseFEN(fen)})
	}
	return menu
}

// familiar returns the menu, the same positions with the other side to move, and the suites.
var familiar = sync.OnceValue(func() []NamedPosition {
	all := Menu()
	for _, p := range Menu() {
		setup := p.Position.Setup()
		setup.SideToMove, setup.EnPassant = setup.SideToMove.Opponent(), fianchetto.NoSquare
		if pos, err := setup.Position(); err == nil {
			all = append(all, NamedPosition{fmt.Sprintf("%s, %v to move", p.Name, setup.SideToMove), pos})
		}
	}
	for _, suite := range suites.Names() {
		for _, c := range suites.Cases(suite) {
			all = append(all, NamedPosition{fmt.Sprintf("suite %s, line %d", suite, c.Line), fianchetto.MustParseFEN(c.FEN)})
		}
	}
	return all
})

func answerPaste(ctx context.Context, q PasteQuestion, _ func(any)) (PasteAnswer, error) {
	parts, err := partsOf(q.Text)
	if err != nil {
		return PasteAnswer{}, failIn("text", err)
	}
	var answer PasteAnswer
	if len(parts) == 0 {
		answer.Game, err = gameIn(q.Text)
		return answer, err
	}
	var unknown error
	for i := range parts {
		if len(parts) == len(q.Near)-1 && parts[i].position == nil && parts[i].answers(q.Near[i]) {
			parts[i].position = &q.Near[i]
		}
		cases, err := parts[i].identify(ctx, q.Near)
		if err != nil {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if i == 0 && len(cases) > 1 {
			answer.Choices = cases
		}
		answer.Cases = append(answer.Cases, cases[0])
	}
	if len(answer.Cases) == 0 {
		return answer, cmp.Or(ctx.Err(), failIn("text", unknown))
	}
	order := []string{"wrong moves", "wrong counts", "right"}
	slices.SortStableFunc(answer.Cases, func(a, b Case) int {
		return cmp.Or(slices.Index(order, a.State)-slices.Index(order, b.State), cmp.Compare(a.Depth, b.Depth))
	})
	return answer, nil
}

// part is a divide within a text, with the position that the text gives for it.
type part struct {
	text     strings.Builder
	reader   divide.Reader
	position *PositionQuestion
}

var (
	chess960Option = regexp.MustCompile(`(?i)\bUCI_Chess960\s+value\s+true`)
	positionLine   = regexp.MustCompile(`(?i)^\W*(?:position\s+(?:fen\s+|startpos)|fen\s*[:=]?\s*)` +
		`|(?:[pnbrqk1-8]+/){7}[pnbrqk1-8]+\s+[wb]\b`)
	oneSquare = regexp.MustCompile(`[a-hA-H][1-8]`)
)

// partsOf splits a text where a position is given, and behind each total that follows moves.
func partsOf(text string) ([]*part, error) {
	var parts []*part
	now, chess960 := &part{}, false
	end := func() {
		if !now.reader.IsEmpty() {
			parts = append(parts, now)
			now = &part{}
		}
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		chess960 = chess960 || chess960Option.MatchString(trimmed)
		if positionLine.MatchString(trimmed) {
			end()
			given, err := readPosition(trimmed, chess960)
			if err != nil {
				return nil, err
			}
			now.position = given
			continue
		}
		var alone divide.Reader
		_ = alone.Line(trimmed) // now reports the error
		if d, _ := alone.End(); len(d.Moves) > 0 && now.reader.HasTotal() {
			if listed, _ := now.reader.End(); len(listed.Moves) > 0 {
				end()
			}
		}
		if err := now.reader.Line(trimmed); err != nil {
			return nil, err
		}
		now.text.WriteString(line)
	}
	end()
	return parts, nil
}

var beforeFEN = regexp.MustCompile(`(?i)^\W*(?:position\s+)?(?:fen\b\s*[:=]?\s*)?`)

// readPosition reads a position from a line.
func readPosition(line string, chess960 bool) (*PositionQuestion, error) {
	root, moves, err := position.Parse(strings.TrimRight(beforeFEN.ReplaceAllString(line, ""), `"]`), chess960)
	if err != nil {
		return nil, err
	}
	q := questionOf(engine.Path{Root: root, Moves: moves})
	return &q, nil
}

// gameIn reads a text that contains neither moves with counts nor a total: a line with a position,
// a name, or a game.
func gameIn(text string) (*PastedGame, error) {
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if isTag := strings.HasPrefix(trimmed, "["); isTag {
			continue // of a game
		}
		if positionLine.MatchString(trimmed) || trimmed == strings.TrimSpace(text) {
			q, err := readPosition(trimmed, chess960Option.MatchString(text))
			if err == nil {
				return &PastedGame{PositionQuestion: *q}, nil
			}
			if positionLine.MatchString(trimmed) {
				return nil, failIn("text", err)
			}
		}
	}
	var game pgn.Game
	err := pgn.NewReader(strings.NewReader(text)).Read(&game)
	found := &PastedGame{IsPGN: true, Problem: inWords(err)}
	if i := slices.Index(game.Moves, fianchetto.NoMove); i >= 0 {
		game.Moves, found.Problem = game.Moves[:i], fmt.Sprintf("a null move after %d plies", i)
	}
	played, err := game.Play()
	if err != nil || played.Len() == 0 && len(game.Tags) == 0 {
		return nil, failIn("text", errors.New("this is neither moves with their counts (e2e4: 20), nor a FEN, nor a "+
			"position command, nor a game"))
	}
	found.PositionQuestion = questionOf(engine.Path{Root: played.At(0), Moves: played.Moves()})
	return found, nil
}

// inWords describes an error in a game for people, "" for none.
func inWords(err error) string {
	var bad *pgn.Error
	if !errors.As(err, &bad) {
		return ""
	}
	text := bad.Err.Error()
	var move *fianchetto.MoveError
	if errors.As(bad.Err, &move) && len(move.Reasons) > 0 {
		text = fmt.Sprintf("%s is illegal: %s", move.Input, move.Reasons[0].Reason)
	}
	return fmt.Sprintf("Line %d, column %d: %s.", bad.Line, bad.Column, text)
}

// answers reports whether the divide may be of a position that the engine was asked about.
func (p *part) answers(q PositionQuestion) bool {
	path, err := q.path(1)
	d, unread := p.reader.End()
	pos := path.Position()
	return err == nil && unread == nil && fitOf(&pos, &d) > 0
}

// identify returns the positions that fit a divide best: several only if they fit equally well.
func (p *part) identify(ctx context.Context, near []PositionQuestion) ([]Case, error) {
	d, err := p.reader.End()
	if err != nil {
		return nil, err
	}
	if p.position != nil {
		near = []PositionQuestion{*p.position}
	}
	var fitting []Case
	best := 1
	try := func(q PositionQuestion, name string, pos *fianchetto.Position) {
		const most = 4
		fit := fitOf(pos, &d)
		if fit > best {
			best, fitting = fit, nil
		}
		// The same signs of a position by another name are no second choice.
		if fit == best && len(fitting) < most &&
			!slices.ContainsFunc(fitting, func(c Case) bool { return c.FEN == q.FEN && slices.Equal(c.Moves, q.Moves) }) {
			fitting = append(fitting, Case{PositionQuestion: q, Name: name})
		}
	}
	for _, q := range near {
		path, err := q.path(1)
		if err != nil {
			return nil, err
		}
		pos := path.Position()
		try(q, nameOf(&pos), &pos)
	}
	if p.position == nil && best < 90 && (best >= 50 || len(fitting) == 0) { // a part of a divide fits many
		for _, known := range familiar() {
			try(questionOf(engine.Path{Root: known.Position}), known.Name, &known.Position)
		}
	}
	switch {
	case len(fitting) == 0 && len(near) > 0: // the error tells what does not fit
		fitting = []Case{{PositionQuestion: near[len(near)-1]}}
	case len(fitting) == 0:
		return nil, fmt.Errorf("no known position has these %d moves: paste its FEN above them", len(d.Moves))
	}
	return p.compared(ctx, fitting)
}

// nameOf returns the name of a position of the menu, or "".
func nameOf(pos *fianchetto.Position) string {
	for _, known := range Menu() {
		if known.Position == *pos {
			return known.Name
		}
	}
	return ""
}

// fitOf returns how many percent of the moves of a position and a divide are the same, 0 below 50.
// The squares that moves lead to decide quickly against most positions.
func fitOf(pos *fianchetto.Position, d *divide.Divide) int {
	if len(d.Moves) == 0 {
		return totalFit(pos, d.Total)
	}
	var ours, theirs bitboard.Bitboard
	for m := range pos.LegalMoves() {
		if m.Kind() != fianchetto.Castling {
			ours = ours.With(m.To())
		}
	}
	for _, m := range d.Moves {
		if squares := oneSquare.FindAllString(m.Move, -1); len(squares) > 0 {
			square, _ := bitboard.ParseSquare(strings.ToLower(squares[len(squares)-1]))
			theirs = theirs.With(square)
		}
	}
	const least = 50
	if 100*(ours&theirs).Len() < least*theirs.Len() {
		return 0
	}
	agreed, err := divide.Agreed(pos, *d)
	if err != nil {
		return 0
	}
	if fit := 100 * agreed / max(len(d.Moves), 1); fit < least {
		return 0
	}
	return 100 * agreed / max(len(d.Moves), pos.CountLegal())
}

// totalFit looks for a total among the published counts of a position.
func totalFit(pos *fianchetto.Position, total uint64) int {
	for _, c := range suites.Cases("published") {
		if fianchetto.MustParseFEN(c.FEN) == *pos &&
			slices.ContainsFunc(c.Counts, func(count suites.Count) bool { return count.Nodes == total }) {
			return 100
		}
	}
	return 0
}

// compared compares a divide with each position, and keeps those with the most equal counts.
func (p *part) compared(ctx context.Context, cases []Case) (best []Case, err error) {
	for _, c := range cases {
		path, err := c.path(1)
		if err != nil {
			return nil, err
		}
		reading, err := divide.Read(ctx, path.Position(), 0, p.text.String())
		if err != nil && len(cases) == 1 {
			return nil, err
		}
		if err != nil {
			continue
		}
		differing := len(reading.Differing())
		c.Depth, c.Text, c.State = reading.Depth, p.text.String(), "right"
		c.equal = len(reading.Rows) - len(reading.Missing()) - differing
		switch {
		case len(reading.Moves) > 0 && len(compare.Pasted(path, reading)) > 0:
			c.State = "wrong moves"
		case reading.Total != reading.Ours && !reading.Incomplete || differing > 0:
			c.State = "wrong counts"
		}
		if len(best) > 0 && c.equal > best[0].equal {
			best = nil
		}
		if len(best) == 0 || c.equal == best[0].equal && len(best) < 2 {
			best = append(best, c)
		}
	}
	if len(best) == 0 {
		return nil, errors.New("no known position has this total: paste the count of every move, or a FEN above it")
	}
	return best, nil
}
