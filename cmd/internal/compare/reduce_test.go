package compare_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// fragile is a program that crashes when it generates moves in one position.
type fragile struct {
	engine.Program
	position string // its pieces
	anew     bool
}

func (f fragile) StartsAnew() bool { return f.anew }

func (f fragile) Divide(ctx context.Context, path engine.Path, depth int) (divide.Divide, error) {
	if f.visits(path.Position(), depth) {
		return divide.Divide{}, &client.Error{Program: "fragile", Err: client.ErrEnded, Detail: "exit status 9"}
	}
	return f.Program.Divide(ctx, path, depth)
}

func (f fragile) visits(pos fianchetto.Position, depth int) bool {
	if depth == 0 || strings.HasPrefix(pos.FEN(), f.position+" ") {
		return depth > 0
	}
	for m := range pos.LegalMoves() {
		if f.visits(pos.After(m), depth-1) {
			return true
		}
	}
	return false
}

// TestFailuresAreLocated finds the first position in which a program crashes, and the difference
// that a smaller depth shows.
func TestFailuresAreLocated(t *testing.T) {
	const root = "4k3/8/8/8/2Pp4/8/4P3/4K3 b - c3 0 1"
	const crash = "8/4k3/8/8/2Pp4/4P3/8/4K3"
	for _, test := range []struct {
		bug, position string
		anew          bool
		path          string
		depth         int
		difference    string
	}{
		{"", crash, false, "e8e7 e2e3", 1, ""},
		{"", crash, true, "e8e7 e2e3", 1, ""},
		{"no-en-passant", crash, false, "e8e7 e2e3", 1, "missing d4c3"},
		{"no-en-passant", crash, true, "e8e7 e2e3", 1, "missing d4c3"},
		{"no-en-passant", "4k3/8/8/8/2Pp4/8/4P3/4K3", true, "", 1, ""},
	} {
		program := fragile{bugged(test.bug), test.position, test.anew}
		report, err := compare.New(program, compare.Options{}).Compare(t.Context(), at(root), 3)
		if !errors.Is(err, client.ErrEnded) || report.Failed == nil {
			t.Fatalf("%+v: %v, %+v", test, err, report)
		}
		got := ""
		if len(report.Differences) > 0 {
			got = report.Differences[0].Subject()
		}
		if f := report.Failed; f.Path.UCI() != test.path || f.Depth != test.depth || got != test.difference {
			t.Errorf("%+v: failed after %q at depth %d, difference %q", test, f.Path.UCI(), f.Depth, got)
		}
	}
}

// TestFewFailuresAreLocated lowers the depth in the first positions of a run only.
func TestFewFailuresAreLocated(t *testing.T) {
	comparer := compare.New(fragile{bugged(""), "4k3/8/8/8/4P3/8/8/4K3", false}, compare.Options{})
	for i, want := range []int{1, 1, 1, 2, 2} {
		report, err := comparer.Compare(t.Context(), at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 2)
		if err == nil || report.Failed.Depth != want {
			t.Errorf("position %d: failed at depth %d, want %d, %v", i, report.Failed.Depth, want, err)
		}
	}
}
