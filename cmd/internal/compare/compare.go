// Package compare finds the positions in which another move generator is wrong, the moves that are missing or extra
// there, and the rules that decide about them.
//
//	report, err := compare.New(program, compare.Options{Depth: 4}).Compare(ctx, engine.Path{Root: pos})
//	for _, d := range report.Differences {
//		fmt.Println(d.Kind, d.Move, d.Position().FEN(), d.Verdict)
//	}
//
// The counts below each root move are compared depth by depth. A move whose count differs is followed down, to the
// first child that differs, until the lists of moves differ. Castling may be written with the king's or the rook's
// square, and promotions in either case or as four moves without a letter, without being a difference. A move that is
// listed twice is a difference.
//
// A missing move and an extra one below the same move can cancel each other out in the counts. Where counts agree, the
// lists of moves one ply on are compared as well. For greater depths there are the suites, with a position for each
// trap of the rules.
//
// Source: https://www.chessprogramming.org/Perft, Divide
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// The greatest numbers of questions about one position unless Options set another: of a program that runs on, and of one
// that starts anew for each.
const (
	DefaultQuestions = 100
	ScriptQuestions  = 15
)

// Options are the settings of a Comparer.
type Options struct {
	Depth     int // in plies, 1 or more
	Questions int // the most questions to ask about a position; 0: DefaultQuestions or ScriptQuestions
	Threads   int // for our own counts; see perft.Options

	// Patience is how long the program may take for the questions of Compare or Diagnose, besides their number; 0 is no
	// limit.
	Patience time.Duration
}

// Comparer compares a program with the rules, position by position.
type Comparer struct {
	program engine.Program
	options Options
	before  *table // of the last answer to depth 1 in a position that the program took
}

// New returns a Comparer of a program, which the caller closes.
func New(program engine.Program, options Options) *Comparer {
	if options.Questions == 0 && program.StartsAnew() {
		options.Questions = ScriptQuestions
	}
	options.Questions = cmp.Or(options.Questions, DefaultQuestions)
	options.Patience = cmp.Or(options.Patience, math.MaxInt64)
	return &Comparer{program: program, options: options}
}

// Report is the result of comparing one position.
type Report struct {
	Differences []Difference  // each rule once per kind, those nearest to the root first
	Questions   int           // asked
	Nodes       uint64        // counted by the program
	Elapsed     time.Duration // of its answers
	Exhausted   bool          // the questions were used up, so that there may be more differences
}

// Compare compares the program's counts with ours at the end of a path, at every depth up to that of the options, and
// follows each difference down to its move. If the program fails or ctx ends, the report has the differences found so
// far.
func (c *Comparer) Compare(ctx context.Context, path engine.Path) (Report, error) {
	if c.options.Depth < 1 || c.options.Depth > perft.MaxDepth {
		return Report{}, fmt.Errorf("%w: %d is not in 1..%d", perft.ErrDepth, c.options.Depth, perft.MaxDepth)
	}
	s := &search{Comparer: c, ctx: ctx}
	err := s.compare(path)
	switch {
	case errors.Is(err, errNoQuestions):
		s.report.Exhausted, err = true, nil
	case errors.Is(err, errNotTaken):
		err = nil
	}
	return s.report, err
}

var (
	errNoQuestions = errors.New("compare: the questions are used up")
	errNotTaken    = errors.New("compare: the program counts in another position")
)

// search is the comparison of one position.
type search struct {
	*Comparer
	ctx    context.Context
	report Report

	totalsOnly bool // the program does not list moves
}

// compare compares ply by ply. A root move is followed at the first depth at which its count differs, and not compared
// again. A program that starts anew for each question is asked for the greatest depth first, and for no more if it is
// right.
func (s *search) compare(path engine.Path) error {
	var deepest *table
	if s.program.StartsAnew() {
		var err error
		if deepest, err = s.divideOnce(path, s.options.Depth); err != nil || !deepest.differs() {
			return err
		}
	}
	settled := make(map[fianchetto.Move]bool)
	for depth := 1; depth <= s.options.Depth; depth++ {
		before := len(s.report.Differences)
		t, err := deepest, error(nil)
		if t != nil && depth == s.options.Depth {
			err = s.confirm(path, depth, t)
		} else {
			t, err = s.divide(path, depth)
		}
		if err != nil {
			return err
		}
		if depth == 1 {
			if err := s.note(differencesIn(path, t)); err != nil {
				return err
			}
		}
		for _, r := range t.differing() {
			if settled[r.Move] {
				continue
			}
			settled[r.Move] = true
			if err := s.follow(path.Then(r.Move), depth-1, r); err != nil {
				return err
			}
		}
		if t.sum != t.total && len(s.report.Differences) == before {
			s.add(wrong(WrongSum, path, Sum, "at depth %d the counts below the moves add up to %d, the total is %d", depth,
				t.sum, t.total))
		}
	}
	if len(s.report.Differences) == 0 && s.options.Depth > 1 && !s.totalsOnly {
		return s.sweep(path)
	}
	return nil
}

// sweep compares the lists of moves after each root move, as long as there are questions left. Counts can agree
// although a move is missing and another is extra below the same root move.
func (s *search) sweep(path engine.Path) error {
	pos := path.Position()
	for m := range pos.LegalMoves() {
		after := path.Then(m)
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

// follow goes down to a position whose list of moves differs. The count of r, below the last move of the path, differs
// at the given depth.
func (s *search) follow(path engine.Path, depth int, r DivideRow) error {
	if depth == 0 {
		s.add(wrongCount(path, r, 1)) // a move listed with another count than 1
		return nil
	}
	t, err := s.divide(path, depth)
	if err != nil {
		return err
	}
	if here := differencesIn(path, t); len(here) > 0 {
		return s.note(here)
	}
	if differing := t.differing(); len(differing) > 0 {
		return s.follow(path.Then(differing[0].Move), depth-1, differing[0])
	}
	s.add(wrongCount(path, r, depth+1))
	return nil
}

// wrongCount returns the difference of a count below the last move of a path that differs from the program's own count
// in the position after it.
func wrongCount(path engine.Path, r DivideRow, depth int) Difference {
	above := engine.Path{Root: path.Root, Moves: path.Moves[:len(path.Moves)-1]}
	return wrong(WrongSum, above, Divided, "at depth %d the count below %s is %d, not %d, but every list of moves asked "+
		"for is right", depth, path.Root.UCI(r.Move), r.Theirs, r.Ours)
}

// note adds the differences of a position, unless one of the same kind and rule is known, and finds out whether the
// cause is a move that leads to the position, or the FEN.
func (s *search) note(found []Difference) error {
	for _, d := range found {
		added := s.add(d)
		if added == nil {
			continue
		}
		var err error
		if added.Short, err = s.shorten(&d); err != nil {
			return err
		}
		if len(d.Path.Moves) == 0 {
			if err := s.blameFEN(added); err != nil {
				return err
			}
		}
		if added.Kind == NotTaken {
			return errNotTaken
		}
	}
	return nil
}

// add adds a difference to the report, or to one of the same kind and rule, and then returns nil.
func (s *search) add(d Difference) *Difference {
	for i := range s.report.Differences {
		if listed := &s.report.Differences[i]; listed.Kind == d.Kind && listed.found == d.Verdict.Rule {
			d.Short = d.Path
			listed.Alike = append(listed.Alike, d)
			return nil
		}
	}
	d.found = d.Verdict.Rule
	s.report.Differences = append(s.report.Differences, d)
	return &s.report.Differences[len(s.report.Differences)-1]
}

// shorten returns the shortest end of the difference's path that shows it; the whole path if no shorter one does, or no
// question is left.
func (s *search) shorten(d *Difference) (engine.Path, error) {
	for n := len(d.Path.Moves); n > 0; n-- {
		short := d.Path.From(n)
		shows, err := s.shows(short, d)
		if errors.Is(err, errNoQuestions) {
			break
		}
		if err != nil {
			return d.Path, err
		}
		if shows {
			return short, nil
		}
	}
	return d.Path, nil
}

// shows reports whether a path that leads to the same position shows the difference.
func (s *search) shows(path engine.Path, d *Difference) (bool, error) {
	t, err := s.divideOnce(path, 1)
	if err != nil {
		return false, err
	}
	for _, other := range differencesIn(path, t) {
		if other.Kind == d.Kind && other.Move == d.Move && other.Count == d.Count {
			return true, nil
		}
	}
	return false, nil
}

// ask asks the program a question, and counts it.
func (s *search) ask(path engine.Path, depth int) (engine.Answer, error) {
	if s.report.Questions >= s.options.Questions || s.report.Elapsed >= s.options.Patience {
		return engine.Answer{}, errNoQuestions
	}
	s.report.Questions++
	asked := time.Now()
	answer, err := s.program.Divide(s.ctx, path, depth)
	s.report.Elapsed += time.Since(asked)
	s.report.Nodes += answer.Leaves()
	return answer, err
}

// mayAsk allows a number of questions more.
func (s *search) mayAsk(questions int) { s.options.Questions = s.report.Questions + questions }

// divide asks both sides for the counts below the moves of a position. If they differ, the answer is confirmed.
func (s *search) divide(path engine.Path, depth int) (*table, error) {
	t, err := s.divideOnce(path, depth)
	if err == nil && t.differs() {
		err = s.confirm(path, depth, t)
	}
	return t, err
}

// divideOnce is divide without the confirmation.
func (s *search) divideOnce(path engine.Path, depth int) (t *table, err error) {
	answer, err := s.ask(path, depth)
	if err != nil {
		return nil, err
	}
	pos := path.Position()
	ours, err := perft.Run(s.ctx, pos, depth, perft.Options{Threads: s.options.Threads})
	if err != nil {
		return nil, err
	}
	if len(answer.Moves) == 0 && answer.Total > 0 {
		s.totalsOnly = true
		t, err = s.divideByTotals(path, depth, ours, answer)
	} else if t, err = tabulate(&pos, ours.Moves, answer); err != nil {
		err = unreadable(err.Error(), &answer)
	}
	if err == nil {
		err = s.checkTaken(depth, t)
	}
	return t, err
}

// confirm asks the question of an answer that differs from the rules once more. The error is that the answer proves
// nothing, or that the second answer is another.
func (s *search) confirm(path engine.Path, depth int, t *table) error {
	if err := t.doubt(); err != nil {
		return err
	}
	again, err := s.ask(path, depth)
	if err == nil && !t.answer.Equal(&again) {
		err = fmt.Errorf("%w: %s at depth %d is %d leaves below %d moves, then %d below %d", ErrUnsteady,
			path.Root.FEN(), depth, t.answer.Leaves(), len(t.answer.Moves), again.Leaves(), len(again.Moves))
	}
	return err
}

// ErrUnsteady reports that the program is asked the same question twice, and answers otherwise.
const ErrUnsteady fianchetto.Problem = "its answers to the same question differ, so that none proves a mistake"

// doubt returns the reason for which an answer that differs proves nothing, nil if there is none: a part of it is not
// understood, or it contradicts itself.
func (t *table) doubt() error {
	answer := &t.answer
	switch {
	case len(answer.Unread) > 0:
		return unreadable("some lines look like moves", answer)
	case answer.CutOff:
		return unreadable("it ends without the total, as if it were cut off", answer)
	case t.sum != t.total && t.listsDiffer():
		return unreadable(fmt.Sprintf("the counts below its %d moves add up to %d, the total is %d", len(answer.Moves),
			t.sum, t.total), answer)
	}
	return nil
}

// unreadable returns the error of an answer that is not understood, with the lines that were not read.
func unreadable(why string, answer *engine.Answer) error {
	lines := answer.Unread
	if len(lines) == 0 {
		lines = answer.Skipped
	}
	if len(lines) > 0 {
		var quoted []string
		for _, line := range lines[:min(3, len(lines))] {
			quoted = append(quoted, quote.Text(line, 0))
		}
		why += "; not read: " + strings.Join(quoted, ", ")
	}
	return fmt.Errorf("%w: %s; --line-pattern tells how a line of a move is read", uci.ErrGarbage, why)
}

// divideByTotals divides for a program that prints totals only: by asking for the total after each move.
func (s *search) divideByTotals(path engine.Path, depth int, ours perft.Result, answer engine.Answer) (*table, error) {
	total := answer.Total
	t := &table{pos: path.Position(), answer: answer, sum: total, total: total}
	for _, count := range ours.Moves {
		t.rows = append(t.rows, DivideRow{count.Move, count.Nodes, count.Nodes, true})
	}
	if total == ours.Nodes {
		return t, nil
	}
	if depth == 1 {
		if t.unnamed = int(min(total, math.MaxInt)) - len(t.rows); t.unnamed < 0 {
			return t, s.nameMissing(path, t)
		}
		return t, nil
	}
	for i := range t.rows {
		answer, err := s.ask(path.Then(t.rows[i].Move), depth-1)
		if err != nil {
			return nil, err
		}
		t.rows[i].Theirs = answer.Total
	}
	return t, nil
}

// nameMissing finds the missing moves of a program that prints totals only. In the position after a move that it does
// not know, such a program usually ignores the move and prints the total of the position before. Unless that explains
// the whole difference, no move is named.
func (s *search) nameMissing(path engine.Path, t *table) error {
	var refused []int
	for i, r := range t.rows {
		after := path.Then(r.Move)
		answer, err := s.ask(after, 1)
		if errors.Is(err, errNoQuestions) {
			s.report.Exhausted = true
			return nil
		}
		if err != nil {
			return err
		}
		pos := after.Position()
		if ours := uint64(pos.CountLegal()); answer.Total == t.total && ours != t.total {
			refused = append(refused, i)
		}
	}
	if len(refused) != -t.unnamed {
		return nil
	}
	t.unnamed = 0
	for _, i := range refused {
		t.rows[i].Listed = false
	}
	return nil
}

// checkTaken checks whether the answer belongs to another position, and notes in the table why.
func (s *search) checkTaken(depth int, t *table) error {
	switch before := s.before; {
	case len(t.answer.Moves) > 0:
		t.notTaken = t.foreign(before)
	case depth == 1 && t.unnamed != 0 && before != nil && before.total == t.total && before.pos != t.pos:
		if err := s.confirmTotal(before, t); err != nil {
			return err
		}
	}
	if depth == 1 && t.notTaken == "" { // else the program is still in the position before
		s.before = t
	}
	return nil
}

// foreign explains why a list of moves belongs to another position, "" if it may belong to this one. It belongs to
// another one if less than half of it and less than half of the legal moves are in both lists and if, besides, the
// position before has the same list, or most of its moves start on squares without a piece of the side to move.
func (t *table) foreign(before *table) string {
	const minMoves = 3 // of shorter lists, a mistake of the generator may change most moves
	agreed, listed := len(t.rows)-len(t.missing()), len(t.answer.Moves)
	if 2*agreed >= listed || len(t.rows) > 0 && 2*agreed >= len(t.rows) || listed < minMoves {
		return ""
	}
	if before != nil && before.pos != t.pos && slices.Equal(before.listed(), t.listed()) {
		return "its moves are those of the position before, " + before.pos.FEN()
	}
	astray := 0
	t.otherSide = true
	us := t.pos.SideToMove()
	for _, m := range t.extra {
		if !t.pos.ByColor(us).Has(m.From) {
			astray++
		}
		t.otherSide = t.otherSide && t.pos.ByColor(us.Opponent()).Has(m.From)
	}
	if 2*astray > listed {
		return fmt.Sprintf("%d of its %d moves leave squares on which %v, to move, has no piece", astray, listed, us)
	}
	return ""
}

// confirmTotal asks a program that prints totals only, and printed the total of the position before, for depth 2.
func (s *search) confirmTotal(before, t *table) error {
	answer, err := s.ask(engine.Path{Root: t.pos}, 2)
	if errors.Is(err, errNoQuestions) {
		return nil
	}
	if err != nil {
		return err
	}
	here, _ := perft.Count(t.pos, 2) // which does not overflow
	there, _ := perft.Count(before.pos, 2)
	if answer.Total == there && here != there {
		t.notTaken = "its counts are those of the position before, " + before.pos.FEN()
	}
	return nil
}
