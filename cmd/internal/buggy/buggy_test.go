package buggy_test

import (
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// sides returns the oracle's board of a position and that of a buggy generator with some mistakes.
func sides(t *testing.T, fen string, bugs ...string) (oracle.Board, buggy.Board) {
	t.Helper()
	right, err := oracle.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return right, buggy.NewBoard(fianchetto.MustParseFEN(fen), bugs...)
}

// TestWithoutBugsItIsTheOracle compares the moves of every position of the suites, and the
// positions after them.
func TestWithoutBugsItIsTheOracle(t *testing.T) {
	for _, fen := range suites.FENs() {
		right, ours := sides(t, fen)
		if got, want := len(ours.LegalMoves()), len(right.LegalMoves()); got != want {
			t.Errorf("%s: %d moves, want %d", fen, got, want)
		}
		for _, m := range right.LegalMoves() {
			after, ok := ours.Play(m.String())
			if got, want := after.Perft(1), right.Apply(m).Perft(1); !ok || got != want {
				t.Errorf("%s: %v is listed: %v, then %d moves, want %d", fen, m, ok, got, want)
			}
		}
	}
}

// TestEveryBugShows looks for a position of the suites in which the bug changes a count.
func TestEveryBugShows(t *testing.T) {
	for _, bug := range buggy.Bugs() {
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
	var stderr strings.Builder
	code := buggy.Run([]string{"--bugs", "no-en-passant,none"}, strings.NewReader(""), io.Discard, &stderr)
	if code != 2 || stderr.String() != "buggy: no bug is named \"none\"\n" {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}
