package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// evidence is what is known of one kind of mistake: the moves that a program has wrong, and those
// that it has right and might have wrong as well.
type evidence struct {
	wrong []facts
	right map[facts]int // how many moves have the facts
}

// conjunction is some facts that moves have in common, perhaps except for moves with another fact.
type conjunction struct {
	facts
	except facts // one fact or none
	wrong  int   // how many of the wrong moves it holds for; it holds for none of the right ones
}

func (c *conjunction) holds(f facts) bool {
	return f.hasAll(c.facts) && (c.except == facts{} || !f.hasAll(c.except))
}

// maxFacts is the greatest number of facts of a conjunction.
const maxFacts = 3

// cover returns conjunctions up to a size that together hold for all wrong moves, and for no right
// move: the ones with the most wrong moves first, and of these the one with the fewest facts, that
// come first in factTable. Wrong moves that no conjunction tells from right ones are left.
func (e *evidence) cover(size int) (found []conjunction, left int) {
	rest := slices.SortedFunc(slices.Values(e.wrong), func(a, b facts) int { return slices.Compare(a[:], b[:]) })
	for len(rest) > 0 {
		best := e.best(rest, size)
		if best.wrong == 0 {
			left++
			rest = rest[1:]
			continue
		}
		before := rest
		rest = slices.DeleteFunc(slices.Clone(rest), best.holds)
		best.name(before)
		found = append(found, best)
	}
	slices.SortStableFunc(found, func(a, b conjunction) int { return b.wrong - a.wrong })
	return found, left
}

// extend visits a set of facts and those with more of some other facts, as far as visit returns
// true.
func (f facts) extend(others []int, visit func(facts) bool) {
	if !visit(f) || f.size() == maxFacts {
		return
	}
	for i, place := range others {
		f.with(place).extend(others[i+1:], visit)
	}
}

// best returns the best conjunction that holds for the first wrong move.
func (e *evidence) best(wrong []facts, most int) (best conjunction) {
	facts{}.extend(wrong[0].list(), func(f facts) bool {
		c := conjunction{facts: f}
		var any facts
		for _, f := range wrong {
			if f.hasAll(c.facts) {
				c.wrong++
				any = any.or(f)
			}
		}
		isBetter := func() bool {
			return c.length() <= most && cmp.Or(best.wrong-c.wrong, c.length()-best.length(), c.weight()-best.weight()) < 0
		}
		if isBetter() && e.separates(&c, any) && isBetter() {
			best = c
		}
		return c.wrong >= best.wrong
	})
	return best
}

// name adds the piece or the kind of move to a conjunction without one, if all of its moves have
// the same.
func (c *conjunction) name(wrong []facts) {
	if c.facts != (facts{}) && !strings.HasPrefix(factTable()[c.list()[0]].noun, "move") {
		return
	}
	shared := sharedBy(slices.DeleteFunc(slices.Clone(wrong), func(f facts) bool { return !c.holds(f) }))
	for place, f := range factTable() {
		isName := !strings.Contains(f.noun, "~") && !strings.Contains(f.suffix, "capture")
		if isName && shared.has(place) && !c.has(place) {
			c.facts = c.with(place)
			return
		}
	}
}

// length is how long a conjunction is to read.
func (c *conjunction) length() int {
	switch {
	case c.except == facts{}:
		return c.size()
	case c.facts == facts{}:
		return maxFacts // "moves other than" is vague
	}
	return c.size() + 2
}

// separates reports whether a conjunction holds for no right move, and finds the exception with
// which it does: a fact that all those right moves have and none of the wrong ones.
func (e *evidence) separates(c *conjunction, wrong facts) bool {
	shared, n := facts{^uint64(0), ^uint64(0)}, 0
	for f := range e.right {
		if f.hasAll(c.facts) {
			shared = shared.and(f)
			n++
		}
	}
	if n == 0 {
		return c.facts != facts{}
	}
	for _, place := range shared.list() {
		if !wrong.has(place) {
			c.except = facts{}.with(place)
			return true
		}
	}
	return false
}

// others counts the right moves that have all of some facts.
func (e *evidence) others(common facts) (n int) {
	for f, count := range e.right {
		if f.hasAll(common) {
			n += count
		}
	}
	return n
}

// words are how a sentence speaks of one kind of mistake.
type words struct {
	wrong string // "missing move[s]"
	right string // "{is}[are] right"
}

// sentence says what the wrong moves have in common, and which similar ones are right.
func (e *evidence) sentence(w words) string {
	found, left := e.cover(maxFacts)
	if len(found) > 2 || left > 0 {
		found, left = e.cover(2 * maxFacts)
	}
	if len(found) > 2 || left > 0 {
		if c := e.mostly(); c.wrong > 0 {
			found, left = []conjunction{c}, 0
		}
	}
	var clauses []string
	for i, c := range found {
		if i > 2 || c.wrong == 1 && len(e.wrong) > 2 {
			left += c.wrong
			continue
		}
		clauses = append(clauses, e.clause(w, c, i == 0))
	}
	switch {
	case len(clauses) == 0:
		return e.count(w, left, true) +
			inflect(" {has}[have] nothing simple in common that no right move has", len(e.wrong) > 1)
	case left == 1:
		clauses = append(clauses, "the other is of another kind")
	case left > 1:
		clauses = append(clauses, fmt.Sprintf("the other %d are of several kinds", left))
	}
	return strings.Join(clauses, "; ")
}

// mostly returns the conjunction that holds for all wrong moves and for the fewest right ones, if
// these are few.
func (e *evidence) mostly() (best conjunction) {
	common := sharedBy(e.wrong)
	fewest := e.others(common)
	if 3*fewest > len(e.wrong) {
		return conjunction{}
	}
	best = conjunction{facts: common, wrong: len(e.wrong)}
	for _, place := range slices.Backward(common.list()) { // a fact is dropped if it excludes nothing
		if without := best.without(place); e.others(without) == fewest && without != (facts{}) {
			best.facts = without
		}
	}
	return best
}

// count names some of the wrong moves: "the missing move", "all 92 missing moves", "12 of the 92
// missing moves".
func (e *evidence) count(w words, n int, first bool) string {
	plural := inflect(w.wrong, true)
	switch {
	case len(e.wrong) == 1:
		return "the " + inflect(w.wrong, false)
	case n == len(e.wrong) && n == 2:
		return "both " + plural
	case n == len(e.wrong):
		return fmt.Sprintf("all %d %s", n, plural)
	case first:
		return fmt.Sprintf("%d of the %d %s", n, len(e.wrong), plural)
	}
	return fmt.Sprint(n)
}

// clause is the part of a sentence about one conjunction, with the right moves that are most
// similar.
func (e *evidence) clause(w words, c conjunction, first bool) string {
	text := e.count(w, c.wrong, first)
	if c.wrong == 1 {
		single := c.phrase(false)
		text += " is " + article(single) + single
	} else {
		text += " are " + c.phrase(true)
	}
	if c.except != (facts{}) {
		return fmt.Sprintf("%s other than %s, which %s", text, c.except.phrase(true), inflect(w.right, true))
	}
	if n := e.others(c.facts); n > 0 {
		return fmt.Sprintf("%s; %s %s", text, format.Plain(n, "other"), inflect(w.right, n > 1))
	}
	if c.size() == 1 && len(e.right) > 0 && c.wrong > 1 {
		return text + ", and none " + inflect(w.right, false)
	}
	contrast, fewest := "", 0
	for _, place := range c.list() {
		rest := c.without(place)
		if n := e.others(rest); n > 0 && (fewest == 0 || n <= fewest) {
			fewest = n
			contrast = fmt.Sprintf(", and the %d other %s %s", n, rest.phrase(n > 1), inflect(w.right, n > 1))
		}
	}
	return text + strings.Replace(contrast, "the 1 other", "the one other", 1)
}

// article returns the article of a noun, with a space.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an "
	}
	return "a "
}

// tally is a position with the number of moves that a program, which prints totals only, has too
// many or, if negative, too few.
type tally struct {
	*study
	surplus int
}

// suspicion is a kind of moves whose number explains totals.
type suspicion struct {
	facts
	kind   Kind // of their difference
	legal  bool
	number int // of the suspected moves, of all positions
	wrong  int // how many wrong totals it explains
}

// movesOf returns the suspected moves of a position.
func (c *suspicion) movesOf(s *study) (moves []divide.Proposal) {
	for m, f := range s.moves[c.legal] {
		if f.hasAll(c.facts) {
			moves = append(moves, m)
		}
	}
	return moves
}

// count counts the suspected moves, and how many wrong totals their number explains: none if a
// position with a right total has some.
func (c suspicion) count(tallies []tally) suspicion {
	for _, t := range tallies {
		n := len(c.movesOf(t.study))
		c.number += n
		switch {
		case t.surplus == 0 && n > 0:
			c.wrong = 0
			return c
		case t.surplus != 0 && (n == t.surplus || c.kind == Missing && n == -t.surplus):
			c.wrong++
		}
	}
	return c
}

// suspect finds the moves that a program which prints totals only may have wrong: a kind whose
// number is what the totals are wrong by.
func (d *diagnosis) suspect(differences []Difference) Finding {
	first := differences[0]
	var known []*study
	for _, d := range slices.Concat(differences, first.Alike) {
		known = append(known, newStudy(d.Position()))
	}
	var tallies []tally
	for _, s := range append(known, knownStudies()...) {
		answer, ok := d.ask(engine.Path{Root: s.pos}, 1)
		if !ok {
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
		isPlural := c.number > 1
		kind := fmt.Sprintf("%d %s", c.number, c.phrase(isPlural))
		if i > 0 {
			finding.Sentence += "; " + kind + inflect(" fit{s} as well", isPlural)
		} else {
			finding.Sentence = kind + inflect(" {is}[are] suspected: if {it is}[they are] ", isPlural) + fmt.Sprintf(
				"%s, that explains %d of %s, and agrees with %d right ones", c.kind, c.wrong,
				format.Plain(wrong, "wrong total"), len(tallies)-wrong)
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

// suspectIn returns the kinds of moves whose number explains the most of the wrong totals, and that
// no position with a right total has: of the fewest facts, at most three kinds, the ones that come
// first in factTable. The first total must be wrong.
func suspectIn(tallies []tally, wrong int) (found []suspicion) {
	const enough = 3
	first := tallies[0]
	kinds := []suspicion{{kind: Missing, legal: true}}
	if first.surplus > 0 {
		kinds = []suspicion{{kind: Extra}, {kind: Extra, legal: true}} // illegal moves, or legal ones counted twice
	}
	for _, c := range kinds {
		tried := map[facts]bool{{}: true}
		for _, f := range first.moves[c.legal] {
			facts{}.extend(f.list(), func(suspected facts) bool {
				if c.facts = suspected; !tried[suspected] {
					tried[suspected] = true
					if counted := c.count(tallies); 2*counted.wrong >= wrong {
						found = append(found, counted)
					}
				}
				return true
			})
		}
	}
	slices.SortStableFunc(found, func(a, b suspicion) int {
		return cmp.Or(b.wrong-a.wrong, a.size()-b.size(), slices.Compare(a.list(), b.list()))
	})
	var distinct []suspicion
	for _, c := range found {
		if c.wrong < found[0].wrong || c.size() > found[0].size() || len(distinct) == enough {
			break
		}
		hasSameMoves := func(other suspicion) bool {
			both := suspicion{facts: c.or(other.facts), kind: c.kind, legal: c.legal}.count(tallies)
			return c.legal == other.legal && c.number == both.number && other.number == both.number
		}
		if !slices.ContainsFunc(distinct, hasSameMoves) {
			distinct = append(distinct, c)
		}
	}
	return distinct
}
