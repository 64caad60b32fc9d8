package compare

import (
	"cmp"
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

// movesOf returns the suspected moves of a position.
func (c *suspicion) movesOf(s *study) (moves []Proposal) {
	for m, f := range s.moves[c.legal] {
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
		count := len(c.movesOf(t.study))
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
func (d *diagnosis) suspect(differences []Difference) Finding {
	first := differences[0]
	known := []*study{newStudy(first.Position())}
	for _, other := range append(differences[1:], first.Alike...) {
		known = append(known, newStudy(other.Position()))
	}
	var tallies []tally
	for _, s := range append(known, knownStudies()...) {
		answer, err := d.ask(engine.Path{Root: s.pos}, 1)
		if err != nil {
			break
		}
		tallies = append(tallies, tally{s, int(answer.Total) - len(s.moves[true])})
	}
	finding := Finding{Smallest: first}
	if len(tallies) == 0 {
		return finding
	}
	wrong := 0
	for _, t := range tallies {
		wrong += min(1, t.surplus*t.surplus)
	}
	found := suspectIn(tallies, wrong)
	if len(found) == 0 {
		finding.Sentence = "the totals do not tell which moves are wrong: no kind of moves fits"
		return finding
	}
	for i, c := range found {
		n := len(c.in(tallies))
		kind := fmt.Sprintf("%d %s", n, phrase(c.places, n > 1))
		if i > 0 {
			finding.Sentence += "; " + kind + inflect(" fit{s} as well", n > 1)
		} else {
			finding.Sentence = kind + inflect(" {is}[are] suspected: if {it is}[they are] ", n > 1) + fmt.Sprintf(
				"%s, that explains %d of %s, and agrees with %d right ones", c.kind, c.wrong,
				figures.Plain(wrong, "wrong total"), len(tallies)-wrong)
		}
		for _, m := range c.movesOf(tallies[0].study) {
			why := Explain(engine.Path{Root: tallies[0].pos}, m)
			finding.Smallest.Verdict = why
			finding.Suspects = append(finding.Suspects, fmt.Sprintf("%v: %v", m, why))
		}
	}
	slices.Sort(finding.Suspects)
	return finding
}

// in lists the suspected moves of some positions, as one text for each.
func (c *suspicion) in(tallies []tally) (texts []string) {
	for i, t := range tallies {
		for _, m := range c.movesOf(t.study) {
			texts = append(texts, fmt.Sprint(i, m))
		}
	}
	slices.Sort(texts)
	return texts
}

// suspectIn returns the kinds of moves whose number explains the most of the wrong totals, and that no position with a
// right total has: of the fewest facts, at most three kinds, the ones that come first in factTable. The first total must
// be wrong.
func suspectIn(tallies []tally, wrong int) (found []suspicion) {
	const enough = 3
	first := tallies[0]
	kinds := []suspicion{{kind: Missing, legal: true}}
	if first.surplus > 0 {
		kinds = []suspicion{{kind: Extra}, {kind: Extra, legal: true}} // illegal moves, or legal ones counted twice
	}
	for _, kind := range kinds {
		tried := make(map[facts]bool)
		for _, f := range first.moves[kind.legal] {
			conjunction{}.extend(f.list(), func(c conjunction) bool {
				if suspected := (suspicion{c, kind.kind, kind.legal}); !tried[c.facts] {
					tried[c.facts] = true
					if suspected.wrong = suspected.explains(tallies); 2*suspected.wrong >= wrong {
						found = append(found, suspected)
					}
				}
				return true
			})
		}
	}
	slices.SortStableFunc(found, func(a, b suspicion) int {
		return cmp.Or(b.wrong-a.wrong, len(a.places)-len(b.places), slices.Compare(a.places, b.places))
	})
	var distinct []suspicion
	for _, c := range found {
		isBest := c.wrong == found[0].wrong && len(c.places) == len(found[0].places)
		isNew := !slices.ContainsFunc(distinct, func(other suspicion) bool {
			return slices.Equal(c.in(tallies), other.in(tallies))
		})
		if isBest && isNew && len(distinct) < enough {
			distinct = append(distinct, c)
		}
	}
	return distinct
}
