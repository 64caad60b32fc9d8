package mutant_test

import (
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// sides returns the oracle's board of a position and that of a mutant with some mistakes.
func sides(t *testing.T, fen string, bugs ...string) (oracle.Board, mutant.Board) {
	t.Helper()
	right, err := oracle.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return right, mutant.NewBoard(fianchetto.MustParseFEN(fen), bugs...)
}

// TestWithoutBugsItIsTheOracle compares the moves of every position of the suites, and the positions after them.
func TestWithoutBugsItIsTheOracle(t *testing.T) {
	for _, fen := range suites.FENs() {
		right, ours := sides(t, fen)
		legal := ours.LegalMoves()
		for _, m := range right.LegalMoves() {
			i := slices.IndexFunc(legal, func(other mutant.Move) bool { return ours.UCI(other, true) == m.String() })
			if i < 0 {
				t.Errorf("%s: missing %v", fen, m)
				continue
			}
			if got, want := ours.Apply(legal[i]).Perft(1), right.Apply(m).Perft(1); got != want {
				t.Errorf("%s: after %v %d moves, want %d", fen, m, got, want)
			}
			legal = slices.Delete(legal, i, i+1)
		}
		for _, m := range legal {
			t.Errorf("%s: extra %s", fen, ours.UCI(m, true))
		}
	}
}

// TestEveryBugShows looks for a position of the suites in which the bug changes a count.
func TestEveryBugShows(t *testing.T) {
	for _, bug := range mutant.Bugs() {
		if !shows(t, bug) {
			t.Errorf("%s changes no count of the suites", bug)
		}
	}
}

func shows(t *testing.T, bug string) bool {
	for _, search := range []struct {
		depth  int
		suites []string
	}{{1, nil}, {2, []string{"traps", "traps960", "random"}}, {3, []string{"traps", "traps960"}}} {
		depth := search.depth
		for _, fen := range suites.FENs(search.suites...) {
			right, wrong := sides(t, fen, bug)
			if right.Perft(depth) != wrong.Perft(depth) {
				return true
			}
		}
	}
	return false
}

func TestUnknownBug(t *testing.T) {
	if _, err := mutant.ParseBugs("no-en-passant,none"); err == nil || err.Error() != `mutant: no bug is named "none"` {
		t.Errorf("error %v", err)
	}
}
