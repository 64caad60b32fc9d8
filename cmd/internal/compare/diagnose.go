package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// diagnosis is the search for the mistake that reproduces every answer of the program.
type diagnosis struct {
	*search
	differences []Difference // to explain
	evidence    evidence
	askedKeys   map[string]bool
	pool        []possible   // the cheap questions first
	spent       atomic.Int64 // predicted leaves
	budget      int64
	only        func(Question) bool // these questions; nil: all
	costly      evidence            // that only the last hypothesis has to reproduce
	undecided   int                 // other hypotheses for which there was no time
	fresh       bool                // each question is for a new process
	byRows      bool                // a wrong answer may have two causes, in different rows
	about960    bool                // the program has been asked about Chess960
}

const (
	diagnosisQuestions = 400
	stateQuestions     = 3000
	mostRounds         = 60
	mostCompared       = 16   // hypotheses whose predictions are compared
	mostChosen         = 10   // questions of which the best distinguishes them
	mostTests          = 60   // fresh questions at which the survivor predicts a wrong answer
	deepLeaves         = 5000 // of a question to depth 3
	mostLeaves         = 500  // of a right answer that each hypothesis has to reproduce
	mostWrongLeaves    = 4000 // of a wrong one
	mostFitted         = 300  // right answers, and as many wrong ones, that each has to reproduce
	mostUndecided      = 3    // other hypotheses beside one that is told
	tooManyLeaves      = 1_000_000
	leavesPerSecond    = 8_000_000 // of predictions
	perPrediction      = 50        // what a prediction costs, in leaves
)

// askAbout asks a question for the first time, and adds the answer to the evidence.
func (d *diagnosis) askAbout(q Question) (a answer, ok bool) {
	q = d.asAsked(q)
	if d.askedKeys[q.key()] {
		return a, false
	}
	d.askedKeys[q.key()] = true
	if d.fresh {
		d.program.Close()
	}
	if q.earlier != nil {
		d.divideOnce(*q.earlier)
	}
	t := d.divideOnce(q)
	if errors.Is(d.err, client.ErrChess960) || errors.Is(d.err, client.ErrGarbage) || errors.Is(d.err, client.ErrEnded) {
		d.err = nil // other positions can be asked about
	}
	if ok = t.isEvidence(); ok {
		a = answerOf(q, t)
		d.evidence = append(d.evidence, a)
	}
	return a, ok
}

// explain returns the hypotheses about some parts that reproduce all answers and that no question
// distinguishes, the plainest first.
func (d *diagnosis) explain(known hypothesis, parts []faulty.Part) (standing []hypothesis) {
	d.spent.Store(0)
	isTested := false
	for range mostRounds {
		if len(standing) == 0 {
			isTested = false
			d.evidence.sort(known)
			if standing = d.fit(known, parts, d.evidence); len(standing) == 0 {
				return nil
			}
			d.fill()
		}
		d.undecided = len(standing) - 1
		if !d.canAsk() || d.spend(0) {
			break
		}
		compared := standing[:min(mostCompared, len(standing))]
		questions := d.disagreed(mostChosen, compared...)
		if len(questions) > 0 {
			kinds := func(a, b *possible) int { return a.kinds(compared) - b.kinds(compared) }
			questions = []*possible{slices.MaxFunc(questions, kinds)} // on which they disagree most
		} else {
			d.undecided = 0
			if a := d.refuting(d.costly, standing[0]); a != nil {
				d.evidence, d.costly = append(d.evidence, *a), d.costly[1:]
				standing = slices.DeleteFunc(standing, a.refutes)
				continue
			}
			if questions = d.tests(standing[0], known); isTested || len(questions) == 0 {
				break
			}
			isTested = true
		}
		for i := 0; i < len(questions) && len(standing) > 0; i++ {
			if a, ok := d.askAbout(questions[i].Question); ok {
				standing = slices.DeleteFunc(standing, a.refutes)
			}
		}
	}
	for len(standing) > 0 && d.refuting(d.costly, standing[0]) != nil {
		standing = standing[1:]
	}
	return standing
}

// spend reports whether the diagnosis must end. Work is limited and not time, so that a busy
// machine finds the same.
func (d *diagnosis) spend(leaves uint64) (isSpent bool) {
	return d.spent.Add(int64(leaves)) > d.budget || d.ctx.Err() != nil
}

// disagreed returns new questions about which hypotheses disagree, the first ones of the pool.
func (d *diagnosis) disagreed(most int, hypotheses ...hypothesis) (questions []*possible) {
	for i := range d.pool {
		p := &d.pool[i]
		if len(questions) == most || d.spend(perPrediction*uint64(len(hypotheses))) {
			break
		}
		differs := func(h hypothesis) bool { return p.print(h) != p.print(hypotheses[0]) }
		if !d.askedKeys[p.name] && slices.ContainsFunc(hypotheses, differs) {
			questions = append(questions, p)
		}
	}
	return questions
}

func (d *diagnosis) fill() {
	d.pool = nil
	questions := slices.Concat(d.evidence.variants(), knownQuestions())
	if d.fresh {
		questions = append(questions, knownPairs()...)
	}
	isIn := make(map[string]bool)
	for _, q := range questions {
		isAsked := (d.only == nil || d.only(q)) && (d.about960 || !q.Path.Root.IsChess960())
		if key := q.key(); isAsked && !isIn[key] {
			isIn[key] = true
			d.pool = append(d.pool, possible{q, key, make(map[string]string)})
		}
	}
}

// tests returns new questions about which a hypothesis and the known mistakes disagree.
func (d *diagnosis) tests(h, known hypothesis) (questions []*possible) {
	all := d.disagreed(len(d.pool), h, known)
	for i := 0; i < len(all) && len(questions) < mostTests; i += max(1, len(all)/mostTests) {
		questions = append(questions, all[i])
	}
	return questions
}

// Diagnose finds the mistakes that reproduce all answers of the program. It asks about more
// positions until it fails or has used up its patience. The error is ctx's.
func (c *Comparer) Diagnose(ctx context.Context, differences []Difference, patience time.Duration) ([]Finding, error) {
	options := Options{Questions: diagnosisQuestions, Patience: patience}
	s := &search{Comparer: c, limits: options, ctx: ctx, sumsOnly: true}
	d := &diagnosis{search: s, differences: differences, askedKeys: make(map[string]bool),
		budget:   int64(patience.Seconds() * leavesPerSecond),
		about960: slices.ContainsFunc(c.answers, func(a answer) bool { return a.Path.Root.IsChess960() })}
	d.program.Close() // earlier questions may have left something behind
	c.memory = memory{}
	if _, ok := d.ask(Question{Path: engine.Path{Root: fianchetto.StartPosition()}, Depth: 1}); !ok {
		return nil, ctx.Err()
	}
	var fitted [2]int // right and wrong answers
	evidence(c.answers).sort(nil)
	for _, a := range c.answers {
		if d.askedKeys[a.key()] {
			continue
		}
		d.askedKeys[a.key()] = true
		isCheap := a.truth.total <= mostLeaves || a.isWrong && (a.truth.total <= mostWrongLeaves || fitted[1] < 1)
		switch n := &fitted[oneIf(a.isWrong)]; {
		case isCheap && *n < mostFitted:
			*n++
			d.evidence = append(d.evidence, a)
		case a.truth.total <= tooManyLeaves:
			d.costly = append(d.costly, a)
		}
	}
	return d.findings(), ctx.Err()
}

// findings explains the answers by one mistake, or by two, or lists the facts.
func (d *diagnosis) findings() []Finding {
	if d.needsEarlier(&d.differences[0]) {
		return []Finding{d.explainState()}
	}
	all := d.parts(false)
	if finding, ok := d.byOne(nil, all); ok {
		return []Finding{finding}
	}
	makes := slices.DeleteFunc(slices.Clone(all), func(p faulty.Part) bool { return !p.Makes() })
	if finding, ok := d.byOne(hypothesis{{Part: faulty.CountsRight}}, makes); ok {
		finding.Sentence = "while it reads the moves after a FEN, " + finding.Sentence
		return []Finding{finding}
	}
	lists := slices.DeleteFunc(slices.Clone(all), func(p faulty.Part) bool { return !p.Lists() })
	if finding, ok := d.byOne(hypothesis{{Part: faulty.LeavesRight}}, lists); ok {
		finding.Sentence = "except on the last ply of a count, " + finding.Sentence
		return []Finding{finding}
	}
	switch isOfMoves := func(o Difference) bool { return o.Verdict.Rule != Divided && o.Verdict.Rule != Remembered }; {
	case d.ctx.Err() != nil:
		return nil
	case !slices.ContainsFunc(d.differences, isOfMoves):
		return []Finding{d.explainState()}
	}
	return d.explainParts(all)
}

// parts returns the parts that may be wrong, those of the state or the others.
func (d *diagnosis) parts(ofState bool) []faulty.Part {
	return slices.DeleteFunc(faulty.Parts(), func(p faulty.Part) bool {
		return p.OfState() != ofState || p.IsOfChess960() && !d.about960
	})
}

func (d *diagnosis) byOne(known hypothesis, parts []faulty.Part) (f Finding, ok bool) {
	standing := d.explain(known, parts)
	if len(standing) == 0 || !d.isProof() || d.undecided > mostUndecided {
		return f, false
	}
	return d.finding(standing, d.reproduces("this")), true
}

// byTwo explains some rows of the lists of moves by one mistake, and then all answers by a second
// one besides.
func (d *diagnosis) byTwo(parts []faulty.Part) []Finding {
	const most = 3
	lists := slices.DeleteFunc(slices.Clone(d.evidence), func(a answer) bool { return a.replies == nil || a.Depth > 1 })
	d.spent.Store(0)
	lists.sort(nil)
	d.byRows = true
	firsts := d.fit(nil, parts, lists)
	d.byRows = false
	for _, first := range firsts[:min(most, len(firsts))] {
		if standing := d.explain(first, parts); len(standing) > 0 && d.isProof() {
			return d.together(first, standing[0])
		}
	}
	return nil
}

// together describes a mistake and the last one of a hypothesis that reproduces the other answers.
func (d *diagnosis) together(first, both hypothesis) []Finding {
	text := d.reproduces("together with the other finding this")
	return []Finding{d.finding([]hypothesis{first}, text), d.finding([]hypothesis{{both.last()}}, text)}
}

func (d *diagnosis) explainParts(all []faulty.Part) []Finding {
	if findings := d.byTwo(all); findings != nil {
		return findings
	}
	first, n, wrong := d.largestPart(all)
	costlyRight := slices.DeleteFunc(slices.Clone(d.costly), func(a answer) bool { return a.isWrong })
	const worthwhile = 10
	switch {
	case first == nil || d.refuting(costlyRight, first) != nil || !d.isProof() || n < min(worthwhile, wrong),
		len(first[0].When) == 0 && first[0].Part == faulty.Refuses: // an engine without any move
		return []Finding{d.facts()}
	case n == wrong && d.refuting(d.costly, first) == nil:
		return []Finding{d.finding([]hypothesis{first}, d.reproduces("this"))}
	}
	if standing := d.explain(first, all); len(standing) > 0 && wrong-n >= worthwhile {
		return d.together(first, standing[0])
	}
	if 3*n < 2*wrong { // a part of the answers may have several causes
		return []Finding{d.facts()}
	}
	return []Finding{d.partial(first, n, wrong)}
}

func (d *diagnosis) needsEarlier(difference *Difference) bool {
	return !d.program.StartsAnew() && len(difference.Earlier) == 0 && !d.Reproduces(d.ctx, difference)
}

// explainState explains answers that are wrong only after earlier questions, or below right lists
// of moves. Each question is asked of a new process, so that no earlier one matters.
func (d *diagnosis) explainState() (finding Finding) {
	const most, enough, slowerAnew = 6, 4, 4
	smallest := d.differences[0]
	defer func() { finding.Smallest = smallest }()
	d.limits.Patience *= slowerAnew
	d.fresh, d.evidence, d.costly, d.askedKeys = true, nil, nil, make(map[string]bool)
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
	for _, kind := range kinds {
		d.only = kind
		d.fill()
		d.gather()
		for _, ofState := range []bool{false, true} {
			if d.only = kind; !ofState {
				d.only = func(q Question) bool { return q.earlier == nil || kind(q) } // these tests are sure
			}
			parts := d.parts(ofState)
			slices.Reverse(parts) // those without conditions take the least time
			if finding, ok := d.byOne(nil, parts); ok {
				return finding
			}
		}
		// A table that forgets counts repeats most of a key's mistakes, not all.
		if first, n, wrong := d.largestPart(d.parts(true)); n >= enough && 3*n >= 2*wrong && d.isProof() {
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
			wrong += oneIf(a.isWrong)
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

// Finding is a mistake that reproduces the answers of a program, or what is known without one.
type Finding struct {
	// Sentence is such as "underpromotions are not generated: this reproduces all 214 answers".
	Sentence string `json:"sentence"`
	// Smallest is an example, without the pieces that do not matter.
	Smallest Difference `json:"-"`
	// Suspects are the possibly wrong moves of a program that prints totals only, with their rules.
	Suspects []string `json:"suspects,omitempty"`
	// Answer is the program's divide of the smallest position.
	Answer string `json:"-"`
}

func (d *diagnosis) partial(h hypothesis, n, wrong int) Finding {
	text := fmt.Sprintf("this reproduces %d of %d wrong answers and all right ones; the others are not explained", n,
		wrong)
	return d.finding([]hypothesis{h}, text)
}

func (d *diagnosis) answers() int { return len(d.evidence) + len(d.costly) }

// isProof reports whether there are enough answers for a claim: many mistakes reproduce a few.
func (d *diagnosis) isProof() bool { return d.answers() >= 10 }

func (d *diagnosis) reproduces(subject string) string {
	text := fmt.Sprintf("%s reproduces all %s", subject, format.Plain(d.answers(), "answer"))
	if d.undecided > 0 {
		text += fmt.Sprintf(", as %s would", format.Plain(d.undecided, "other mistake"))
	}
	return text
}

// finding describes a mistake, and another one that no question distinguishes from it.
func (d *diagnosis) finding(standing []hypothesis, reproduces string) Finding {
	best := standing[0].last()
	sentence := best.Sentence()
	for _, h := range standing {
		other := h.last()
		isOther := other.Part != best.Part && !strings.HasPrefix(other.Sentence(), best.Sentence())
		if isOther && len(other.When) <= len(best.When)+oneIf(best.Part.Reads()) {
			sentence += ", or " + other.Sentence()
			break
		}
	}
	finding := Finding{Sentence: sentence + ": " + reproduces}
	for _, a := range d.evidence {
		if a.replies == nil && a.isWrong && a.Depth == 1+oneIf(standing[0].countsRight()) {
			finding.Smallest = d.differences[0]
			finding.Smallest.Path, finding.Smallest.Short = a.Path, a.Path
			finding.Suspects = standing[0].suspects(a.Path)
			return finding
		}
	}
	return d.illustrate(finding, d.shownBy(standing[0]))
}

func (h hypothesis) suspects(path engine.Path) (suspects []string) {
	process := faulty.New(h...)
	boards := [2]faulty.Board{process.Reach(path.Root, path.Moves...), faulty.NewBoard(path.Position())}
	for i := range boards {
		isIn := make(map[uint32]bool)
		for _, m := range boards[1-i].Moves() {
			isIn[moveKey(m)] = true
		}
		for _, m := range boards[i].Moves() {
			if !isIn[moveKey(m)] {
				proposal := divide.Proposal{From: m.From, To: m.To, Promotion: m.Promotion}
				suspects = append(suspects, fmt.Sprintf("%v: %v", proposal, Explain(path, proposal)))
			}
		}
	}
	slices.Sort(suspects)
	return suspects
}

func (d *diagnosis) facts() Finding {
	counts := make(map[string]int)
	var order []string
	for _, difference := range d.differences {
		if difference.sentence != "" {
			return Finding{Sentence: difference.sentence, Smallest: difference}
		}
		what := fmt.Sprintf("%s (%s)", difference.Kind, difference.Verdict.Rule)
		if difference.Verdict.Rule == OffBoard { // the rule does not name the piece
			pos, from := difference.Position(), bitboard.MustParseSquare(difference.Move[:2])
			what = fmt.Sprintf("%s by a %v (%s)", difference.Kind, pos.PieceAt(from).Type(), difference.Verdict.Rule)
		}
		if counts[what] == 0 {
			order = append(order, what)
		}
		counts[what] += 1 + len(difference.Alike)
	}
	sort.SliceStable(order, func(i, j int) bool { return counts[order[i]] > counts[order[j]] })
	var parts []string
	for _, what := range order[:min(3, len(order))] {
		parts = append(parts, fmt.Sprintf("%d %s", counts[what], what))
	}
	return d.illustrate(Finding{Sentence: "not explained: " + strings.Join(parts, ", ")}, d.differences)
}

// shownBy returns the differences that a hypothesis alone predicts, or all.
func (d *diagnosis) shownBy(h hypothesis) (shown []Difference) {
	for _, difference := range d.differences {
		a := answer{Question: difference.question()}
		if a.truth = (hypothesis{}).predict(&a); h.explains(&a) {
			shown = append(shown, difference)
		}
	}
	if len(shown) == 0 {
		return d.differences
	}
	return shown
}

func (d *diagnosis) illustrate(finding Finding, differences []Difference) Finding {
	finding.Smallest = slices.MinFunc(differences, func(a, b Difference) int {
		return cmp.Or(oneIf(a.Move == "")-oneIf(b.Move == ""), len(a.Short.Moves)-len(b.Short.Moves),
			a.Short.Root.Occupancy().Len()-b.Short.Root.Occupancy().Len())
	})
	if finding.Smallest.Move == "" {
		return finding
	}
	finding.Smallest = d.shrink(finding.Smallest)
	d.mayAsk(1)
	answer, _ := d.ask(finding.Smallest.question())
	for _, m := range answer.Moves {
		finding.Answer += fmt.Sprintf("%s: %d\n", m.Move, m.Nodes)
	}
	return finding
}
