package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// PasteQuestion asks what a pasted text is: one divide or several, a position or a game.
type PasteQuestion struct {
	Text string          `json:"text"`
	Near []NamedPosition `json:"near"` // those asked about, in order, and last the one looked at
}

// PasteAnswer contains a game, or divides with their positions, the most telling first. If one divide
// fits two positions equally well, both are there.
type PasteAnswer struct {
	Game  *PastedGame `json:"game,omitempty"`
	Cases []Case      `json:"cases,omitempty"`
}

// PastedGame is a position with the moves to it, or a game.
type PastedGame struct {
	PositionQuestion
	Depth   string `json:"depth,omitempty"` // of "go perft"
	IsPGN   bool   `json:"isPGN"`
	Problem string `json:"problem"` // the reason if the game ends early
}

// Case is a divide and its position.
type Case struct {
	NamedPosition
	Depth int    `json:"depth"`
	Text  string `json:"text"`
	State string `json:"state"` // one of states

	equal int // right counts
}

// states orders the cases of a text.
var states = []string{"wrong moves", "wrong counts", "incomplete", "right"}

// NamedPosition is a position that a divide may be of.
type NamedPosition struct {
	PositionQuestion
	Name  string `json:"name"`            // in the menu or in a suite, or ""
	Asked int    `json:"asked,omitempty"` // the depth of the question about it, if there was one
	Count uint64 `json:"count,omitempty"` // the count that led to the question, if it is to that depth
}

func name(pos fianchetto.Position, name string) NamedPosition {
	return NamedPosition{PositionQuestion: questionOf(engine.Path{Root: pos}), Name: name}
}

// Menu returns the named positions of the page.
func Menu() (menu []NamedPosition) {
	for _, known := range position.Names() {
		pos, _, _ := position.Parse(known, false) // names are known
		menu = append(menu, name(pos, known))
	}
	return menu
}

// familiar returns the menu, the same positions with the other side to move, and the suites.
var familiar = sync.OnceValue(func() []NamedPosition {
	all := Menu()
	for _, p := range all {
		root, _ := p.root()
		if pos, err := position.OtherSide(root); err == nil {
			all = append(all, name(pos, fmt.Sprintf("%s, %v to move", p.Name, pos.SideToMove())))
		}
	}
	for _, suite := range suites.Names() {
		for _, c := range suites.Cases(suite) {
			all = append(all, name(fianchetto.MustParseFEN(c.FEN), fmt.Sprintf("suite %s, line %d", suite, c.Line)))
		}
	}
	return all
})

func answerPaste(ctx context.Context, q PasteQuestion, _ func(any)) (answer PasteAnswer, err error) {
	asked := q.Near[:max(0, len(q.Near)-1)]
	parts, given, err := partsOf(q.Text, asked)
	switch {
	case err != nil && len(asked) == 0:
		return answer, failIn("text", err)
	case len(parts) == 0, len(parts[0].Moves) < fewest && gameForm().MatchString(q.Text):
		answer.Game, err = gameIn(q.Text, given)
		return answer, err
	case len(asked) == 0 && len(given) >= len(parts):
		asked = given
	}
	isPlaced, err := placeTotals(parts, asked, q.Near)
	if err != nil {
		return answer, failIn("text", err)
	}
	paired, unread := !isPlaced && align(parts, asked), error(nil)
	for _, p := range parts {
		if paired && p.position == nil {
			continue // no answer
		}
		cases, err := p.identify(ctx, q.Near)
		if len(parts) > 1 && p.position == nil && (len(asked) > 0 || err != nil || cases[0].State == states[0]) {
			return answer, failIn("text", fmt.Errorf("these are %d answers without their positions: "+
				"put a FEN above each, or paste each answer once, in order", len(parts)))
		}
		if err != nil && p.position != nil {
			err = fmt.Errorf("the answer in %s: %w. Did your engine play these moves? If it cannot, ask in UCI without moves",
				cmp.Or(strings.Join(p.position.Moves, " "), p.position.FEN), err)
		}
		answer.Cases, unread = append(answer.Cases, cases[:min(len(cases), max(1, 3-len(parts)))]...), cmp.Or(unread, err)
	}
	sort.SliceStable(answer.Cases, func(i, j int) bool {
		a, b := &answer.Cases[i], &answer.Cases[j]
		if a.State == "right" && b.State == "right" {
			return a.Depth > b.Depth // which tells more
		}
		return cmp.Or(slices.Index(states, a.State)-slices.Index(states, b.State), a.Depth-b.Depth) < 0
	})
	if len(answer.Cases) == 0 || unread != nil && answer.Cases[0].State == "right" {
		return answer, cmp.Or(ctx.Err(), failIn("text", unread))
	}
	return answer, nil
}

// align pairs answers with questions, and reports whether most fit. Both have the same order, but
// answers may be absent or odd. The moves and positions of the pairs fit best. Positions in the text
// count more, but may be wrong: a terminal shows several before the answers. Leaving out one of too
// many answers costs something unless it repeats the one before.
func align(parts []*part, asked []NamedPosition) bool {
	const ofGiven, ofSurplus, leastMean = 30, 60, 50
	surplus, given := len(parts)-len(asked), 0 // given is the worth of the positions that the text gives
	pairs, worth := pair(len(parts), len(asked), func(i, k int) int {
		p, worth := parts[i], parts[i].worth(asked[k])
		switch {
		case p.position != nil && slices.Equal(p.position.Moves, asked[k].Moves):
			worth += ofGiven
			given += worth
		case surplus == 0 && i == k:
			return max(worth, 1) // all answers are there, one is quite wrong
		}
		return worth
	}, func(i int) int {
		if isTwice := i > 0 && parts[i].Text == parts[i-1].Text; surplus <= 0 || isTwice {
			return 0
		}
		return ofSurplus
	})
	isMost := len(parts) > 1 && max(given, worth) > leastMean*len(parts)
	for i := 0; isMost && given < worth && i < len(parts); i++ {
		if parts[i].position = nil; pairs[i] >= 0 {
			parts[i].position = &asked[pairs[i]]
		}
	}
	return isMost
}

// pair pairs some of n things with some of m others, both in order, so that the fits less the costs
// of unpaired things are the most. pairs contains the other of each thing, or -1.
func pair(n, m int, fit func(i, k int) int, cost func(i int) int) (pairs []int, most int) {
	worth := make([][]int, n+1) // of a thing, one of the others, and all that follow
	for i := range worth {
		worth[i] = make([]int, m+1)
	}
	for i := range slices.Backward(worth[:n]) {
		worth[i][m] = worth[i+1][m] - cost(i)
		for k := range slices.Backward(worth[i][:m]) {
			worth[i][k] = max(worth[i+1][k+1]+fit(i, k), worth[i+1][k]-cost(i), worth[i][k+1])
		}
	}
	for i, k := 0, 0; i < n; {
		switch worth[i][k] {
		case worth[i+1][k] - cost(i):
			pairs, i = append(pairs, -1), i+1
		case worth[i][min(k+1, m)]:
			k++
		default:
			pairs, i, k = append(pairs, k), i+1, k+1
		}
	}
	return pairs, worth[0][0]
}

// worth weighs a part as the answer to a question: two that do not fit exactly are less than one
// that does. The answer to a question about a wrong count has that count.
func (p *part) worth(one NamedPosition) int {
	switch fit := p.fit(one); {
	case fit == 100:
		return fit
	case one.Count == 0:
		return fit / 2
	case p.Leaves() == one.Count && fit > 1:
		return 80 + fit/6
	}
	return 0
}

// placeTotals gives each total of a row its question, or a table of depths its position: the one in
// which most are right, otherwise the last one near. It reports whether parts are totals in a row.
func placeTotals(parts []*part, asked, near []NamedPosition) (isRow bool, err error) {
	isOther := func(p *part) bool { return len(p.Moves) > 0 || p.position != parts[0].position }
	if slices.ContainsFunc(parts, isOther) || len(parts) < 2 && (len(asked) < 2 || parts[0].position != nil) {
		return false, nil
	}
	switch {
	case len(parts) == len(asked):
	case !parts[0].IsRow || parts[0].Depth == 0 && len(asked) > 1:
		return true, fmt.Errorf("%s for %s: paste one for each, in order, or the counts of the moves",
			format.Plain(len(parts), "total"), format.Plain(len(asked), "question"))
	case parts[0].position != nil:
		return true, nil
	default:
		known, _ := best(slices.Concat(near, familiar()), 1, func(one NamedPosition) (right int) {
			for _, p := range parts {
				right += p.fit(one)
			}
			return right
		})
		if known = append(known, near[max(0, len(near)-1):]...); len(known) == 0 {
			return true, errors.New("no known position has these totals: put its FEN into the first line")
		}
		asked = slices.Repeat(known[:1], len(parts))
	}
	for i, p := range parts {
		p.position = &asked[i]
	}
	return true, nil
}

// part is a divide within a text, with the position that the text gives for it.
type part struct {
	divide.Part
	position *NamedPosition
}

var (
	chess960Option = pattern.Lazy(`(?i)\bUCI_Chess960\s+value\s+true`)
	depthOf        = pattern.Lazy(`(?s)^.*\bgo\s+perft\s+(\d+).*$|^.*$`)
	gameForm       = pattern.Lazy(`(?m)^\[Event |\b1\.\s*\S+\s+[a-zA-Z]\S*\s+2\.`)
)

// partsOf splits a text into divides, also if they run together. given are its positions.
func partsOf(text string, asked []NamedPosition) (parts []*part, given []NamedPosition, err error) {
	chess960, read := chess960Option().MatchString(text), make(map[string]*NamedPosition)
	var after []fianchetto.Position
	for _, one := range asked {
		if path, err := one.path(1); err == nil {
			after = append(after, path.Position())
		}
	}
	found, positions := divide.Split(text, after...)
	for _, position := range positions {
		one, wrong := readPosition(position, chess960)
		if read[position], err = one, cmp.Or(err, wrong); one != nil {
			given = append(given, *one)
		}
	}
	for _, p := range found {
		parts = append(parts, &part{p, read[p.Position]})
	}
	return parts, given, err
}

func readPosition(text string, chess960 bool) (*NamedPosition, error) {
	root, moves, err := position.Parse(text, chess960)
	if err != nil {
		return nil, err
	}
	return &NamedPosition{PositionQuestion: questionOf(engine.Path{Root: root, Moves: moves})}, nil
}

// gameIn reads a text without counts: a position, its name, or a game.
func gameIn(text string, given []NamedPosition) (*PastedGame, error) {
	var game pgn.Game
	err := pgn.NewReader(strings.NewReader(text)).Read(&game)
	if known, _ := readPosition(text, false); known != nil { // a name
		given = append(given, *known)
	}
	if len(given) > 0 && len(game.Tags) == 0 {
		return &PastedGame{given[len(given)-1].PositionQuestion, depthOf().ReplaceAllString(text, "$1"), false, ""}, nil
	}
	found, bad := &PastedGame{IsPGN: true}, (*pgn.Error)(nil)
	if errors.As(err, &bad) {
		found.Problem = fmt.Sprintf("Line %d, column %d: %s.", bad.Line, bad.Column, inWords(bad.Err))
	}
	if i := slices.Index(game.Moves, fianchetto.NoMove); i >= 0 {
		game.Moves, found.Problem = game.Moves[:i], fmt.Sprintf("a null move after %d plies", i)
	}
	if len(game.Moves)+len(game.Tags) == 0 || game.Start == (fianchetto.Position{}) {
		return nil, failIn("text", errors.New("this is neither moves with their counts (e2e4: 20), nor a FEN, nor a "+
			"position command, nor the PGN of a game"))
	}
	found.PositionQuestion = questionOf(engine.Path{Root: game.Start, Moves: game.Moves})
	return found, nil
}

// inWords describes an error without offsets, for people who see their text.
func inWords(err error) string {
	var move *fianchetto.MoveError
	if errors.As(err, &move) && len(move.Candidates) == 0 {
		why := append(move.Reasons, fianchetto.Explanation{Reason: move.Err.Error()})[0]
		return fmt.Sprintf("%s is illegal: %s", move.Input, why.Reason)
	}
	if problem := problemsOf(err)[0]; problem.Field != "" {
		return fmt.Sprintf("the FEN's %s: %s", problem.Field, problem.Text)
	}
	return strings.TrimPrefix(err.Error(), "fianchetto: ")
}

// identify returns the positions that fit a divide best: several only if they fit equally well. A
// familiar position is a guess, so more of its moves must fit.
func (p *part) identify(ctx context.Context, near []NamedPosition) ([]Case, error) {
	if p.position != nil {
		return p.compared(ctx, []NamedPosition{*p.position})
	}
	fitting, fit := best(near, 4, p.fit)
	if fit == 0 || fit >= leastFit && fit < certain { // a part of a divide fits many
		if known, better := best(familiar(), 4, p.fit); better > fit && better >= leastFit {
			fitting, fit = known, better
		}
	}
	if fit == 0 {
		fitting = slices.DeleteFunc(Menu(), func(one NamedPosition) bool { return p.fit(one) == 0 })
	}
	if len(fitting) == 0 && len(near) > 0 {
		fitting = near[len(near)-1:] // the error tells what does not fit
	}
	return p.compared(ctx, fitting)
}

// best returns the first of those with the greatest worth above 0.
func best[T any](all []T, most int, worth func(T) int) (best []T, greatest int) {
	for _, one := range all {
		switch now := worth(one); {
		case now > greatest:
			best, greatest = []T{one}, now
		case now > 0 && now == greatest && len(best) < most:
			best = append(best, one)
		}
	}
	return best, greatest
}

// A position that fits has leastFit percent of the moves, a certain one has certain percent. fewMoves
// are too few for a guess, unless they have fewest counts near ours.
const leastFit, certain, fewMoves, fewest = 50, 90, 10, 3

// fit is divide.Fit, and 0 for a divide to another depth than asked. A total alone fits if it is
// published, and less if it is near.
func (p *part) fit(one NamedPosition) int {
	d := &p.Divide
	path, err := one.path(1)
	if err != nil {
		return 0
	}
	pos := path.Position()
	for depth := 1; len(d.Moves) == 0 && depth <= MaxDepth; depth++ {
		total, ok := suites.Published(pos.FEN(), depth)
		off := max(total, d.Total) - min(total, d.Total)
		if ok && 100*off <= total && (off == 0 || one.Name == "" || slices.Contains(position.Names(), one.Name)) {
			return 100 - leastFit*int(min(off, 1))
		}
	}
	if one.Asked > 0 && (d.Leaves() == uint64(len(d.Moves))) != (one.Asked == 1) {
		return 0
	}
	return divide.Fit(&pos, *d)
}

// isDoubtful reports whether a case is too little for a guess of its position.
func (p *part) isDoubtful(c *Case, r *divide.Reading) bool {
	given, isKnown := len(r.Moves), slices.Contains(position.Names(), c.Name)
	isFar := func(r divide.Row) bool { return r.Listed && 10*max(r.Ours, r.Theirs) > 11*min(r.Ours, r.Theirs) }
	if isKnown && (p.fit(c.NamedPosition) >= certain || given >= fewest && !slices.ContainsFunc(r.Rows, isFar)) {
		return false
	}
	isFew := given > 0 && (given < fewMoves || 2*given < len(r.Rows))
	return isFew && c.equal <= len(r.Differing()) || c.State == "wrong moves"
}

// compared compares a divide with each position, and keeps those with the most equal counts.
func (p *part) compared(ctx context.Context, positions []NamedPosition) (cases []Case, err error) {
	for _, one := range positions {
		path, wrong := one.path(1)
		reading, unread := divide.Read(ctx, path.Position(), 0, p.Text)
		isSame := func(c Case) bool { return c.FEN == one.FEN && (one.Name != "" || slices.Equal(c.Moves, one.Moves)) }
		if unread = cmp.Or(wrong, unread); unread != nil || slices.ContainsFunc(cases, isSame) {
			err = cmp.Or(err, unread)
			continue // the first position may have another name
		}
		differing := len(reading.Differing())
		c := Case{NamedPosition: one, Depth: reading.Depth, Text: p.Text, State: "right",
			equal: len(reading.Rows) - len(reading.Missing()) - differing}
		switch {
		case len(reading.Moves) > 0 && len(compare.Pasted(path, reading)) > 0:
			c.State = "wrong moves"
		case reading.Total != reading.Ours && (reading.HasTotal || !reading.Incomplete) || differing > 0:
			c.State = "wrong counts"
		case reading.Incomplete:
			c.State = "incomplete"
		}
		if one.Name == "" || !p.isDoubtful(&c, reading) {
			cases = append(cases, c)
		}
	}
	if cases, _ = best(cases, 2, func(c Case) int { return 1 + c.equal }); len(cases) > 0 {
		return cases, nil
	}
	if len(p.Divide.Moves) == 0 {
		err = cmp.Or(err, errors.New("no published count is this total: paste the count of every move"))
	}
	return nil, cmp.Or(p.Err, err, errors.New("no known position fits: put its FEN into the first line"))
}
