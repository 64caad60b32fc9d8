package compare

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// tally is a position with the number of moves that a program, which prints totals only, has too many or, if negative,
// too few.
type tally struct {
	*study
	surplus int
}

// suspicion is a kind of moves whose number explains totals.
type suspicion struct {
	conjunction
	kind  Kind // of their difference
	legal bool
}

// moves returns the suspected moves of a position.
func (c *suspicion) moves(s *study) (moves []Proposal) {
	for m, f := range s.moves(c.legal) {
		if f.hasAll(c.facts) {
			moves = append(moves, m)
		}
	}
	return moves
}

// explains returns how many wrong totals the number of suspected moves explains, 0 if a position with a right total has
// some.
func (c *suspicion) explains(tallies []tally) (n int) {
	if len(c.places) == 0 {
		return 0
	}
	for _, t := range tallies {
		count := len(c.moves(t.study))
		switch {
		case t.surplus == 0 && count > 0:
			return 0
		case t.surplus != 0 && (count == t.surplus || c.kind == Missing && count == -t.surplus):
			n++
		}
	}
	return n
}

// suspect finds the moves that a program which prints totals only may have wrong: a kind whose number is what the
// totals are wrong by.
func (d *diagnosis) suspect(differences []Difference) (Finding, error) {
	first := differences[0]
	known := []*study{newStudy(first.Position())}
	for _, other := range append(differences[1:], first.Alike...) {
		known = append(known, newStudy(other.Position()))
	}
	var tallies []tally
	for _, s := range append(known, knownStudies()...) {
		answer, err := d.ask(engine.Path{Root: s.pos}, 1)
		if err != nil && len(tallies) == 0 {
			return Finding{}, err
		}
		if err != nil {
			break
		}
		tallies = append(tallies, tally{s, int(answer.Total) - len(s.legal)})
	}
	found, ok := suspectIn(tallies)
	finding := Finding{First: first, Smallest: first, Sentence: "the totals do not tell which moves are wrong: no kind of moves fits"}
	if !ok {
		return finding, nil
	}
	moves, wrong := 0, 0
	for _, t := range tallies {
		moves += len(found.moves(t.study))
		if t.surplus != 0 {
			wrong++
		}
	}
	finding.Sentence = fmt.Sprintf(
		"%s are suspected: if all %d are %s, that explains %d of %s, and agrees with %d right ones", phrase(found.places, true), moves, found.kind, found.wrong, figures.Plain(wrong, "wrong total"), len(tallies)-wrong)
	for _, m := range found.moves(tallies[0].study) {
		why := Explain(engine.Path{Root: tallies[0].pos}, m)
		finding.Smallest.Verdict = why
		finding.Suspects = append(finding.Suspects, fmt.Sprintf("%v: %v", m, why))
	}
	slices.Sort(finding.Suspects)
	return finding, nil
}

// suspectIn returns the kind of moves whose number explains the most wrong totals, and that no position with a right
// total has: with the fewest facts, which come first in factTable. The first total must be wrong.
func suspectIn(tallies []tally) (best suspicion, ok bool) {
	first := tallies[0]
	kinds := []suspicion{{kind: Missing, legal: true}}
	if first.surplus > 0 {
		kinds = []suspicion{{kind: Extra}, {kind: Extra, legal: true}} // illegal moves, or legal ones that are counted twice
	}
	wrong, weight := 0, 0
	for _, t := range tallies {
		if t.surplus != 0 {
			wrong++
		}
	}
	tried := make(map[facts]bool)
	var try func(c suspicion, own []int, from int)
	try = func(c suspicion, own []int, from int) {
		sum := 0
		for _, place := range c.places {
			sum += place
		}
		if !tried[c.facts] {
			c.wrong = c.explains(tallies)
		}
		tried[c.facts] = true
		if 2*c.wrong >= wrong && (c.wrong > best.wrong || c.wrong == best.wrong && (len(c.places) < len(best.places) ||
			len(c.places) == len(best.places) && sum < weight)) {
			best, weight = c, sum
		}
		for i := from; i < len(own) && len(c.places) < maxFacts; i++ {
			next := suspicion{kind: c.kind, legal: c.legal}
			next.facts, next.places = c.facts.with(own[i]), append(slices.Clip(c.places), own[i])
			try(next, own, i+1)
		}
	}
	for _, c := range kinds {
		clear(tried)
		for _, f := range first.moves(c.legal) {
			try(c, f.list(), 0)
		}
	}
	return best, best.wrong > 0
}
