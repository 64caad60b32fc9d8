package compare

import (
	"context"
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/rules"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// DefaultQuestions is how many divides a program is asked for about one position.
const DefaultQuestions = 100

// Options say how far to look.
type Options struct {
	Depth     int // in plies, 1 or more
	Questions int // the most divides to ask for; 0: DefaultQuestions
	Threads   int // for our own counts; see perft.Options
}

// Report is what comparing one position came to.
type Report struct {
	Differences []Difference // each rule once per kind, those nearest to the root first
	Questions   int          // divides asked for
	Nodes       uint64       // leaves of the deepest comparison
	Exhausted   bool         // the questions were used up, so that there may be more differences
}

// Position compares a program's counts with ours where a line ends, at every depth up to that of the options, and
// follows each difference down to the move that makes it. On an error, the program's or the context's, the report has
// what was found before.
func Position(ctx context.Context, program engine.Program, line engine.Line, options Options) (Report, error) {
	if options.Depth < 1 || options.Depth > perft.MaxDepth {
		return Report{}, fmt.Errorf("%w: %d is not in 1..%d", perft.ErrDepth, options.Depth, perft.MaxDepth)
	}
	if options.Questions == 0 {
		options.Questions = DefaultQuestions
	}
	s := &search{ctx: ctx, program: program, options: options}
	err := s.compare(line)
	if errors.Is(err, errNoQuestions) {
		s.report.Exhausted, err = true, nil
	}
	return s.report, err
}

// errNoQuestions means that no more may be asked.
var errNoQuestions = errors.New("compare: the questions are used up")

// search is a comparison of one position under way.
type search struct {
	ctx     context.Context
	program engine.Program
	options Options
	report  Report

	totalsOnly bool // the program does not list moves
}

// compare goes deeper ply by ply. A move of the root that differs is followed at the first depth at which it does, and
// then settled.
func (s *search) compare(line engine.Line) error {
	settled := make(map[fianchetto.Move]bool)
	for depth := 1; depth <= s.options.Depth; depth++ {
		before := len(s.report.Differences)
		t, err := s.divide(line, depth)
		if err != nil {
			return err
		}
		if depth == 1 {
			if err := s.note(differencesIn(line, t)); err != nil {
				return err
			}
		}
		for _, r := range t.differing() {
			if settled[r.move] {
				continue
			}
			settled[r.move] = true
			if err := s.follow(line.Then(r.move), depth-1, r); err != nil {
				return err
			}
		}
		if t.sumIsWrong() && len(s.report.Differences) == before {
			s.add(wrongSum(line, depth, t))
		}
	}
	if len(s.report.Differences) == 0 && s.options.Depth > 1 && !s.totalsOnly {
		return s.sweep(line)
	}
	return nil
}

// sweep compares the lists of moves after each move of the root, as far as the questions go. Counts may agree because a
// missing move and one too many below the same move cancel out.
func (s *search) sweep(line engine.Line) error {
	pos := line.Position()
	for m := range pos.LegalMoves() {
		after := line.Then(m)
		t, err := s.divide(after, 1)
		if errors.Is(err, errNoQuestions) {
			return nil
		}
		if err == nil {
			err = s.note(differencesIn(after, t))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow goes down to where a count differs because a list of moves does. The count of r, below the last move of the
// line, differs depth plies down.
func (s *search) follow(line engine.Line, depth int, r row) error {
	if depth == 0 {
		s.add(wrongCount(line, r, 1)) // a move listed with another count than 1
		return nil
	}
	t, err := s.divide(line, depth)
	if err != nil {
		return err
	}
	if here := differencesIn(line, t); len(here) > 0 {
		return s.note(here)
	}
	if differing := t.differing(); len(differing) > 0 {
		return s.follow(line.Then(differing[0].move), depth-1, differing[0])
	}
	s.add(wrongCount(line, r, depth+1))
	return nil
}

// wrongSum is the difference of a total that is not the sum of what the program itself counts.
func wrongSum(line engine.Line, depth int, t *table) Difference {
	return Difference{Kind: WrongSum, Line: line, Short: line, Count: 1, Verdict: rules.Verdict{Rule: Sum,
		Reason: fmt.Sprintf("at depth %d the counts below the moves add up to %d, the total says %d", depth, t.sum, t.total)}}
}

// wrongCount is the difference of a count below the last move of a line that the program does not confirm when it is
// asked for the position there.
func wrongCount(line engine.Line, r row, depth int) Difference {
	above := engine.Line{Root: line.Root, Moves: line.Moves[:len(line.Moves)-1]}
	pos := above.Position()
	move := pos.UCI(r.move)
	return Difference{Kind: WrongSum, Line: above, Short: above, Count: 1, Verdict: rules.Verdict{Rule: Divided,
		Reason: fmt.Sprintf("at depth %d the count below %s is %d, not %d, but every list of moves asked for is right", depth, move, r.theirs, r.ours)}}
}

// note adds what was found in a position, unless its like was found before, and finds out whether the program needs
// the moves that lead there to go wrong.
func (s *search) note(found []Difference) error {
	for _, d := range found {
		added := s.add(d)
		if added == nil {
			continue
		}
		short, err := s.shorten(&d)
		added.Short = short
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a difference to the report, or adds it to one of its like and returns nil.
func (s *search) add(d Difference) *Difference {
	for i := range s.report.Differences {
		if listed := &s.report.Differences[i]; listed.Kind == d.Kind && listed.Verdict.Rule == d.Verdict.Rule {
			d.Short = d.Line
			listed.Alike = append(listed.Alike, d)
			return nil
		}
	}
	s.report.Differences = append(s.report.Differences, d)
	return &s.report.Differences[len(s.report.Differences)-1]
}

// shorten returns the shortest end of the difference's line that shows it, the whole line if nothing less does or the
// questions are used up.
func (s *search) shorten(d *Difference) (engine.Line, error) {
	for n := len(d.Line.Moves); n > 0; n-- {
		short := d.Line.From(n)
		t, err := s.divide(short, 1)
		if errors.Is(err, errNoQuestions) {
			break
		}
		if err != nil {
			return d.Line, err
		}
		for _, other := range differencesIn(short, t) {
			if other.Kind == d.Kind && other.Move == d.Move && other.Count == d.Count {
				return short, nil
			}
		}
	}
	return d.Line, nil
}

// divide asks both sides for the counts below the moves of a position.
func (s *search) divide(line engine.Line, depth int) (*table, error) {
	if s.report.Questions == s.options.Questions {
		return nil, errNoQuestions
	}
	s.report.Questions++
	pos := line.Position()
	ours, err := perft.Run(s.ctx, pos, depth, perft.Options{Threads: s.options.Threads})
	if err != nil {
		return nil, err
	}
	s.report.Nodes = max(s.report.Nodes, ours.Nodes)
	answer, err := s.program.Divide(s.ctx, line, depth)
	if err != nil {
		return nil, err
	}
	if len(answer.Moves) == 0 && answer.Total > 0 {
		s.totalsOnly = true
		return s.divideByTotals(line, depth, ours.Moves, answer.Total)
	}
	return tabulate(&pos, ours.Moves, answer)
}

// divideByTotals divides for a program that tells totals only: by asking for the total after each move.
func (s *search) divideByTotals(line engine.Line, depth int, ours []perft.MoveCount, total uint64) (*table, error) {
	t := &table{sum: total, total: total}
	for _, count := range ours {
		t.rows = append(t.rows, row{count.Move, count.Nodes, count.Nodes, true})
	}
	if depth == 1 {
		t.unnamed = int(total) - len(ours)
		if t.unnamed < 0 {
			return t, s.nameMissing(line, t, total)
		}
		return t, nil
	}
	sum := uint64(0)
	for _, count := range ours {
		sum += count.Nodes
	}
	if sum == total {
		return t, nil
	}
	for i := range t.rows {
		answer, err := s.program.Divide(s.ctx, line.Then(t.rows[i].move), depth-1)
		if err != nil {
			return nil, err
		}
		t.rows[i].theirs = answer.Total
	}
	return t, nil
}

// nameMissing finds out which moves a program lacks that tells totals only: asked for the position after such a move,
// it most likely leaves the move out and tells the total of the position before it. If that does not account for
// all, none is named.
func (s *search) nameMissing(line engine.Line, t *table, total uint64) error {
	var refused []int
	for i, r := range t.rows {
		after := line.Then(r.move)
		answer, err := s.program.Divide(s.ctx, after, 1)
		if err != nil {
			return err
		}
		pos := after.Position()
		if ours := uint64(pos.CountLegal()); answer.Total == total && ours != total {
			refused = append(refused, i)
		}
	}
	if len(refused) != -t.unnamed {
		return nil
	}
	t.unnamed = 0
	for _, i := range refused {
		t.rows[i].listed = false
	}
	return nil
}
