package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/rules"
)

// Kind is what is wrong with a list of moves or a count.
type Kind string

// The kinds of differences.
const (
	Missing  Kind = "missing"     // a legal move is not generated
	Extra    Kind = "extra"       // a move is generated that is illegal, or generated already
	WrongSum Kind = "wrong count" // every list of moves is right, but a count that is made of them is not
)

// Rules that only a comparison can name; the others are those of package rules.
const (
	Twice   rules.Rule = "generated twice" // once is enough
	Total   rules.Rule = "total"           // a program that tells only totals does not say which move it is
	Sum     rules.Rule = "sum"             // counts contradict each other
	Divided rules.Rule = "divide"          // the count below a move is not that of the position after it
)

// Difference is a position in which a program disagrees.
type Difference struct {
	// Kind is what differs.
	Kind Kind
	// Line leads to the position from the root that was asked for.
	Line engine.Line
	// Move is the move that is missing or extra as UCI spells it, "" if it is not known.
	Move     string
	Proposed rules.Move    // the same, taken apart
	Count    int           // of moves that are missing or extra, if Move is "", else 1
	Verdict  rules.Verdict // what the rules say about the move
	// Short is the end of Line that is enough to see the difference. If it has no moves, the position alone is; if it
	// has, the program goes wrong when it makes them.
	Short engine.Line
	// Alike are the further differences of the same kind by the same rule, as they were found: Short is the whole line.
	Alike []Difference
}

// Position returns the position in which the program disagrees.
func (d *Difference) Position() fianchetto.Position { return d.Line.Position() }

// Subject is what the difference is about: "missing e5d6", "extra 2 moves", "wrong count of the moves".
func (d *Difference) Subject() string {
	switch {
	case d.Move != "":
		return string(d.Kind) + " " + d.Move
	case d.Kind == WrongSum:
		return string(d.Kind)
	case d.Count == 1:
		return string(d.Kind) + " 1 move"
	}
	return fmt.Sprintf("%s %d moves", d.Kind, d.Count)
}

// Rule is the rule and the reason, and by which move the program was led astray if the position alone is no trap
// for it.
func (d *Difference) Rule() string {
	text := d.Verdict.String()
	if n := len(d.Short.Moves); n > 0 && d.Kind != WrongSum {
		text += fmt.Sprintf(" (the program goes wrong in making %s: given the position after it, it is right)", d.Short.Root.UCI(d.Short.Moves[0]))
	}
	return text
}

// differencesIn names what is missing or extra in a position.
func differencesIn(line engine.Line, t *table) []Difference {
	pos := line.Position()
	var found []Difference
	missing := t.missing()
	for len(missing) > 0 {
		m := missing[0]
		same := func(other fianchetto.Move) bool {
			return m.Promotion() != fianchetto.NoPieceType && other.Promotion() != fianchetto.NoPieceType && other.From() == m.From() && other.To() == m.To()
		}
		verdict := rules.ExplainAfter(line.Root, line.Moves, rules.MoveOf(m))
		if m.Promotion() != fianchetto.NoPieceType {
			verdict = t.judgePromotions(verdict, slices.DeleteFunc(slices.Clone(missing), func(o fianchetto.Move) bool { return !same(o) }))
		}
		found = append(found, Difference{Kind: Missing, Line: line, Move: pos.UCI(m), Proposed: rules.MoveOf(m), Count: 1, Verdict: verdict})
		missing = slices.DeleteFunc(missing[1:], same)
	}
	for _, m := range t.extra {
		verdict := rules.ExplainAfter(line.Root, line.Moves, m)
		if verdict.Legal {
			verdict = rules.Verdict{Legal: true, Rule: Twice, Reason: fmt.Sprintf("%v is legal, but listed once more", m)}
		}
		found = append(found, Difference{Kind: Extra, Line: line, Move: m.String(), Proposed: m, Count: 1, Verdict: verdict})
	}
	if t.unnamed != 0 {
		found = append(found, unnamedIn(line, t))
	}
	return found
}

// unnamedIn is the difference of a total, which does not say which moves it is about.
func unnamedIn(line engine.Line, t *table) Difference {
	d := Difference{Kind: Extra, Line: line, Count: t.unnamed}
	if t.unnamed < 0 {
		d.Kind, d.Count = Missing, -t.unnamed
	}
	d.Verdict = rules.Verdict{Rule: Total, Reason: fmt.Sprintf("the count is %d, not %d, and the program does not list moves", len(t.rows)+t.unnamed, len(t.rows))}
	return d
}

// judgePromotions counts the promotions of a pawn's move of which some are missing. If all are, the reason why the
// pawn may go there is what matters.
func (t *table) judgePromotions(verdict rules.Verdict, missing []fianchetto.Move) rules.Verdict {
	const kinds = 4
	if len(missing) == kinds {
		return verdict
	}
	var names []string
	for _, m := range missing {
		names = append(names, m.Promotion().String())
	}
	return rules.Verdict{Legal: true, Rule: rules.Promotion, Reason: fmt.Sprintf("promotion count is %d, not %d: a pawn may become a %s, too",
		kinds-len(missing), kinds, strings.Join(names, " or a "))}
}
