package compare

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

// lesson is the number of cases in which a part is wrong, according to one answer.
type lesson struct {
	cases []trial
	wrong int
}

// trial is a case in which a part may be wrong.
type trial struct {
	move   faulty.Move
	traits []faulty.Condition
}

const (
	mostConditions = 4   // of a mistake
	mostSupposed   = 400 // mistakes about one part
	mostOpen       = 40  // wrong answers in which a part is looked for
	mostCases      = 5   // in a count, of which each may be right or wrong
	mostSeeds      = 12  // wrong cases whose traits are combined
)

// lessons returns what wrong answers show about a part, and if the part may be their cause, right
// ones.
func (d *diagnosis) lessons(known hypothesis, part faulty.Part) (lessons []lesson) {
	e := d.evidence
	open := slices.IndexFunc(e, func(a answer) bool { return !a.isOpen })
	if open < 0 {
		open = len(e)
	}
	for i := range e[:min(open, mostOpen)] {
		lessons = append(lessons, e[i].lessons(known, part)...)
	}
	if !slices.ContainsFunc(lessons, func(l lesson) bool { return l.wrong > 0 }) {
		return nil
	}
	for _, a := range e[open:] {
		if d.spend(perPrediction + a.truth.total) {
			break
		}
		lessons = append(lessons, a.lessons(known, part)...)
	}
	return lessons
}

// suppose returns the mistakes about a part with the fewest conditions, but no fewer than least,
// that tell all wrong cases from all right ones, or else some that tell most. A part without
// conditions may be wrong always.
func suppose(part faulty.Part, lessons []lesson, least int, a *answer) (supposed []faulty.Mistake, isWhole bool) {
	var some, whole []faulty.Mistake
	seeds := 0
	for _, l := range lessons {
		if l.wrong == 0 || seeds > mostSeeds || len(whole) > 0 {
			continue
		}
		for _, c := range l.cases {
			best, isWhole := conjunctions(c.traits, lessons, least)
			for _, when := range best {
				if m := (faulty.Mistake{Part: part, When: when}); isWhole {
					whole = append(whole, m)
				} else {
					some = append(some, m)
				}
			}
			seeds++
		}
	}
	switch {
	case len(whole) > 0:
		sort.SliceStable(whole, func(i, j int) bool { return whole[i].Cost() < whole[j].Cost() })
		return whole[:min(mostSupposed, len(whole))], true
	case seeds == 0 && least == 0:
		for _, n := range limits(part, a) {
			whole = append(whole, faulty.Mistake{Part: part, N: n})
		}
		return whole, true
	}
	return some, false
}

// limits returns the possible values of N for a part without conditions.
func limits(part faulty.Part, a *answer) (possible []int) {
	const shortest, longest = 40, 90 // FENs with something to lose
	switch part {
	case faulty.ListEnds:
		return []int{len(a.replies)}
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

// tally is a lesson with the traits that each case shares with a seed, and how often it was given.
type tally struct {
	masks        []uint64
	wrong, times int
}

// conjunctions returns the smallest sets of traits with which cases are as often wrong as the
// lessons allow, and whether they explain all wrong cases.
func conjunctions(traits []faulty.Condition, lessons []lesson, least int) (best [][]faulty.Condition, isWhole bool) {
	traits = traits[:min(64, len(traits))]
	all := 0
	var tallies []tally
	for _, l := range lessons {
		all += l.wrong
		t := tally{wrong: l.wrong, times: 1}
		for _, c := range l.cases {
			mask := uint64(0)
			for j, t := range traits {
				mask |= uint64(count(slices.Contains(c.traits, t))) << j
			}
			t.masks = append(t.masks, mask)
		}
		same := func(o tally) bool { return o.wrong == t.wrong && slices.Equal(o.masks, t.masks) }
		if i := slices.IndexFunc(tallies, same); i >= 0 {
			tallies[i].times++
		} else {
			tallies = append(tallies, t)
		}
	}
	most := 0
	for size := least; size <= mostConditions; size++ {
		choose(len(traits), size, func(set uint64) {
			n, isAllowed := covered(tallies, set)
			if !isAllowed {
				return
			}
			if n > most {
				best, most = nil, n
			}
			if n == most && n > 0 && (len(best) == 0 || bits.OnesCount64(set) == len(best[0])) {
				var when []faulty.Condition
				for i, t := range traits {
					if set>>i&1 != 0 {
						when = append(when, t)
					}
				}
				best = append(best, when)
			}
		})
		if most == all || len(best) > mostSupposed {
			return best, most == all
		}
	}
	const enough = 3
	return best[:min(enough, len(best))], false
}

// covered returns how many cases have a set of traits, and whether no lesson allows fewer. A lesson
// that refutes a set moves to the front, since it refutes many.
func covered(tallies []tally, set uint64) (all int, isAllowed bool) {
	for i := range tallies {
		n := 0
		for _, mask := range tallies[i].masks {
			if mask&set == set {
				n++
			}
		}
		if n > tallies[i].wrong {
			tallies[0], tallies[i] = tallies[i], tallies[0]
			return 0, false
		}
		all += n * tallies[i].times
	}
	return all, true
}

// choose calls try with each set of some of n elements.
func choose(n, size int, try func(set uint64)) {
	var extend func(set uint64, from, size int)
	extend = func(set uint64, from, size int) {
		if size == 0 {
			try(set)
			return
		}
		for i := from; i <= n-size; i++ {
			extend(set|1<<i, i+1, size-1)
		}
	}
	extend(0, 0, size)
}

func (a *answer) lessons(known hypothesis, part faulty.Part) (lessons []lesson) {
	x := experiment{answer: a, hypothesis: known.with(faulty.Mistake{Part: part}), part: part}
	isRoot := len(a.Path.Moves) == 0
	switch {
	case part.Lists() && a.Depth == 1 && (a.replies != nil || isRoot):
		return x.listed()
	case a.replies == nil || part.Lists():
		return nil
	case isRoot && a.Depth > 1 && (part.Makes() || part.CountsMoves()):
		right := faulty.NewBoard(a.Path.Root)
		for _, m := range right.Moves() {
			for _, r := range a.replies {
				if r.move == moveKey(m) && r.nodes != faulty.Unknown {
					lessons = append(lessons, x.below(m, r.nodes)...)
				}
			}
		}
		return lessons
	case part.CountsMoves():
		return nil
	}
	return x.settle(func(b *faulty.Board) bool { return a.agree(a.counts, a.by(b)) })
}

// experiment predicts an answer with a part that is wrong in some cases.
type experiment struct {
	*answer
	hypothesis
	part  faulty.Part
	cases []trial // of the last prediction
}

// board returns the board at the end of the path. Each bit of wrong decides about a case.
func (x *experiment) board(wrong uint64) faulty.Board {
	b := faulty.New(x.hypothesis...)
	b.Watch(x.part, func(m faulty.Move, traits []faulty.Condition) bool {
		i := slices.IndexFunc(x.cases, func(c trial) bool { return c.move == m && slices.Equal(c.traits, traits) })
		if i < 0 {
			i = len(x.cases)
			x.cases = append(x.cases, trial{m, traits})
		}
		return wrong>>i&1 != 0
	})
	x.cases = nil
	return b.Reach(x.Path.Root, x.Path.Moves...)
}

// settle returns the cases, each as a lesson, if exactly one choice of the wrong ones agrees with
// the program.
func (x *experiment) settle(agrees func(*faulty.Board) bool) (settled []lesson) {
	most := 0
	for wrong := uint64(0); wrong>>most == 0; wrong++ {
		b := x.board(wrong)
		does := agrees(&b)
		most = max(most, len(x.cases))
		switch {
		case most == 0 || most > mostCases:
			return nil
		case !does || wrong>>len(x.cases) != 0: // the same choice as a smaller one
		case settled != nil:
			return nil
		default:
			for i, c := range x.cases {
				settled = append(settled, lesson{[]trial{c}, int(wrong >> i & 1)})
			}
		}
	}
	return settled
}

// below returns what the count below a root move shows.
func (x *experiment) below(m faulty.Move, nodes uint64) []lesson {
	counted := func(b *faulty.Board) uint64 {
		x.cases = nil
		after := b.After(m)
		return after.Count(x.Depth - 1)
	}
	if x.part.CountsMoves() {
		b := x.board(0)
		right := counted(&b)
		return x.counted(x.cases, right, nodes)
	}
	return x.settle(func(b *faulty.Board) bool {
		below := counted(b)
		return below == nodes || below == faulty.Unknown
	})
}

// counted returns the lesson of a count in which each wrong case is one too much or too few.
func (x *experiment) counted(cases []trial, right, told uint64) []lesson {
	wrong := int(told) - int(right)
	if x.part.Lacks() {
		wrong = -wrong
	}
	if right == faulty.Unknown || wrong < 0 || wrong > len(cases) || len(cases) == 0 {
		return nil
	}
	return []lesson{{cases, wrong}}
}

func (x *experiment) listed() (lessons []lesson) {
	b := x.board(0)
	right := x.by(&b)
	if x.replies == nil {
		return x.counted(x.cases, right.total, x.total)
	}
	for _, c := range x.cases {
		key := moveKey(c.move)
		lessons = append(lessons, x.counted([]trial{c}, right.times(key), x.times(key))...)
	}
	return lessons
}
