package explorer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// MaxDepth is the greatest depth of the page's counts.
const MaxDepth = 10

// CountQuestion asks about the leaves below each move: for ours, or to compare those of an engine,
// which are in Text or which the program of the server is asked for.
type CountQuestion struct {
	PositionQuestion
	Depth int    `json:"depth"` // 1..MaxDepth
	Text  string `json:"text"`  // the engine's output
	Whole bool   `json:"whole"` // no line is absent from it

	at engine.Path
}

// DivideAnswer is a partial or complete divide.
type DivideAnswer struct {
	Nodes  string       `json:"nodes"` // may be too large for JavaScript
	Total  int          `json:"total"` // root moves
	Method string       `json:"method"`
	Moves  []CompareRow `json:"moves"` // the counted ones
}

func answerDivide(ctx context.Context, q CountQuestion, partial func(any)) (DivideAnswer, error) {
	pos := q.at.Position()
	counted := func(done []perft.MoveCount, moves int) { partial(divided(&pos, done, moves, perft.Auto)) }
	result, err := perft.Run(ctx, pos, q.Depth, perft.Options{Threads: 1, Counted: counted})
	if err != nil {
		return DivideAnswer{}, failIn("depth", err)
	}
	return divided(&pos, result.Moves, len(result.Moves), result.Method), nil
}

func divided(pos *fianchetto.Position, done []perft.MoveCount, total int, method perft.Method) DivideAnswer {
	answer := DivideAnswer{Total: total, Method: method.String(), Moves: []CompareRow{}}
	nodes := uint64(0)
	for _, c := range done {
		nodes += c.Nodes
		answer.Moves = append(answer.Moves, CompareRow{UCI: pos.UCI(c.Move), SAN: pos.SAN(c.Move), Ours: fmt.Sprint(c.Nodes)})
	}
	answer.Nodes = fmt.Sprint(nodes)
	return answer
}

// CompareAnswer shows two divides side by side, and the next question for the engine.
type CompareAnswer struct {
	Rows     []CompareRow `json:"rows"`
	Verdict  string       `json:"verdict"`            // one sentence
	Notes    []string     `json:"notes,omitempty"`    // sentences about the text
	Damaged  bool         `json:"damaged,omitempty"`  // the text is probably not what the engine printed
	Depth    int          `json:"depth"`              // of the engine's counts, as recognised
	Findings []Finding    `json:"findings,omitempty"` // missing and extra moves
	Suspects []Suspect    `json:"suspects,omitempty"` // the next questions, if only counts differ

	Next *NamedPosition `json:"next,omitempty"` // the position to try next, if all is right
}

// CompareRow is a move with both counts.
type CompareRow struct {
	UCI    string `json:"uci"`
	SAN    string `json:"san,omitempty"` // "" for an extra move
	Ours   string `json:"ours,omitempty"`
	Theirs string `json:"theirs,omitempty"`
	State  string `json:"state,omitempty"` // "same", "differs", "missing", "extra" or "no count"
}

// Finding is a missing or extra move, and its position.
type Finding struct {
	PositionQuestion
	Kind string                 `json:"kind"` // "missing" or "extra"
	Move string                 `json:"move"` // "" if there are totals only
	Why  fianchetto.Explanation `json:"why"`  // the deciding rule
	compare.About
}

func findingOf(d *compare.Difference) Finding {
	return Finding{questionOf(d.Path), string(d.Kind), d.Move, d.Verdict, d.About()}
}

func answerCompare(ctx context.Context, q CountQuestion, _ func(any)) (answer CompareAnswer, err error) {
	reading, err := divide.Read(ctx, q.at.Position(), q.Depth, q.Text)
	if err != nil {
		return answer, cmp.Or(ctx.Err(), failIn("text", err))
	}
	reading.Incomplete = reading.Incomplete && !q.Whole
	if answer = sideBySide(q.at, reading); len(answer.Findings) == 0 { // else the moves come first
		answer.Suspects = suspectsOf(ctx, q.at, reading.Differing(), reading.Depth)
	}
	if reading.Total == reading.Ours && (len(reading.Moves) == 0 || !reading.Differs()) {
		menu := Menu()
		at := slices.IndexFunc(menu, func(one NamedPosition) bool { return one.FEN == q.at.Position().FEN() })
		answer.Next = &menu[(max(at, 0)+1)%len(menu)]
		answer.Next.Asked = max(3, reading.Depth-1) // at 3, kiwipete shows most bugs
	}
	return answer, nil
}

func sideBySide(path engine.Path, reading *divide.Reading) CompareAnswer {
	differences := compare.Pasted(path, reading)
	answer := CompareAnswer{Rows: []CompareRow{}, Depth: reading.Depth, Damaged: reading.Damaged, Notes: reading.Problems,
		Verdict: verdictOf(len(differences), reading)}
	if len(reading.Moves) == 0 {
		return answer
	}
	for _, d := range differences {
		answer.Findings = append(answer.Findings, findingOf(&d))
		if d.Kind == compare.Extra {
			answer.Rows = append(answer.Rows, CompareRow{UCI: d.Move, Theirs: fmt.Sprint(d.Nodes), State: "extra"})
		}
	}
	pos := path.Position()
	for _, r := range reading.Rows {
		row := CompareRow{UCI: pos.UCI(r.Move), SAN: pos.SAN(r.Move), Ours: fmt.Sprint(r.Ours), State: "missing"}
		switch {
		case r.Listed && r.Ours == r.Theirs:
			row.Theirs, row.State = row.Ours, "same"
		case r.Listed:
			row.Theirs, row.State = fmt.Sprint(r.Theirs), "differs"
		case reading.Incomplete:
			row.State = "no count"
		}
		answer.Rows = append(answer.Rows, row)
	}
	return answer
}

func verdictOf(findings int, r *divide.Reading) string {
	given, differing, absent := len(r.Moves), len(r.Differing()), len(r.Missing())
	part := fmt.Sprintf("%d of %d counts given", given, len(r.Rows))
	switch {
	case given == 0 && r.Ours == r.Total:
		return fmt.Sprintf("The totals agree: %d leaves at depth %d.", r.Total, r.Depth)
	case given == 0:
		return fmt.Sprintf("%d leaves at depth %d, instead of %d. Paste the count of every move.", r.Total, r.Depth, r.Ours)
	case findings > 0:
		return format.Plural(findings, "move is", "moves are") + " wrong here."
	case r.Damaged:
		return "The text seems cut or copied wrongly. Paste all of it again."
	case r.Incomplete && !r.HasTotal && r.Absent() != "" && 5*absent <= len(r.Rows):
		return r.Absent() + format.Form(absent, " is", " are") + " missing: a bug, or a cut paste?"
	case differing > 0 && r.Incomplete:
		return part + "; " + format.Plural(differing, "count differs.", "counts differ.")
	case differing > 0:
		return format.Plural(differing, "count differs", "counts differ") +
			". Every move here is right: the wrong move is deeper."
	case r.Incomplete && given == 1:
		return part + ", and it is right."
	case r.Incomplete && given == 2:
		return part + ", both right."
	case r.Incomplete:
		return part + ", all right."
	case r.Total != r.Sum:
		return "Every count is right, but the engine's total is not their sum."
	}
	return fmt.Sprintf("All %d moves and their counts to depth %d are right.", len(r.Rows), r.Depth)
}
