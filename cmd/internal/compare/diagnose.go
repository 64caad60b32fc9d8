package compare

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// diagnosis is the search for the mistake that reproduces every answer of the program.
type diagnosis struct {
	*search
	evidence  evidence
	asked     map[string]bool
	pool      []possible   // questions, the cheap ones first
	spent     atomic.Int64 // predicted leaves
	budget    int64
	costly    evidence             // answers that only the last hypothesis has to reproduce
	undecided int                  // the number of other hypotheses for which there was no time
	fresh     bool                 // each question is for a new process
	only      func(*possible) bool // the questions to ask; nil for all
}

// The limits of a diagnosis.
const (
	diagnosisQuestions = 400
	mostRounds         = 60
	mostCompared       = 16   // hypotheses whose predictions are compared
	mostTests          = 60   // fresh questions at which the survivor predicts a wrong answer
	deepLeaves         = 5000 // of a question to depth 3
	mostLeaves         = 500  // of a right answer that each hypothesis has to reproduce
	mostWrongLeaves    = 4000 // of a wrong one
	mostFitted         = 300  // right answers, and as many wrong ones, that each has to reproduce
	tooManyLeaves      = 1_000_000
	leavesPerSecond    = 5_000_000 // of predictions; a prediction costs as much as some more
	perPrediction      = 50
)

// knownQuestions are about the positions of the suites.
var knownQuestions = sync.OnceValue(func() (questions []Question) {
	var paths []engine.Path
	for _, fen := range suites.FENs("traps", "state", "traps960", "random") {
		paths = append(paths, engine.Path{Root: fianchetto.MustParseFEN(fen)})
	}
	for _, fen := range []string{"k7/p7/P7/8/8/8/8/R3K2R w KQ - 0 1", "7k/8/8/p7/P7/8/8/R3K2R b KQ - 0 1"} { // both rooks
		pos := fianchetto.MustParseFEN(fen)
		paths = append(paths, engine.Path{Root: pos}, engine.Path{Root: pos.FlipColors()})
	}
	return questionsAbout(paths)
})

// questionsAbout returns questions to depth 1 about some positions, then to depth 2 and 3 about
// those with few moves.
func questionsAbout(paths []engine.Path) (questions []Question) {
	for depth, most := range []uint64{1: mostLeaves, 2: 2 * mostLeaves, 3: deepLeaves} {
		for _, path := range paths {
			if n, _ := perft.Count(path.Position(), depth); n < most {
				questions = append(questions, Question{path, depth})
			}
		}
	}
	return questions
}

// variants returns questions about positions like those of the wrong answers: with exchanged
// colours, without a piece, with another in its place, and with a piece on the next file.
func (e evidence) variants() []Question {
	const most, deep = 12, 3
	var likely, others []engine.Path
	for i, a := range e[:min(most, len(e))] {
		pos := a.question.Path.Root
		for _, pos := range []fianchetto.Position{pos, pos.FlipColors()} {
			likely = append(likely, engine.Path{Root: pos})
			for s := range pos.Occupancy().Squares() {
				piece := pos.PieceAt(s)
				for change := fianchetto.NoPieceType; change <= fianchetto.King+1; change++ {
					other, ok := changed(pos, func(setup *fianchetto.Setup) {
						to := s
						switch clearSquares(setup, s.Bitboard()); {
						case change >= fianchetto.King:
							to += 2*fianchetto.Square(change-fianchetto.King) - 1 // the next file
						case change != fianchetto.NoPieceType && piece.Type() != fianchetto.King:
							piece = bitboard.PieceOf(piece.Color(), change)
						}
						if change != fianchetto.NoPieceType && to.IsValid() && setup.PieceAt(to) == fianchetto.NoPiece {
							setup.Put(to, piece)
						}
					})
					switch {
					case !ok || other == pos:
					case i < deep:
						likely = append(likely, engine.Path{Root: other})
					default:
						others = append(others, engine.Path{Root: other})
					}
				}
			}
		}
	}
	questions := questionsAbout(likely)
	for _, path := range others {
		questions = append(questions, Question{path, 1})
	}
	return questions
}

// askAbout asks a question, perhaps after an earlier one, and adds the answer to the evidence. It is
// not ok without an answer.
func (d *diagnosis) askAbout(q Question, earlier *Question) (a answer, ok bool) {
	d.asked[q.key(earlier)] = true
	if d.fresh {
		d.program.Restart()
	}
	if earlier != nil {
		d.divideOnce(earlier.Path, earlier.Depth)
	}
	before := len(d.record.answers)
	d.divideOnce(q.Path, q.Depth)
	if errors.Is(d.err, client.ErrChess960) || errors.Is(d.err, client.ErrGarbage) {
		d.err = nil // other positions can be asked about
		return a, false
	}
	if len(d.record.answers) == before || d.err != nil {
		return a, false
	}
	a = d.record.answers[len(d.record.answers)-1]
	a.earlier = earlier
	d.evidence = append(d.evidence, a)
	return a, true
}

// explain returns the hypotheses about some parts that reproduce all answers and that no question
// distinguishes, the plainest first.
func (d *diagnosis) explain(known hypothesis, parts []faulty.Part) (standing []hypothesis) {
	d.spent.Store(0)
	isTested := false
	for range mostRounds {
		if len(standing) == 0 {
			isTested = false
			d.evidence = d.evidence.sorted(known)
			if standing = d.evidence.fit(known, parts, d.spend); len(standing) == 0 {
				return nil
			}
			d.fill()
		}
		d.undecided = len(standing) - 1
		if !d.canAsk() || d.isLate() {
			break
		}
		questions := d.distinguish(standing)
		if len(questions) == 0 {
			d.undecided = 0
			if i := d.costly.refuting(standing[0], d.spend); i >= 0 {
				a := d.costly[i]
				d.evidence = append(d.evidence, a)
				standing = slices.DeleteFunc(standing, a.refutes)
				continue
			}
			if questions = d.tests(standing[0]); isTested || len(questions) == 0 {
				break
			}
			isTested = true
		}
		for _, p := range questions {
			a, ok := d.askAbout(p.Question, p.earlier)
			if !ok {
				continue
			}
			standing = slices.DeleteFunc(standing, a.refutes)
			if len(standing) == 0 {
				break
			}
		}
	}
	for len(standing) > 0 && d.costly.refuting(standing[0], d.spend) >= 0 {
		standing = standing[1:]
	}
	return standing
}

// spend adds predicted leaves to those that are spent, and reports whether the diagnosis must end.
// Work is limited and not time, so that a busy machine finds the same.
func (d *diagnosis) spend(leaves uint64) (isSpent bool) {
	return d.spent.Add(int64(leaves)) > d.budget || d.ctx.Err() != nil
}

func (d *diagnosis) isLate() bool { return d.spend(0) }

// distinguish returns the question about which the hypotheses disagree most, or none.
func (d *diagnosis) distinguish(standing []hypothesis) []*possible {
	const tried = 100 // questions after one that distinguishes
	standing = standing[:min(mostCompared, len(standing))]
	best, most := -1, 1
	for i := range d.pool {
		if most > 1 && i > best+tried || 2*most > len(standing) && most > 1 || d.isLate() {
			break
		}
		p := &d.pool[i]
		if d.asked[p.key] {
			continue
		}
		different := make(map[uint64]bool)
		for _, h := range standing {
			d.spend(perPrediction)
			different[p.print(h)] = true
		}
		if len(different) > most {
			best, most = i, len(different)
		}
	}
	if best < 0 {
		return nil
	}
	return []*possible{&d.pool[best]}
}

// possible is a question of the pool, perhaps after an earlier one, with the predictions about it.
type possible struct {
	Question
	earlier *Question
	key     string
	prints  map[string]uint64
}

func newPossible(q Question, earlier *Question) possible {
	return possible{q, earlier, q.key(earlier), make(map[string]uint64)}
}

// fill makes the pool of questions about positions like those of the wrong answers and about the
// known ones.
func (d *diagnosis) fill() {
	d.pool = d.pool[:0]
	for _, q := range slices.Concat(d.evidence.variants(), knownQuestions()) {
		if (d.program.PlaysChess960() || !q.Path.Root.IsChess960()) && !(d.fresh && q.Depth == 1) {
			d.pool = append(d.pool, newPossible(q, nil))
		}
	}
	if d.fresh {
		d.pool = append(d.pool, knownPairs()...)
	}
	d.pool = slices.DeleteFunc(d.pool, func(p possible) bool { return d.only != nil && !d.only(&p) })
}

// print returns the fingerprint of a prediction.
func (p *possible) print(h hypothesis) uint64 {
	name := fmt.Sprint(h)
	print, isKnown := p.prints[name]
	if !isKnown {
		digest := fnv.New64a()
		predicted := h.predict(&answer{question: p.Question, earlier: p.earlier})
		for _, r := range append(predicted.replies, reply{0, predicted.total}) {
			digest.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, r.move), r.nodes))
		}
		print = digest.Sum64()
		p.prints[name] = print
	}
	return print
}

// tests returns new questions of all kinds, at which a hypothesis predicts a wrong answer.
func (d *diagnosis) tests(h hypothesis) (questions []*possible) {
	for i := range d.pool {
		if d.spend(2 * perPrediction) {
			break
		}
		if p := &d.pool[i]; !d.asked[p.key] && p.print(h) != p.print(nil) {
			questions = append(questions, p)
		}
	}
	step := max(1, len(questions)/mostTests)
	for i := range questions[:len(questions)/step] {
		questions[i] = questions[i*step]
	}
	return questions[:min(mostTests, len(questions)/step)]
}

// Finding is a mistake that reproduces the answers of a program, or what is known without one.
type Finding struct {
	// Sentence describes it: "underpromotions are not generated: this reproduces all 214 answers".
	Sentence string `json:"sentence"`
	// Smallest is an example, without the pieces that do not matter.
	Smallest Difference `json:"-"`
	// Suspects are the possibly wrong moves of the example, with their rules, if the program prints
	// totals only.
	Suspects []string `json:"suspects,omitempty"`
	// Answer is the program's divide of the smallest position.
	Answer string `json:"-"`
}

// Diagnose finds the mistakes that reproduce all answers of the program. It asks about more
// positions until it fails or has used up its patience. The error is ctx's.
func (c *Comparer) Diagnose(ctx context.Context, differences []Difference, patience time.Duration) ([]Finding, error) {
	options := Options{Questions: diagnosisQuestions, Patience: patience}
	s := &search{Comparer: c.Fork(), options: options, ctx: ctx}
	d := &diagnosis{search: s, asked: make(map[string]bool), budget: int64(patience.Seconds() * leavesPerSecond)}
	d.program.Restart() // earlier questions may have left something behind
	if _, ok := d.ask(engine.Path{Root: fianchetto.StartPosition()}, 1); !ok {
		return nil, ctx.Err()
	}
	var fitted [2]int // right and wrong answers
	for _, a := range evidence(d.record.answers).sorted(nil) {
		d.asked[a.question.key(nil)] = true
		isCheap := a.cost <= mostLeaves || a.isWrong && (a.cost <= mostWrongLeaves || fitted[1] < 1)
		switch n := &fitted[count(a.isWrong)]; {
		case isCheap && *n < mostFitted:
			*n++
			d.evidence = append(d.evidence, a)
		case a.cost <= tooManyLeaves:
			d.costly = append(d.costly, a)
		}
	}
	d.record = new(record) // it has room for the answers to come
	return d.findings(differences), ctx.Err()
}

// findings explains the answers by one mistake, or by two, or lists the facts.
func (d *diagnosis) findings(differences []Difference) []Finding {
	if d.needsEarlier(&differences[0]) {
		return []Finding{d.explainState(differences)}
	}
	all := faulty.Parts(false)
	makes := slices.DeleteFunc(slices.Clone(all), func(p faulty.Part) bool { return !p.Makes() })
	for _, attempt := range []struct {
		known  hypothesis
		parts  []faulty.Part
		prefix string
	}{{nil, all, ""}, {hypothesis{{Part: faulty.CountsRight}}, makes, "while it reads the moves after a FEN, "}} {
		if standing := d.explain(attempt.known, attempt.parts); len(standing) > 0 && d.isProof() {
			finding := d.finding(standing, d.reproduces("this"), differences)
			finding.Sentence = attempt.prefix + finding.Sentence
			return []Finding{finding}
		}
	}
	switch isOfMoves := func(o Difference) bool { return o.Verdict.Rule != Divided && o.Verdict.Rule != Remembered }; {
	case d.ctx.Err() != nil:
		return nil
	case !slices.ContainsFunc(differences, isOfMoves):
		return []Finding{d.explainState(differences)}
	}
	return d.explainParts(differences, all)
}

// explainParts explains the largest part of the answers by one mistake, and the rest by another.
func (d *diagnosis) explainParts(differences []Difference, all []faulty.Part) []Finding {
	first, n, wrong := d.largestPart(all)
	const worthwhile = 10
	switch {
	case first == nil || d.costly.refuting(first, d.spend) >= 0 || !d.isProof() || n < min(worthwhile, wrong),
		len(first[0].When) == 0 && first[0].Part == faulty.Refuses: // an engine without any move
		return []Finding{d.facts(differences)}
	case n == wrong:
		return []Finding{d.finding([]hypothesis{first}, d.reproduces("this"), differences)}
	}
	if standing := d.explain(first, all); len(standing) > 0 && wrong-n >= worthwhile {
		second := hypothesis{standing[0].last()}
		both := d.reproduces("together with the other finding this")
		return []Finding{d.finding([]hypothesis{first}, both, d.shownBy(first, differences)),
			d.finding([]hypothesis{second}, both, d.shownBy(second, differences))}
	}
	if 3*n < 2*wrong { // a part of the answers may have several causes
		return []Finding{d.facts(differences)}
	}
	return []Finding{d.partial(first, n, wrong, d.shownBy(first, differences))}
}

// largestPart returns the mistake that reproduces the most wrong answers and all right ones, the
// number of these answers, and the number of all wrong ones.
func (d *diagnosis) largestPart(parts []faulty.Part) (first hypothesis, n, wrong int) {
	d.spent.Store(0)
	for _, a := range d.evidence {
		wrong += count(a.isWrong)
	}
	first, n = d.evidence.largestPart(parts, d.spend)
	return first, n, wrong
}

// partial describes a mistake that reproduces n wrong answers.
func (d *diagnosis) partial(h hypothesis, n, wrong int, differences []Difference) Finding {
	text := fmt.Sprintf("this reproduces %d of %d wrong answers and all right ones; the others are not explained", n, wrong)
	return d.finding([]hypothesis{h}, text, differences)
}

// answers returns the number of different answers.
func (d *diagnosis) answers() int { return len(d.evidence.sorted(nil)) + len(d.costly.sorted(nil)) }

// isProof reports whether there are enough answers for a claim: many mistakes reproduce a few.
func (d *diagnosis) isProof() bool { return d.answers() >= 10 }

// reproduces ends the sentence of a finding.
func (d *diagnosis) reproduces(subject string) string {
	text := fmt.Sprintf("%s reproduces all %s", subject, format.Plain(d.answers(), "answer"))
	if d.undecided > 0 {
		text += fmt.Sprintf(", as %s would", format.Plain(d.undecided, "other mistake"))
	}
	return text
}

// finding describes a mistake, and another one that no question distinguishes from it.
func (d *diagnosis) finding(standing []hypothesis, reproduces string, differences []Difference) Finding {
	best := standing[0].last()
	sentence := best.Sentence()
	for _, h := range standing {
		other := h.last()
		isOther := other.Part != best.Part && !strings.HasPrefix(other.Sentence(), best.Sentence())
		if isOther && len(other.When) == len(best.When) {
			sentence += ", or " + other.Sentence()
			break
		}
	}
	finding := Finding{Sentence: sentence + ": " + reproduces}
	for _, a := range d.evidence {
		if a.replies == nil && a.isWrong && a.question.Depth == 1 {
			finding.Smallest = differences[0]
			finding.Smallest.Path, finding.Smallest.Short = a.question.Path, a.question.Path
			finding.Suspects = standing[0].suspects(a.question)
			return finding
		}
	}
	return d.illustrate(finding, differences)
}

// suspects explains the moves that a hypothesis lists wrong.
func (h hypothesis) suspects(q Question) (suspects []string) {
	boards := [2]faulty.Board{h.board(q.Path), (hypothesis{}).board(q.Path)}
	for i := range boards {
		isIn := make(map[uint32]bool)
		for _, m := range boards[1-i].Moves() {
			isIn[moveKey(m)] = true
		}
		for _, m := range boards[i].Moves() {
			if !isIn[moveKey(m)] {
				proposal := divide.Proposal{From: m.From, To: m.To, Promotion: m.Promotion}
				suspects = append(suspects, fmt.Sprintf("%v: %v", proposal, Explain(q.Path, proposal)))
			}
		}
	}
	slices.Sort(suspects)
	return suspects
}

// facts lists the differences by their rules.
func (d *diagnosis) facts(differences []Difference) Finding {
	counts := make(map[string]int)
	var order []string
	for _, difference := range differences {
		if difference.sentence != "" {
			return Finding{Sentence: difference.sentence, Smallest: difference}
		}
		what := fmt.Sprintf("%s (%s)", difference.Kind, difference.Verdict.Rule)
		if difference.Verdict.Rule == OffBoard { // which does not tell the piece
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
	return d.illustrate(Finding{Sentence: "not explained: " + strings.Join(parts, ", ")}, differences)
}

// shownBy returns the differences that a hypothesis alone predicts, all if there is none.
func (d *diagnosis) shownBy(h hypothesis, differences []Difference) (shown []Difference) {
	for _, difference := range differences {
		q := Question{difference.Short, max(1, difference.Depth)}
		right := answer{question: q}
		right = (hypothesis{}).predict(&right)
		right.question = q
		if right.refutes(h) {
			shown = append(shown, difference)
		}
	}
	if len(shown) == 0 {
		return differences
	}
	return shown
}

// illustrate adds the smallest position to a finding.
func (d *diagnosis) illustrate(finding Finding, differences []Difference) Finding {
	finding.Smallest = slices.MinFunc(differences, func(a, b Difference) int {
		return cmp.Or(count(a.Move == "")-count(b.Move == ""), len(a.Short.Moves)-len(b.Short.Moves),
			a.Short.Root.Occupancy().Len()-b.Short.Root.Occupancy().Len())
	})
	if finding.Smallest.Move == "" {
		return finding
	}
	d.err = nil
	finding.Smallest = d.shrink(finding.Smallest)
	d.mayAsk(1)
	answer, _ := d.ask(finding.Smallest.Short, 1)
	for _, m := range answer.Moves {
		finding.Answer += fmt.Sprintf("%s: %d\n", m.Move, m.Nodes)
	}
	return finding
}
