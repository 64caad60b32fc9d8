package compare

import (
	"runtime"
	"slices"
	"sort"
	"sync"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

const (
	mostConditions = 4 // of a mistake
	mostSupposed   = 1500
	mostSeeded     = 4      // wrong answers in which the cases of a part are looked for
	mostTried      = 4      // wrong answers to explain alone
	mostWatched    = 20_000 // leaves of an answer, for each case
	perWatched     = 10     // how many times longer a prediction takes that looks at conditions
)

// refuting returns an answer that refutes a hypothesis, or nil; after an interruption, any. That
// answer moves to the front, since it may refute others.
func (d *diagnosis) refuting(e evidence, h hypothesis) *answer {
	refutes := (*answer).refutes
	if d.byRows {
		refutes = (*answer).contradicts
	}
	for i := range e {
		if d.spend(perPrediction + e[i].truth.total); d.ctx.Err() != nil || refutes(&e[i], h) {
			refuting := e[i]
			copy(e[1:i+1], e[:i])
			e[0] = refuting
			return &e[0]
		}
	}
	return nil
}

// fit returns the hypotheses that reproduce all answers together with known mistakes, for each part
// those with the fewest conditions, the plainest first.
func (d *diagnosis) fit(known hypothesis, parts []faulty.Part, e evidence) (standing []hypothesis) {
	if len(e) == 0 || len(e[0].open) == 0 {
		return nil
	}
	found := make([][]hypothesis, len(parts))
	var group sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := worker; i < len(parts); i += runtime.GOMAXPROCS(0) {
				found[i] = d.fitPart(known, parts[i], e)
			}
		})
	}
	group.Wait()
	standing = slices.Concat(found...)
	sort.SliceStable(standing, func(i, j int) bool { return standing[i].cost() < standing[j].cost() })
	return standing
}

// fitPart adds conditions to a part that is wrong too often, until it reproduces all answers.
func (d *diagnosis) fitPart(known hypothesis, part faulty.Part, e evidence) (standing []hypothesis) {
	var supposed []faulty.Mistake
	for _, n := range limits(part, &e[0]) {
		supposed = append(supposed, faulty.Mistake{Part: part, N: n})
	}
	var cases [][]faulty.Condition
	own := slices.Clone(e) // in an order that suits the part
	for len(supposed) > 0 && len(standing) == 0 {
		var tooOften []faulty.Mistake
		for _, m := range supposed {
			h := known.with(m)
			switch isRefuted := d.refuting(own, h) != nil; {
			case d.spend(0):
				return standing
			case isRefuted:
				tooOften = append(tooOften, m)
			case own.explainsMost(h):
				standing = append(standing, h)
			}
		}
		if len(tooOften) > 0 && len(standing) == 0 && cases == nil {
			cases = d.seeds(known, part, e)
		}
		supposed = narrow(tooOften, cases)
	}
	return standing
}

// narrow adds each further condition of a case in which the mistakes are wrong.
func narrow(mistakes []faulty.Mistake, cases [][]faulty.Condition) (narrower []faulty.Mistake) {
	isKnown := make(map[[mostConditions]faulty.Condition]bool)
	for _, m := range mistakes {
		n := len(m.When)
		if n == mostConditions {
			return nil
		}
		name := [mostConditions]faulty.Condition{}
		copy(name[:], m.When)
		for _, c := range cases {
			if slices.ContainsFunc(m.When, func(w faulty.Condition) bool { return !slices.Contains(c, w) }) {
				continue
			}
			for _, more := range c {
				name[n] = more
				if len(narrower) < mostSupposed && !isKnown[name] && (n == 0 || m.When[n-1].Trait < more.Trait) {
					isKnown[name] = true
					when := append(slices.Clip(m.When), more)
					narrower = append(narrower, faulty.Mistake{Part: m.Part, N: m.N, When: when})
				}
			}
		}
	}
	return narrower
}

// seeds returns the cases of which a part is wrong in one at least. There are none if the part
// cannot be the cause.
func (d *diagnosis) seeds(known hypothesis, part faulty.Part, e evidence) (fewest [][]faulty.Condition) {
	tried := 0
	for i := range e {
		a := &e[i]
		if len(a.open) == 0 || tried == mostSeeded {
			break
		}
		isAstray := a.replies == nil && len(a.Path.Moves) > 0 // of another position if a move is not listed
		if part.Lists() && !known.countsRight() && (a.Depth > 1 || isAstray) {
			continue
		}
		tried++
		for _, cases := range d.causes(known, part, a) {
			if fewest == nil || len(cases) < len(fewest) {
				fewest = append([][]faulty.Condition{}, cases...)
			}
		}
	}
	return fewest
}

// causes returns, for each open row of an answer, the cases that change it: either alone, or in
// that the part is right in them alone.
func (d *diagnosis) causes(known hypothesis, part faulty.Part, a *answer) (causes [][][]faulty.Condition) {
	if a.truth.total > mostWatched {
		return nil
	}
	var cases [][]faulty.Condition
	predict := func(isWrong func([]faulty.Condition) bool) counts {
		d.spend(perWatched * (perPrediction + a.truth.total))
		b := faulty.New(known.with(faulty.Mistake{Part: part})...)
		b.Watch(part, isWrong)
		return a.predicted(b)
	}
	always := func(wrong bool) counts {
		return predict(func(traits []faulty.Condition) bool {
			if !slices.ContainsFunc(cases, func(c []faulty.Condition) bool { return slices.Equal(c, traits) }) {
				cases = append(cases, traits)
			}
			return wrong
		})
	}
	never, all := always(false), always(true)
	if n := uint64(len(cases)); n == 0 || n*a.truth.total > mostWatched {
		return nil
	}
	causes = make([][][]faulty.Condition, len(a.open))
	for _, c := range cases {
		if d.spend(0) {
			return nil
		}
		alone := predict(func(traits []faulty.Condition) bool { return slices.Equal(c, traits) })
		others := predict(func(traits []faulty.Condition) bool { return !slices.Equal(c, traits) })
		for i, move := range a.open {
			row := all.row(move)
			if !slices.Equal(row, others.row(move)) || slices.Contains(row, faulty.Unknown) ||
				!slices.Equal(never.row(move), alone.row(move)) {
				causes[i] = append(causes[i], c)
			}
		}
	}
	return causes
}

// limits returns the possible values of N for a part without conditions.
func limits(part faulty.Part, a *answer) (possible []int) {
	const shortest, longest = 40, 90 // FENs with something to lose
	switch part {
	case faulty.ListEnds:
		return []int{len(a.places)}
	case faulty.CutsCounts, faulty.CutsTotal:
		return []int{8, 16, 32}
	case faulty.LeafOverflows:
		return []int{127, 255}
	case faulty.CutsFEN:
		for n := shortest; n < longest; n++ {
			possible = append(possible, n)
		}
		return possible
	}
	return []int{0}
}

// largestPart returns the mistake that reproduces the most wrong answers and all right ones, or
// nil, the number of these wrong answers, and the number of all.
func (d *diagnosis) largestPart(parts []faulty.Part) (best hypothesis, most, all int) {
	d.spent.Store(0)
	d.evidence.sort(nil)
	isRight := func(a answer) bool { return !a.isWrong }
	wrong := slices.DeleteFunc(slices.Clone(d.evidence), isRight)
	right := slices.DeleteFunc(slices.Clone(d.evidence), func(a answer) bool { return a.isWrong })
	tried := 0
	for i := range wrong {
		if best != nil && !wrong[i].refutes(best) || tried == mostTried || d.spend(0) {
			continue
		}
		tried++
		for _, h := range d.fit(nil, parts, append(evidence{wrong[i]}, right...)) {
			n := 0
			for j := range wrong {
				n += oneIf(!wrong[j].refutes(h) && h.explains(&wrong[j]))
			}
			if n > most || n == most && h.cost() < best.cost() {
				best, most = h, n
			}
		}
	}
	return best, most, len(wrong)
}
