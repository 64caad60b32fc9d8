// Package compare finds the positions in which another move generator is wrong, the missing and
// extra moves, and the rules that decide.
//
//	report, err := compare.New(program, compare.Options{}).Compare(ctx, engine.Path{Root: pos}, 4)
//	for _, d := range report.Differences {
//		fmt.Println(d.Kind, d.Move, d.Position().FEN(), d.Verdict)
//	}
//
// It counts depth by depth and follows a move with a wrong count down to the position whose list of
// moves differs. A move listed twice is a difference.
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
	"sync"
	"sync/atomic"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// The default limits of questions about one position.
const (
	DefaultQuestions = 100
	ScriptQuestions  = 15
)

// Options are the settings of a Comparer.
type Options struct {
	Questions int           // limit for a position; 0: the default
	Threads   int           // for our own counts; see perft.Options
	Patience  time.Duration // limit for the program's answers together; 0: none
}

// Comparer compares a program with the rules. If the program starts anew for each question, several
// goroutines may use it.
type Comparer struct {
	program engine.Program
	options Options
	located atomic.Int32 // failed positions that were searched
	memory               // of a program that does not start anew

	mutex   sync.Mutex
	answers []answer // the first ones that are evidence
}

// memory stores earlier questions and answers.
type memory struct {
	before *table     // the last answer to depth 1 in a position that the program took
	log    []Question // the last ones
}

const mostRecorded, mostLogged = 5000, 100

func (c *Comparer) record(q Question, t *table) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.answers) < mostRecorded {
		c.answers = append(c.answers, answerOf(c.asAsked(q), t))
	}
}

// asAsked returns the question that the program gets.
func (c *Comparer) asAsked(q Question) Question {
	if engine.IsAskedByFEN(c.program) {
		q.Path = engine.Path{Root: q.Path.Position()}
	}
	return q
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
	Differences []Difference // each rule once per kind, the nearest to the root first
	Questions   int
	Nodes       uint64        // the leaves that the program counted
	Elapsed     time.Duration // the time of its answers
	Exhausted   bool          // the limit of questions was reached
	Failed      *Failed       // the first question that fails, without a depth if it is unknown; or nil
}

// Compare compares the program's counts with ours at the end of a path, at every depth up to the
// given one, and follows each difference down to its move. If ctx ends, the report contains the
// differences found so far.
func (c *Comparer) Compare(ctx context.Context, path engine.Path, depth int) (Report, error) {
	s := &search{Comparer: c, limits: c.options, ctx: ctx, root: Question{Path: path, Depth: depth}}
	s.compare()
	if isFailure(s.err) && ctx.Err() == nil {
		s.locate()
	}
	if errors.Is(s.err, errNotTaken) {
		s.err = nil
	}
	if s.err == nil && len(s.report.Differences) == 0 && s.wrongTotal != nil {
		s.add(*s.wrongTotal) // the questions end before the cause is found
	}
	if s.err != nil && s.report.Failed == nil {
		s.report.Failed = &Failed{Question{Path: path}, s.err}
	}
	return s.report, s.err
}

var errNotTaken = errors.New("compare: the program counts in another position")

// search is the comparison of one position.
type search struct {
	*Comparer
	limits Options // that of questions grows
	ctx    context.Context
	root   Question

	wrongTotal *Difference // the first one

	sumsOnly  bool // a wrong total is not divided among the moves
	explained bool // explainCount has run
	asked     Question
	report    Report
	err       error // the first one ends the search
}

// compare follows each root move at the first depth with a wrong count. A call of a script takes
// long, so compare asks a script for the greatest depth first, and for no more if that is right.
func (s *search) compare() {
	path, most := s.root.Path, s.root.Depth
	if s.program.StartsAnew() {
		t := s.divideOnce(s.root)
		if failsFast := isFailure(s.err) && !errors.Is(s.err, engine.ErrSilent); failsFast && most > 1 {
			s.err = nil // a smaller depth may show why
		} else if t == nil || !t.differs() {
			return
		}
	}
	settled := make(map[fianchetto.Move]bool)
	for depth := 1; depth <= most; depth++ {
		before := len(s.report.Differences)
		q := Question{Path: path, Depth: depth}
		t := s.divide(q)
		if t == nil {
			return
		}
		if depth == 1 {
			s.note(differencesIn(path, t))
		}
		for _, r := range t.Differing() {
			if s.err == nil && !settled[r.Move] {
				settled[r.Move] = true
				s.follow(q, r)
			}
		}
		if s.err != nil || s.report.Exhausted {
			return
		}
		if t.Sum != t.Total && len(s.report.Differences) == before {
			s.addSum(q, t)
		}
	}
	if most > 1 && len(s.report.Differences) == 0 {
		s.compareSpecial(path)
	}
}

// compareSpecial compares the lists after special moves, and after rook moves that are written as
// castling is, because counts do not show whether the program reads them well.
func (s *search) compareSpecial(path engine.Path) {
	pos := path.Position()
	for m := range pos.LegalMoves() {
		kinds := []fianchetto.MoveKind{fianchetto.DoublePush, fianchetto.EnPassant, fianchetto.Castling}
		isRook := m.Piece() == fianchetto.Rook && slices.Contains(strings.Fields("e1g1 e1c1 e8g8 e8c8"), pos.UCI(m))
		if m.Promotion() != fianchetto.NoPieceType || slices.Contains(kinds, m.Kind()) || isRook {
			q := Question{Path: path.Then(m), Depth: 1}
			if t := s.divide(q); t != nil {
				s.note(differencesIn(q.Path, t))
			}
		}
	}
}

// follow goes down from a question with a wrong count to a position whose list of moves differs.
func (s *search) follow(above Question, r divide.Row) {
	if q := above.after(r.Move); q.Depth > 0 { // else a move is listed with another count than 1
		t := s.divide(q)
		if t == nil {
			return
		}
		if here := differencesIn(q.Path, t); len(here) > 0 {
			s.note(here)
			return
		}
		switch differing := t.Differing(); {
		case len(differing) > 0:
			s.follow(q, differing[0])
			return
		case t.Sum != t.Total:
			s.addSum(q, t)
			return
		}
	}
	s.explainCount(above, r)
}

func (s *search) addSum(q Question, t *table) {
	perhaps := ""
	switch {
	case len(t.Moves) > 0: // its lists are right
	case t.Sum < t.Total:
		perhaps = ": perhaps it makes an illegal move, or one twice"
	default:
		perhaps = ": perhaps it does not make a move"
	}
	d := wrong(WrongSum, q.Path, Sum, "at depth %d the counts below the moves add up to %d, the total is %d%s", q.Depth,
		t.Sum, t.Total, perhaps)
	d.Depth = q.Depth
	s.add(d)
}

// note adds differences, and finds out for each new kind and rule whether making a move is the cause.
func (s *search) note(found []Difference) {
	for _, d := range found {
		if s.err != nil {
			return
		}
		added := s.add(d)
		if added == nil {
			continue
		}
		added.Short = s.shorten(&d)
		s.reachAnew(added)
		if d.Kind == NotTaken {
			s.checkClocks(added)
			s.err = cmp.Or(s.err, errNotTaken)
		}
	}
}

// add adds a difference to the report. It returns nil if there is one of the same kind and rule.
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

func (s *search) ask(q Question) (answer divide.Divide, ok bool) {
	if !s.canAsk() {
		s.report.Exhausted = s.report.Exhausted || s.err == nil
		return answer, false
	}
	s.report.Questions++
	s.asked = q
	if !s.program.StartsAnew() {
		s.log = append(s.log, q)
		s.log = s.log[max(0, len(s.log)-mostLogged):]
	}
	began := time.Now()
	answer, s.err = s.program.Divide(s.ctx, q.Path, q.Depth)
	s.report.Elapsed += time.Since(began)
	s.report.Nodes += answer.Leaves()
	return answer, s.err == nil
}

func (s *search) leaves(q Question, times int, prepare func()) (counts []uint64) {
	for range times {
		prepare()
		s.mayAsk(1)
		if answer, ok := s.ask(q); ok {
			counts = append(counts, answer.Leaves())
		}
	}
	return counts
}

func (s *search) canAsk() bool {
	return s.err == nil && s.report.Questions < s.limits.Questions && s.report.Elapsed < s.limits.Patience
}

func (s *search) mayAsk(questions int) {
	s.limits.Questions, s.err = s.report.Questions+questions, nil
}

// divide confirms a difference by asking again. It returns nil if there is no evidence: an answer
// is doubtful, or the second one differs.
func (s *search) divide(q Question) *table {
	t := s.divideOnce(q)
	if t == nil || !t.differs() {
		return t
	}
	if s.err = t.doubt(); s.err != nil {
		return nil
	}
	again, ok := s.ask(q)
	if ok && !t.Equal(&again) {
		s.err = fmt.Errorf("%w: %s at depth %d is %d leaves below %d moves, then %d below %d; fresh processes answer %d: "+
			"if these are equal, the answer depends on earlier questions, otherwise on chance", ErrUnsteady,
			q.Path.Root.FEN(), q.Depth, t.Leaves(), len(t.Moves), again.Leaves(), len(again.Moves),
			s.leaves(q, 2, s.program.Close))
	}
	if !ok || s.err != nil {
		return nil
	}
	return t
}

func (s *search) divideOnce(q Question) (t *table) {
	answer, ok := s.ask(q)
	if !ok {
		return nil
	}
	pos := q.Path.Position()
	ours, err := perft.Run(s.ctx, pos, q.Depth, perft.Options{Threads: s.limits.Threads})
	switch {
	case err != nil:
		s.err = err
	case len(answer.Moves) == 0 && answer.Total > 0:
		t = s.divideByTotals(q, ours, answer)
	default:
		matched, err := divide.Match(&pos, q.Depth, ours.Moves, answer)
		if t = (&table{Table: matched}); err != nil {
			s.err = unreadable(err.Error(), &answer)
		}
	}
	if s.err == nil && s.wrongTotal == nil && answer.Leaves() != ours.Nodes {
		d := wrong(WrongSum, q.Path, Total, "the total at depth %d is %d, not %d", q.Depth, answer.Leaves(), ours.Nodes)
		d.Depth = q.Depth
		s.wrongTotal = &d
	}
	if t != nil && s.err == nil {
		s.checkTaken(q.Depth, t)
	}
	if s.err != nil {
		return nil
	}
	if t.isEvidence() {
		s.record(q, t)
	}
	return t
}

const ErrUnsteady fianchetto.Problem = "the engine gave two different answers to the same question, so neither is " +
	"evidence"

// doubt returns why a wrong answer is no evidence.
func (t *table) doubt() error {
	answer := &t.Divide
	switch {
	case len(answer.Unread) > 0:
		return unreadable("some lines look like moves", answer)
	case answer.CutOff:
		return unreadable("it ends without the total, as if it were cut off", answer)
	case t.Sum != t.Total && t.Differs() && len(answer.Moves) > 0:
		return unreadable(fmt.Sprintf("the counts below its %d moves add up to %d, the total is %d", len(answer.Moves),
			t.Sum, t.Total), answer)
	}
	return nil
}

func unreadable(why string, answer *divide.Divide) error {
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
	return fmt.Errorf("%w: %s; --line-pattern and --total-pattern read other layouts", client.ErrGarbage, why)
}

// table is a divide with conclusions from other answers.
type table struct {
	*divide.Table

	unnamed  int    // extra moves, or if negative missing ones, of a program that prints totals only
	notTaken string // why the answer belongs to another position, or ""
}

// isEvidence reports whether hypotheses may be tested by the answer.
func (t *table) isEvidence() bool { return t != nil && len(t.Beyond) == 0 && t.doubt() == nil }

func (t *table) differs() bool {
	return t.Sum != t.Total || t.unnamed != 0 || t.notTaken != "" || t.Differs()
}

func (s *search) divideByTotals(q Question, ours perft.Result, answer divide.Divide) *table {
	total := answer.Total
	t := &table{Table: &divide.Table{Divide: answer, Position: q.Path.Position(), Sum: total, Total: total}}
	for _, count := range ours.Moves {
		t.Rows = append(t.Rows, divide.Row{Move: count.Move, Ours: count.Nodes, Theirs: count.Nodes, Listed: true})
	}
	if total == ours.Nodes {
		return t
	}
	if q.Depth == 1 || s.sumsOnly {
		t.unnamed = int(min(total, math.MaxInt)) - int(ours.Nodes)
		return t
	}
	t.Sum = 0
	for i := range t.Rows {
		answer, ok := s.ask(q.after(t.Rows[i].Move))
		if !ok {
			return nil
		}
		t.Rows[i].Theirs = answer.Total
		t.Sum += answer.Total
	}
	return t
}

func (s *search) checkTaken(depth int, t *table) {
	switch before := s.before; {
	case len(t.Moves) > 0:
		t.notTaken = t.foreign(before)
	case depth == 1 && t.unnamed != 0 && before != nil && before.Total == t.Total && before.Position != t.Position &&
		s.canAsk():
		answer, ok := s.ask(Question{Path: engine.Path{Root: t.Position}, Depth: 2}) // one total may be the same by chance
		here, _ := perft.Count(t.Position, 2)                                        // which does not overflow
		there, _ := perft.Count(before.Position, 2)
		if ok && answer.Total == there && here != there {
			t.notTaken = "its counts are those of the position before, " + before.Position.FEN()
		}
	}
	if depth == 1 && t.notTaken == "" && !s.program.StartsAnew() { // else the program is still in the position before
		s.before = t
	}
}

// foreign explains why a list of moves belongs to another position, or returns "". Less than half
// of the list and of the legal moves must be in both, and either the position before has the same
// list, which is right there, or most moves start on squares without a piece of the side to move.
func (t *table) foreign(before *table) string {
	const minMoves = 3 // of shorter lists, a mistake of the generator may change most moves
	agreed, listed := len(t.Rows)-len(t.Missing()), len(t.Moves)
	if 2*agreed >= listed || len(t.Rows) > 0 && 2*agreed >= len(t.Rows) || listed < minMoves {
		return ""
	}
	if before != nil && before.Position != t.Position && !before.Differs() && t.Equal(&before.Divide) {
		return "its moves are those of the position before, " + before.Position.FEN()
	}
	us, astray := t.Position.SideToMove(), 0
	for _, m := range t.Extra {
		astray += oneIf(!t.Position.ByColor(us).Has(m.From))
	}
	if 2*astray > listed {
		return fmt.Sprintf("%d of its %d moves leave squares on which %v, to move, has no piece", astray, listed, us)
	}
	return ""
}
