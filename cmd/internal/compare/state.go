package compare

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

// Question is a path and the depth to which the program counts at its end.
type Question struct {
	Path    engine.Path
	Depth   int
	earlier *Question // asked before in the same process, or nil
}

// after returns the question about the leaves below a move.
func (q Question) after(m fianchetto.Move) Question {
	return Question{Path: q.Path.Then(m), Depth: q.Depth - 1}
}

// key names a question.
func (q Question) key() string {
	key := fmt.Sprint(q.Path.Root.FEN(), " ", q.Path.UCI(), " ", q.Depth, q.Path.Root.IsChess960())
	if q.earlier != nil {
		key += q.earlier.key()
	}
	return key
}

const (
	mostLogged     = 100
	mostSearching  = 2 * time.Second
	stateQuestions = 3000
)

// isWrongAnew reports whether the last answer of a new process to some questions is wrong. These
// questions do not count towards the limit.
func (s *search) isWrongAnew(questions ...Question) (isWrong bool) {
	limit, err, exhausted := s.options.Questions, s.err, s.report.Exhausted
	s.program.Close()
	for _, q := range questions {
		s.mayAsk(1)
		t := s.divideOnce(q)
		isWrong = t != nil && t.differs()
	}
	s.options.Questions, s.err, s.report.Exhausted = limit+len(questions), err, exhausted
	return isWrong
}

// explainCount adds the difference of a wrong count below right lists of moves. It asks fresh
// processes which questions show it: q alone, the root alone, or q after an earlier question.
func (s *search) explainCount(q Question, r divide.Row) {
	if s.explained {
		return
	}
	s.explained = true
	d := wrong(WrongSum, q.Path, Divided, "at depth %d the count below %s is %d, not %d, but every list of moves asked "+
		"for is right", q.Depth, q.Path.Root.UCI(r.Move), r.Theirs, r.Ours)
	d.Depth = q.Depth
	switch {
	case s.isWrongAnew(q):
		for d.Depth > 2 && s.isWrongAnew(Question{Path: q.Path, Depth: d.Depth - 1}) {
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

// findEarlier finds a few earlier questions after which a fresh process shows a difference.
func (s *search) findEarlier(d *Difference) {
	log, began := slices.Clone(s.log), time.Now()
	pick := func(kept []int) (questions []Question) {
		for _, i := range kept {
			questions = append(questions, log[i])
		}
		return questions
	}
	kept := shrunk(len(log), func(kept []int) bool {
		return len(kept) > 0 && time.Since(began) < mostSearching && s.isWrongAnew(append(pick(kept), d.question())...)
	})
	if len(kept) < len(log) {
		d.Earlier = pick(kept)
	}
}

func (d *Difference) question() Question { return Question{Path: d.Short, Depth: max(1, d.Depth)} }

// Reproduces reports whether a fresh process shows a difference. If it takes earlier questions,
// Reproduces looks for them and sets d.Earlier.
func (c *Comparer) Reproduces(ctx context.Context, d *Difference) bool {
	s := &search{Comparer: c, options: c.options, ctx: ctx}
	if s.isWrongAnew(append(d.Earlier, d.question())...) {
		return true
	}
	if d.Earlier == nil {
		s.findEarlier(d)
	}
	return false
}

// needsEarlier reports whether a fresh process answers right.
func (d *diagnosis) needsEarlier(difference *Difference) bool {
	return !d.program.StartsAnew() && len(difference.Earlier) == 0 && !d.Reproduces(d.ctx, difference)
}

// explainState explains answers that are wrong only after earlier questions, or below right lists
// of moves. Each question is asked of a new process, so that no earlier one matters.
func (d *diagnosis) explainState() (finding Finding) {
	const most, enough = 6, 4
	smallest := d.differences[0]
	defer func() { finding.Smallest = smallest }()
	d.fresh, d.evidence, d.costly, d.asked = true, nil, nil, make(map[string]bool)
	for _, difference := range d.differences[:min(most, len(d.differences))] {
		d.evidence = append(d.evidence, answer{Question: difference.question()})
	}
	if d.varies() {
		return Finding{Sentence: "one process gives different answers to the same question: look " +
			"for a race, or for memory that is read before it is written"}
	}
	d.mayAsk(stateQuestions)
	kinds := []func(Question) bool{
		func(q Question) bool { return q.Depth == 2 },
		func(q Question) bool { return q.Depth == 3 && q.earlier == nil },
		func(q Question) bool { return q.earlier != nil },
	}
	isShallow := func(o Difference) bool { return o.Verdict.Rule == Divided && o.Depth <= 3 }
	if !slices.ContainsFunc(d.differences, isShallow) {
		kinds = kinds[2:] // single questions show nothing
	}
	parts := slices.Concat(faulty.Parts(false), faulty.Parts(true))
	slices.Reverse(parts) // those without conditions take the least time
	for _, kind := range kinds {
		d.only = kind
		d.fill()
		d.gather()
		if finding, ok := d.byOne(nil, parts); ok {
			return finding
		}
		// A table that forgets counts repeats most of a key's mistakes, not all.
		if first, n, wrong := d.largestPart(faulty.Parts(true)); n >= enough && 3*n >= 2*wrong && d.isProof() {
			return d.partial(first, n, wrong)
		}
	}
	text := fmt.Sprintf("counts are wrong from depth %d on although every list of moves is right: not explained",
		smallest.Depth)
	if smallest.Earlier != nil || smallest.Verdict.Rule != Divided {
		text = "an answer is wrong only after earlier questions: not explained; look at what is kept between questions"
	}
	return Finding{Sentence: text}
}

func (d *diagnosis) gather() {
	const enough, wrongEnough, most = 40, 4, 320
	d.evidence = nil
	wrong := 0
	for i, p := range d.pool[:min(most, len(d.pool))] {
		if wrong >= wrongEnough && i > enough {
			return
		}
		if a, ok := d.askAbout(p.Question); ok {
			wrong += count(a.isWrong)
		}
	}
}

// varies reports whether one process answers a question in more than two ways. Two are not enough,
// because the memory of the first answer may change the second.
func (d *diagnosis) varies() bool {
	const times, fen = 12, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	d.program.Close()
	answers := d.leaves(Question{Path: engine.Path{Root: fianchetto.MustParseFEN(fen)}, Depth: 2}, times, func() {})
	slices.Sort(answers)
	return len(slices.Compact(answers)) > 2
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
