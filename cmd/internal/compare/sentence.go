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

// samples are the moves that a program has wrong, by one kind of mistake, and similar moves that it
// has right.
type samples struct {
	wrong, right []features
}

// rule describes wrong moves by shared features, perhaps with an exception.
type rule struct {
	features
	except features // one feature or none
	wrong  int      // the number of wrong moves that it describes; it describes no right one
}

func (c *rule) holds(f features) bool {
	return f.hasAll(c.features) && (c.except == features{} || !f.hasAll(c.except))
}

// maxFeatures is the greatest number of features in a rule.
const maxFeatures = 3

// cover returns rules up to a size that together describe the wrong moves and no right one. It
// prefers rules for more moves, then shorter ones, then features early in featureTable. It also
// returns the number of wrong moves that no rule tells from right ones.
func (e *samples) cover(size int) (found []rule, left int) {
	rest := slices.SortedFunc(slices.Values(e.wrong), func(a, b features) int { return slices.Compare(a[:], b[:]) })
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
	slices.SortStableFunc(found, func(a, b rule) int { return b.wrong - a.wrong })
	return found, left
}

// extend visits a set of features, and if visit returns true, its supersets with some other
// features.
func (f features) extend(others []int, visit func(features) bool) {
	if !visit(f) || f.size() == maxFeatures {
		return
	}
	for i, place := range others {
		f.with(place).extend(others[i+1:], visit)
	}
}

// best returns the best rule that describes the first wrong move.
func (e *samples) best(wrong []features, most int) (best rule) {
	features{}.extend(wrong[0].list(), func(f features) bool {
		c := rule{features: f}
		var any features
		_, any, c.wrong = among(wrong, f)
		isBetter := func() bool {
			return c.length() <= most && cmp.Or(best.wrong-c.wrong, c.length()-best.length(),
				slices.Compare(c.list(), best.list())) < 0
		}
		if isBetter() && e.separates(&c, any) && isBetter() {
			best = c
		}
		return c.wrong >= best.wrong
	})
	return best
}

// name adds the piece or the kind of move to a rule without one, if all its moves share it.
func (c *rule) name(wrong []features) {
	if c.features != (features{}) && !strings.HasPrefix(featureTable()[c.list()[0]].noun, "move") {
		return
	}
	shared, _, _ := among(slices.DeleteFunc(slices.Clone(wrong), func(f features) bool { return !c.holds(f) }), features{})
	for place, f := range featureTable() {
		isName := !strings.Contains(f.noun, "~") && !strings.Contains(f.suffix, "capture")
		if isName && shared.has(place) && !c.has(place) {
			c.features = c.with(place)
			return
		}
	}
}

// length is the reading length of a rule.
func (c *rule) length() int {
	switch {
	case c.except == features{}:
		return c.size()
	case c.features == features{}:
		return maxFeatures // "moves other than" is vague
	}
	return c.size() + 2
}

// separates reports whether a rule describes no right move, perhaps by an exception: a feature
// shared by the right moves that it describes and by no wrong move.
func (e *samples) separates(c *rule, wrong features) bool {
	shared, _, n := among(e.right, c.features)
	if n == 0 {
		return c.features != features{}
	}
	for _, place := range shared.list() {
		if !wrong.has(place) {
			c.except = features{}.with(place)
			return true
		}
	}
	return false
}

// others counts the right moves with all of some features.
func (e *samples) others(common features) int {
	_, _, n := among(e.right, common)
	return n
}

// sentence describes what the wrong moves share, and similar moves that are right.
func (e *samples) sentence(w *mistake) string {
	found, left := e.cover(maxFeatures)
	if len(found) > 2 || left > 0 {
		found, left = e.cover(2 * maxFeatures)
	}
	if len(found) > 2 || left > 0 {
		if c := e.mostly(w.noisy); c.wrong > 0 {
			found, left = []rule{c}, len(e.wrong)-c.wrong
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
		clauses = append(clauses, e.count(w, left, true)+
			inflect(" {has}[have] nothing simple in common that right moves lack", len(e.wrong) > 1))
	case left == 1:
		clauses = append(clauses, "the other is of another kind")
	case left > 1:
		clauses = append(clauses, fmt.Sprintf("the other %d are of several kinds", left))
	}
	if w.intro != "" {
		clauses = slices.Insert(clauses, 0, inflect(fmt.Sprintf(w.intro, len(e.wrong)), len(e.wrong) > 1))
	}
	return strings.Join(clauses, "; ")
}

// mostly returns the feature that tells wrong moves from right ones best. Except in noisy samples,
// all wrong moves have it, and with others that exclude more right moves it describes few of these.
func (e *samples) mostly(noisy bool) (best rule) {
	shared, any, _ := among(e.wrong, features{})
	if !noisy {
		any = shared
	}
	bestScore := 0.0
	for _, place := range any.list() {
		c := rule{features: features{}.with(place)}
		_, _, c.wrong = among(e.wrong, c.features)
		score := float64(c.wrong)/float64(len(e.wrong)) - float64(e.others(c.features))/float64(1+len(e.right))
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	if noisy {
		return best
	}
	for _, place := range shared.list() {
		if more := best.with(place); e.others(more) < e.others(best.features) {
			best.features = more
		}
	}
	if 3*e.others(best.features) > len(e.wrong) {
		return rule{}
	}
	return best
}

// count names some of the wrong moves: "the missing move", "all 92 missing moves", "12 of the 92
// missing moves".
func (e *samples) count(w *mistake, n int, first bool) string {
	plural := strings.TrimSuffix(" "+inflect(w.wrong, true), " ")
	switch {
	case len(e.wrong) == 1 && plural == "":
		return "it"
	case len(e.wrong) == 1:
		return "the " + inflect(w.wrong, false)
	case n == len(e.wrong) && n == 2:
		return "both" + plural
	case n == len(e.wrong):
		return fmt.Sprintf("all %d%s", n, plural)
	case first:
		return fmt.Sprintf("%d of the %d%s", n, len(e.wrong), plural)
	}
	return fmt.Sprint(n)
}

// clause describes one rule, and the most similar right moves.
func (e *samples) clause(w *mistake, c rule, first bool) string {
	text := e.count(w, c.wrong, first)
	if c.wrong == 1 {
		single := c.phrase(false)
		text += " is " + article(single) + single
	} else {
		text += " are " + c.phrase(true)
	}
	if c.except != (features{}) {
		return fmt.Sprintf("%s other than %s, which %s", text, c.except.phrase(true), inflect(w.right, true))
	}
	if n := e.others(c.features); n > 0 {
		return fmt.Sprintf("%s; %s %s", text, format.Plain(n, "other"), inflect(w.right, n > 1))
	}
	if c.size() == 1 && c.wrong > 1 {
		one := c.phrase(false)
		if strings.Contains(one, "move ") || strings.Count(one, " ") > 1 {
			one = "such move"
		}
		return fmt.Sprintf("%s, and every %s tried is %s", text, one, w.each)
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

// miscount is a position whose total is wrong by a number of moves, negative if moves are missing.
type miscount struct {
	*testPosition
	surplus int
}

// guess is a kind of moves whose number explains wrong totals.
type guess struct {
	features
	kind   Kind // of their difference
	legal  bool
	number int // of suspected moves in all positions
	wrong  int // the number of wrong totals that it explains
}

// movesOf returns the suspected moves of a position.
func (c *guess) movesOf(s *testPosition) (moves []divide.Proposal) {
	for m, f := range s.moves[c.legal] {
		if f.hasAll(c.features) {
			moves = append(moves, m)
		}
	}
	return moves
}

// count counts the suspected moves and the wrong totals that they explain, 0 if a position with a
// right total contains one.
func (c guess) count(miscounts []miscount) guess {
	for _, t := range miscounts {
		n := len(c.movesOf(t.testPosition))
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

// suspect finds a kind of moves whose number equals the error in the totals, for a program that
// prints totals only.
func (d *diagnosis) suspect(finding *Finding) {
	miscounts, wrong := d.miscounts, 0
	for _, t := range miscounts {
		wrong += count(t.surplus != 0)
	}
	if wrong == 0 {
		return
	}
	found := suspectIn(miscounts, wrong)
	if len(found) == 0 {
		finding.Sentence = "the totals do not tell which moves are wrong: no kind of moves fits"
	}
	for i, c := range found {
		isPlural := c.number > 1
		kind := fmt.Sprintf("%d %s", c.number, c.phrase(isPlural))
		if i > 0 {
			finding.Sentence += "; " + kind + inflect(" fit{s} as well", isPlural)
		} else {
			finding.Sentence = kind + inflect(" {is}[are] suspected: if {it is}[they are] ", isPlural) + fmt.Sprintf(
				"%s, that explains %d of %s, and agrees with %d right ones", c.kind, c.wrong,
				format.Plain(wrong, "wrong total"), len(miscounts)-wrong)
		}
		for _, m := range c.movesOf(miscounts[0].testPosition) {
			why := Explain(engine.Path{Root: miscounts[0].pos}, m)
			finding.Smallest.Verdict = why
			finding.Suspects = append(finding.Suspects, fmt.Sprintf("%v: %v", m, why))
		}
	}
	slices.Sort(finding.Suspects)
}

// suspectIn returns at most three kinds of moves that explain the most wrong totals, with the
// fewest features. The first total must be wrong.
func suspectIn(miscounts []miscount, wrong int) (found []guess) {
	const enough = 3
	first := miscounts[0]
	kinds := []guess{{kind: Missing, legal: true}}
	if first.surplus > 0 {
		kinds = []guess{{kind: Extra}, {kind: Extra, legal: true}} // illegal moves, or legal ones counted twice
	}
	for _, c := range kinds {
		tried := map[features]bool{{}: true}
		for _, f := range first.moves[c.legal] {
			features{}.extend(f.list(), func(suspected features) bool {
				if c.features = suspected; !tried[suspected] {
					tried[suspected] = true
					if counted := c.count(miscounts); 2*counted.wrong >= wrong {
						found = append(found, counted)
					}
				}
				return true
			})
		}
	}
	slices.SortStableFunc(found, func(a, b guess) int {
		return cmp.Or(b.wrong-a.wrong, a.size()-b.size(), slices.Compare(a.list(), b.list()))
	})
	var distinct []guess
	for _, c := range found {
		hasSameMoves := func(other guess) bool {
			both := guess{features: c.or(other.features), kind: c.kind, legal: c.legal}.count(miscounts)
			return c.legal == other.legal && c.number == both.number && other.number == both.number
		}
		isBest := c.wrong == found[0].wrong && c.size() == found[0].size()
		if isBest && len(distinct) < enough && !slices.ContainsFunc(distinct, hasSameMoves) {
			distinct = append(distinct, c)
		}
	}
	return distinct
}
