package compare

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// mistaken is a program with mistakes of the faulty generator.
type mistaken struct {
	engine.Program
	mistakes hypothesis
	process  *faulty.Board // nil before its first question
}

func (p *mistaken) Divide(_ context.Context, path engine.Path, depth int) (answer divide.Divide, err error) {
	if p.process == nil {
		b := faulty.NewBoard(path.Root, p.mistakes.with(faulty.Mistake{Part: faulty.CountsAlways})...)
		p.process = &b
	}
	b := p.mistakes.follow(p.process.SetUp(path.Root), path)
	for _, line := range b.Divide(depth) {
		answer.Total += line.Nodes
		answer.Moves = append(answer.Moves, divide.Count{Move: b.UCI(line.Move, path.Root.IsChess960()), Nodes: line.Nodes})
	}
	answer.HasTotal = true
	return answer, nil
}

func (p *mistaken) Restart() { p.process = nil }

func (*mistaken) StartsAnew() bool { return false }

func (*mistaken) PlaysMoves() bool { return true }

func (*mistaken) PlaysChess960() bool { return false }

// diagnosed compares a program on the traps and the states, and diagnoses it.
func diagnosed(t *testing.T, mistakes hypothesis) (sentences []string) {
	comparer := New(&mistaken{mistakes: mistakes}, Options{})
	var differences []Difference
	for _, name := range []string{"traps", "state"} {
		for _, c := range suites.Cases(name) {
			depth := 3
			if name == "state" {
				depth = c.Counts[len(c.Counts)-1].Depth
			}
			report, err := comparer.Compare(t.Context(), engine.Path{Root: fianchetto.MustParseFEN(c.FEN)}, depth)
			if err != nil {
				t.Fatal(c.FEN, err)
			}
			differences = append(differences, report.Differences...)
		}
	}
	if len(differences) == 0 {
		t.Fatal("no difference")
	}
	findings, err := comparer.Diagnose(t.Context(), differences, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		sentences = append(sentences, f.Sentence)
	}
	return sentences
}

// TestStateIsNamed plants mistakes in unmaking moves, in the hash key and in counting leaves. Each is
// named or left unexplained, which a few are: some depend on the order of moves, others need more
// answers than a busy machine gives.
func TestStateIsNamed(t *testing.T) {
	cases, open := 0, atomic.Int32{}
	t.Run("each", func(t *testing.T) {
		for i, part := range append(faulty.Parts(true), faulty.PseudoLegalLeaves, faulty.AddsParents, faulty.LeafMisses) {
			if testing.Short() && i%3 != 0 {
				continue
			}
			cases++
			m := faulty.Mistake{Part: part}
			t.Run(m.Sentence(), func(t *testing.T) {
				t.Parallel()
				got := diagnosed(t, hypothesis{m})
				isNamed := func(sentence string) bool { return strings.HasPrefix(sentence, m.Sentence()) }
				switch {
				case slices.ContainsFunc(got, isNamed):
				case len(got) == 0 || strings.Contains(got[0], "not explained"):
					open.Add(1)
				default:
					t.Errorf("the findings are %q", got)
				}
			})
		}
	})
	if int(open.Load()) > cases/4 {
		t.Errorf("%d of %d mistakes are not explained", open.Load(), cases)
	}
}
