package compare

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Question is a path and the depth to which the program counts at its end.
type Question struct {
	Path  engine.Path
	Depth int
}

// The number of earlier questions among which the cause of a wrong count is sought, and the time
// for that.
const (
	mostLogged     = 60
	mostSearching  = 2 * time.Second
	stateQuestions = 3000
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

// knownPairs are questions after an earlier one about a similar position: with the other side to
// move, without rights, without an en-passant square, or to another depth.
var knownPairs = sync.OnceValue(func() (pairs []possible) {
	const depth, most = 4, 3000
	for _, q := range knownQuestions() {
		if n, _ := perft.Count(q.Path.Position(), depth); q.Depth > 1 || n == 0 || n > most {
			continue
		}
		one := Question{q.Path, depth}
		others := []Question{{q.Path, depth - 1}}
		for _, change := range []func(*fianchetto.Setup){
			func(s *fianchetto.Setup) { s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare },
			func(s *fianchetto.Setup) { s.CastlingRooks = 0 },
			func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare },
		} {
			if pos, ok := changed(q.Path.Root, change); ok && pos != q.Path.Root {
				others = append(others, Question{engine.Path{Root: pos}, depth})
			}
		}
		if one, other, ok := aroundDoublePush(q.Path.Root); ok {
			pairs = append(pairs, newPossible(Question{one, depth}, &Question{other, depth}),
				newPossible(Question{other, depth}, &Question{one, depth}))
		}
		for _, other := range others {
			pairs = append(pairs, newPossible(one, &other), newPossible(other, &one))
		}
	}
	return pairs
})

// aroundDoublePush returns the position before the double push that an en-passant square shows, and
// one before another move to the same position without the square.
func aroundDoublePush(pos fianchetto.Position) (push, other engine.Path, ok bool) {
	ep := pos.EnPassant()
	if !ep.IsValid() {
		return push, other, false
	}
	from, to := ep+8, ep-8
	if pos.SideToMove() == fianchetto.Black {
		from, to = to, from
	}
	push.Root, ok = changed(pos, func(s *fianchetto.Setup) {
		s.Put(from, s.PieceAt(to))
		s.Remove(to)
		s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare
	})
	without, isPlayable := changed(pos, func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare })
	path, isReached := reach(without)
	other.Root = path.Root
	return push, other, ok && isPlayable && isReached
}

// explainState explains counts that are wrong although the lists of moves are right, by mistakes in
// unmaking moves or in remembering counts. Each question is asked of a new process, so that no
// earlier one matters.
func (d *diagnosis) explainState(differences []Difference) Finding {
	const most = 6
	smallest := differences[0]
	d.fresh, d.evidence, d.costly, d.asked = true, nil, nil, make(map[string]bool)
	for _, difference := range differences[:min(most, len(differences))] {
		d.evidence = append(d.evidence, answer{question: Question{difference.Short, max(1, difference.Depth)}})
	}
	if d.varies() {
		return Finding{Sentence: "one process gives different answers to the same question: look for a race, or for memory " +
			"that is read before it is written", Smallest: smallest}
	}
	d.mayAsk(stateQuestions)
	d.fill()
	pool := slices.Clone(d.pool)
	for _, kind := range []func(*possible) bool{
		func(p *possible) bool { return p.Depth == 2 },
		func(p *possible) bool { return p.Depth == 3 && p.earlier == nil },
		func(p *possible) bool { return p.earlier != nil },
	} {
		d.only = kind
		d.gather(slices.DeleteFunc(slices.Clone(pool), func(p possible) bool { return !kind(&p) }))
		for _, known := range []hypothesis{nil, {{Part: faulty.PathsRight}}} {
			if standing := d.explain(known, faulty.Parts(known == nil)); len(standing) > 0 && d.isProof() {
				finding := d.finding(standing, d.reproduces("this"), differences)
				finding.Smallest = smallest
				return finding
			}
		}
	}
	if smallest.Earlier != nil {
		return Finding{Sentence: "a count is wrong only after an earlier question: not explained; look at what is kept " +
			"between questions", Smallest: smallest}
	}
	return Finding{Sentence: fmt.Sprintf("counts are wrong from depth %d on although every list of moves is right: not "+
		"explained", smallest.Depth), Smallest: smallest}
}

// gather asks questions until enough answers are wrong.
func (d *diagnosis) gather(questions []possible) {
	const enough, wrongEnough, most = 40, 4, 320
	d.evidence = nil
	wrong := 0
	for i, p := range questions[:min(most, len(questions))] {
		if wrong >= wrongEnough && i > enough {
			return
		}
		if a, ok := d.askAbout(p.Question, p.earlier); ok {
			wrong += count(a.isWrong)
		}
	}
}

// varies reports whether one process answers a question in more than two ways. What it remembers of
// the first answer may change the second.
func (d *diagnosis) varies() bool {
	const times, fen = 12, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	d.program.Restart()
	answers := make(map[uint64]bool)
	for range times {
		d.mayAsk(1)
		if answer, ok := d.ask(engine.Path{Root: fianchetto.MustParseFEN(fen)}, 2); ok {
			answers[answer.Leaves()] = true
		}
	}
	return len(answers) > 2
}
