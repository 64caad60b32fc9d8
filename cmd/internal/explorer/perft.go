package explorer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// MaxDepth is the greatest depth of the page's counts.
const MaxDepth = 10

// DivideQuestion asks for the leaves below each move.
type DivideQuestion struct {
	PositionQuestion
	Depth  int    `json:"depth"`  // 1..MaxDepth
	Method string `json:"method"` // "auto", "plain", "two-ply" or "simd"; "" is auto
}

// DivideAnswer is a partial or complete divide.
type DivideAnswer struct {
	Nodes  string      `json:"nodes"`  // decimal, because it may be too large for JavaScript
	Total  int         `json:"total"`  // the number of root moves
	Method string      `json:"method"` // the method in use
	Moves  []NodeCount `json:"moves"`  // the counted ones
}

// NodeCount is a move and the leaves below it.
type NodeCount struct {
	UCI   string `json:"uci"`
	SAN   string `json:"san"`
	Nodes string `json:"nodes"`
}

func answerDivide(ctx context.Context, q DivideQuestion, partial func(any)) (DivideAnswer, error) {
	game, err := q.toDepth(q.Depth)
	if err != nil {
		return DivideAnswer{}, err
	}
	pos := game.Position()
	method, err := perft.ParseMethod(cmp.Or(q.Method, perft.Auto.String()))
	if err != nil {
		return DivideAnswer{}, failIn("method", err)
	}
	result, err := perft.Run(ctx, pos, q.Depth,
		perft.Options{Method: method, Threads: 1, Counted: func(done []perft.MoveCount, moves int) {
			partial(divided(&pos, done, moves, method))
		}})
	if err != nil {
		return DivideAnswer{}, failIn("depth", err)
	}
	return divided(&pos, result.Moves, len(result.Moves), result.Method), nil
}

func (q PositionQuestion) toDepth(depth int) (*fianchetto.Game, error) {
	game, err := q.game()
	if err == nil && (depth < 1 || depth > MaxDepth) {
		err = &Failure{"depth", fmt.Sprintf("depth %d is not 1 to %d", depth, MaxDepth)}
	}
	return game, err
}

func divided(pos *fianchetto.Position, done []perft.MoveCount, total int, method perft.Method) DivideAnswer {
	answer := DivideAnswer{Total: total, Method: method.String(), Moves: []NodeCount{}}
	nodes := uint64(0)
	for _, count := range done {
		nodes += count.Nodes
		answer.Moves = append(answer.Moves, NodeCount{pos.UCI(count.Move), pos.SAN(count.Move),
			fmt.Sprint(count.Nodes)})
	}
	answer.Nodes = fmt.Sprint(nodes)
	return answer
}

// CompareQuestion asks to compare an engine's divide with ours.
type CompareQuestion struct {
	PositionQuestion
	Depth int    `json:"depth"` // of the engine's count, 1..MaxDepth
	Text  string `json:"text"`  // the engine's output
}

// CompareAnswer shows two divides side by side, and the next question for the engine.
type CompareAnswer struct {
	Rows     []CompareRow `json:"rows"`
	Verdict  string       `json:"verdict"`            // one sentence
	Notes    []string     `json:"notes,omitempty"`    // sentences about oddities of the text
	Depth    int          `json:"depth"`              // the recognised depth of the engine's counts
	Findings []Finding    `json:"findings,omitempty"` // missing and extra moves
	Suspects []Suspect    `json:"suspects,omitempty"` // the next questions, if only counts differ
}

// CompareRow is a move with both counts.
type CompareRow struct {
	UCI    string `json:"uci"`
	SAN    string `json:"san,omitempty"` // "" for an extra move
	Ours   string `json:"ours,omitempty"`
	Theirs string `json:"theirs,omitempty"`
	State  string `json:"state"` // "same", "differs", "missing", "extra" or "no count"
}

// Finding is a missing or extra move, and the deciding rule.
type Finding struct {
	Kind    string            `json:"kind"` // "missing" or "extra"
	Move    string            `json:"move"` // "" if the engine prints totals only
	Rule    string            `json:"rule"`
	Reason  string            `json:"reason"`
	Read    string            `json:"read"`    // the address of a page about the rule
	Squares bitboard.Bitboard `json:"squares"` // named by the reason

	Attackers bitboard.Bitboard `json:"attackers"`          // of the king's square
	Attacked  *bitboard.Square  `json:"attacked,omitempty"` // the king's square
}

func answerCompare(ctx context.Context, q CompareQuestion, _ func(any)) (CompareAnswer, error) {
	game, err := q.toDepth(q.Depth)
	if err != nil {
		return CompareAnswer{}, err
	}
	reading, err := divide.Read(ctx, game.Position(), q.Depth, q.Text)
	switch {
	case ctx.Err() != nil:
		return CompareAnswer{}, ctx.Err()
	case err != nil:
		return CompareAnswer{}, failIn("text", err)
	case len(reading.Moves) == 0:
		return compareTotals(reading), nil
	}
	answer, path := sideBySide(pathOf(game), reading), pathOf(game)
	if differing := reading.Differing(); len(differing) > 0 && len(answer.Findings) == 0 { // a wrong list of moves comes first
		var wrong []fianchetto.Move
		for _, row := range differing {
			wrong = append(wrong, row.Move)
		}
		answer.Suspects = suspectsOf(ctx, path, wrong, reading.Depth)
	}
	return answer, nil
}

func pathOf(game *fianchetto.Game) engine.Path {
	return engine.Path{Root: game.At(0), Moves: game.Moves()}
}

// compareTotals compares totals, for an engine that prints no moves.
func compareTotals(reading *divide.Reading) CompareAnswer {
	answer := CompareAnswer{Rows: []CompareRow{}, Depth: reading.Depth, Notes: reading.Problems,
		Verdict: "The totals agree."}
	if reading.Ours != reading.Total {
		answer.Verdict = fmt.Sprintf("The totals differ by %+d. Paste the engine's count of every move to find the move.",
			int64(reading.Total-reading.Ours))
	}
	return answer
}

func sideBySide(path engine.Path, reading *divide.Reading) CompareAnswer {
	pos, differences := path.Position(), compare.Pasted(path, reading)
	answer := CompareAnswer{Depth: reading.Depth, Notes: reading.Problems}
	listed := make(map[string]string)
	for _, m := range reading.Moves {
		listed[plainMove.Replace(strings.ToLower(m.Move))] = fmt.Sprint(m.Nodes)
	}
	states := make(map[string][]CompareRow)
	for _, r := range reading.Rows {
		row := CompareRow{UCI: pos.UCI(r.Move), SAN: pos.SAN(r.Move), Ours: fmt.Sprint(r.Ours), State: "same"}
		if r.Listed {
			row.Theirs = fmt.Sprint(r.Theirs)
		}
		switch {
		case !r.Listed && reading.Incomplete:
			row.State = "no count"
		case !r.Listed:
			row.State = "missing"
		case r.Ours != r.Theirs:
			row.State = "differs"
		}
		states[row.State] = append(states[row.State], row)
	}
	for i := range differences {
		d := &differences[i]
		answer.Findings = append(answer.Findings, findingOf(d))
		if d.Kind == compare.Extra {
			states["extra"] = append(states["extra"], CompareRow{UCI: d.Move, Theirs: listed[d.Move], State: "extra"})
		}
	}
	differing := states["differs"]
	answer.Rows = slices.Concat(states["extra"], states["missing"], differing, states["same"], states["no count"])
	answer.Verdict = verdictOf(len(differences), len(differing), len(reading.Moves), len(reading.Rows), reading)
	return answer
}

func findingOf(d *compare.Difference) Finding {
	why := &d.Verdict
	f := Finding{Kind: string(d.Kind), Move: d.Move, Rule: string(why.Rule), Reason: why.Reason,
		Read: compare.ReadAbout(why.Rule), Squares: why.Squares, Attackers: why.Attackers}
	if !why.Attackers.IsEmpty() {
		f.Attacked = &why.Attacked
	}
	return f
}

var plainMove = strings.NewReplacer("-", "", "x", "", "=", "")

func verdictOf(findings, differing, given, legal int, reading *divide.Reading) string {
	every := "Every move is right here"
	if reading.Incomplete {
		every = fmt.Sprintf("%d of %d counts given", given, legal)
	}
	switch {
	case findings == 1:
		return "One move is wrong in this position."
	case findings > 1:
		return fmt.Sprintf("%d moves are wrong in this position.", findings)
	case differing == 1:
		return every + "; the count below one move differs."
	case differing > 1:
		return fmt.Sprintf("%s; the counts below %d moves differ.", every, differing)
	case reading.Incomplete:
		return every + ", " + cmp.Or(map[int]string{1: "and it is", 2: "both"}[given], "all") + " right."
	case reading.Total != reading.Sum:
		return "Every count is right, but the engine's total is not their sum."
	}
	return fmt.Sprintf("All %d moves and their counts are right.", legal)
}

func questionOf(path engine.Path) PositionQuestion {
	return PositionQuestion{path.Root.FEN(), path.Root.IsChess960(), append([]string{}, strings.Fields(path.UCI())...)}
}
