package compare

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

// Question is a path and the depth to which the program counts at its end.
type Question struct {
	Path  engine.Path
	Depth int
}

// The number of earlier questions among which the cause of a wrong count is sought, and the time
// for that.
const (
	mostLogged    = 60
	mostSearching = 2 * time.Second
)

// isWrongAnew restarts the program, asks some questions, and reports whether the last answer is
// wrong. These questions do not count towards the limit.
func (s *search) isWrongAnew(questions ...Question) (isWrong bool) {
	limit, err, exhausted := s.options.Questions, s.err, s.report.Exhausted
	s.program.Restart()
	for _, q := range questions {
		s.mayAsk(1)
		t := s.divideOnce(q.Path, q.Depth)
		isWrong = t != nil && t.differs()
	}
	s.options.Questions, s.err, s.report.Exhausted = limit+len(questions), err, exhausted
	return isWrong
}

// explainCount adds the difference of a count that is wrong although every list of moves is right.
// It asks fresh processes which questions show it: q alone, the root alone, or q after an earlier
// question.
func (s *search) explainCount(q Question, r divide.Row) {
	if s.explained {
		return
	}
	s.explained = true
	d := wrong(WrongSum, q.Path, Divided, "at depth %d the count below %s is %d, not %d, but every list of moves asked for is right",
		q.Depth, q.Path.Root.UCI(r.Move), r.Theirs, r.Ours)
	d.Depth = q.Depth
	switch {
	case s.isWrongAnew(q):
		for d.Depth > 2 && s.isWrongAnew(Question{q.Path, d.Depth - 1}) {
			d.Depth--
		}
	case s.isWrongAnew(s.root):
		d.Path, d.Short, d.Depth = s.root.Path, s.root.Path, s.root.Depth
	default:
		d.Verdict.Rule = Remembered
		s.findEarlier(&d)
	}
	s.add(d)
}

// findEarlier finds the question after which a fresh process shows a difference.
func (s *search) findEarlier(d *Difference) {
	target := Question{d.Short, d.Depth}
	began := time.Now()
	for _, earlier := range slices.Backward(s.log) {
		if time.Since(began) > mostSearching {
			return
		}
		if s.isWrongAnew(earlier, target) {
			d.Earlier = &earlier
			return
		}
	}
}

// Reproduces reports whether a fresh process shows a difference. If it takes an earlier question,
// Reproduces looks for it and sets d.Earlier.
func (c *Comparer) Reproduces(ctx context.Context, d *Difference) bool {
	s := &search{Comparer: c, options: c.options, ctx: ctx}
	q := Question{d.Short, max(1, d.Depth)}
	if d.Earlier != nil {
		return s.isWrongAnew(*d.Earlier, q)
	}
	isWrong := s.isWrongAnew(q)
	if !isWrong {
		s.findEarlier(d)
	}
	return isWrong
}

// explainState explains counts that are wrong although the lists of moves are right, by mistakes in
// unmaking moves or in remembering counts. Each question is asked of a new process, so that no
// earlier one matters.
func (d *diagnosis) explainState(differences []Difference) Finding {
	const most = 6
	order := d.evidence.order()
	d.fresh, d.evidence, d.asked = true, nil, make(map[string]bool)
	d.mayAsk(diagnosisQuestions)
	var changing *Question
	for _, difference := range differences[:min(most, len(differences))] {
		q := Question{difference.Short, max(1, difference.Depth)}
		d.askAbout(q)
		if difference.Verdict.Rule == Remembered && d.changes(q) {
			changing = &q
		}
	}
	smallest := differences[0]
	switch {
	case changing != nil:
		return Finding{Sentence: "new processes answer the same question differently: look for a race, or for memory " +
			"that is read before it is written", Smallest: smallest}
	case smallest.Earlier != nil:
		return Finding{Sentence: "a count is wrong only after an earlier question: not explained; look at what is kept " +
			"between questions", Smallest: smallest}
	}
	ordered := faulty.Mistake{Part: faulty.Ordered, When: []faulty.Condition{{Value: order}}}
	for _, known := range []hypothesis{{ordered}, {ordered, {Part: faulty.TestsByMaking}}, {{Part: faulty.PathsRight}}} {
		d.parts = faulty.Parts(known[0].Part == faulty.Ordered)
		d.deadline = time.Now().Add(d.options.Patience / 3)
		if standing := d.explain(known); len(standing) > 0 && d.isProof() {
			finding := d.finding(standing, d.reproduces("this"), differences)
			finding.Smallest = smallest
			return finding
		}
	}
	return Finding{Sentence: fmt.Sprintf("counts are wrong from depth %d on although every list of moves is right: not "+
		"explained", smallest.Depth), Smallest: smallest}
}

// changes reports whether new processes answer a question differently.
func (d *diagnosis) changes(q Question) bool {
	const times = 4
	isWrong := 0
	for range times {
		isWrong += count(d.isWrongAnew(q))
	}
	return isWrong%times != 0
}

// order returns the order in which the program lists its moves, as far as it is a usual one.
func (e evidence) order() (best uint8) {
	const enough = 60
	votes := make([]int, faulty.Orders)
	n := 0
	for _, a := range e {
		if a.isWrong || a.order == nil || n == enough {
			continue
		}
		n++
		for order := range votes {
			b := (hypothesis{}).board(a.question.Path)
			moves := b.Moves()
			b.Sort(moves, uint8(order))
			votes[order] += count(slices.EqualFunc(moves, a.order, func(m faulty.Move, key uint32) bool {
				return moveKey(m) == key
			}))
		}
	}
	for order := range votes {
		if votes[order] > votes[best] {
			best = uint8(order)
		}
	}
	return best
}
