package compare

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// mistaken is a program with mistakes of the faulty generator. Each question is for a new process.
type mistaken struct {
	engine.Program
	mistakes hypothesis
}

func (p mistaken) Divide(_ context.Context, path engine.Path, depth int) (answer divide.Divide, err error) {
	b := p.mistakes.board(path)
	for _, line := range b.Divide(depth) {
		if line.Nodes == faulty.Unknown {
			line.Nodes = 1 // anything
		}
		answer.Total += line.Nodes
		answer.Moves = append(answer.Moves, divide.Count{Move: b.UCI(line.Move, path.Root.IsChess960()), Nodes: line.Nodes})
	}
	answer.HasTotal = true
	return answer, nil
}

func (mistaken) StartsAnew() bool { return false }

func (mistaken) Restart() {}

func (mistaken) PlaysMoves() bool { return true }

func (mistaken) PlaysChess960() bool { return false }

// diagnosed compares a program on the traps and the states, and diagnoses it.
func diagnosed(t *testing.T, mistakes hypothesis) (sentences []string) {
	comparer := New(mistaken{mistakes: mistakes}, Options{})
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

// TestStateIsNamed plants mistakes in unmaking moves, in the hash key and in counting leaves.
func TestStateIsNamed(t *testing.T) {
	for i, part := range append(faulty.Parts(true), faulty.PseudoLegalLeaves, faulty.AddsParents, faulty.LeafMisses) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		m := faulty.Mistake{Part: part}
		t.Run(m.Sentence(), func(t *testing.T) {
			t.Parallel()
			got := diagnosed(t, hypothesis{m})
			if !slices.ContainsFunc(got, func(sentence string) bool { return strings.HasPrefix(sentence, m.Sentence()) }) {
				t.Errorf("the findings are %q", got)
			}
		})
	}
}
