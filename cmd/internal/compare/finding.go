package compare

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

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
		if isOther && len(other.When) == len(best.When) {
			sentence += ", or " + other.Sentence()
			break
		}
	}
	finding := Finding{Sentence: sentence + ": " + reproduces}
	for _, a := range d.evidence {
		if a.replies == nil && a.isWrong && a.Depth == 1 {
			finding.Smallest = d.differences[0]
			finding.Smallest.Path, finding.Smallest.Short = a.Path, a.Path
			finding.Suspects = standing[0].suspects(a.Path)
			return finding
		}
	}
	return d.illustrate(finding, d.shownBy(standing[0]))
}

// suspects explains the missing and extra moves of a hypothesis.
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
		return cmp.Or(count(a.Move == "")-count(b.Move == ""), len(a.Short.Moves)-len(b.Short.Moves),
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
