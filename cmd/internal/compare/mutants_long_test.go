//go:build long

package compare_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
)

// TestSuitesFindEveryMutant compares each mutant on the suites of traps, until one shows it by the rule that it breaks:
// nobody chooses the position.
func TestSuitesFindEveryMutant(t *testing.T) {
	var traps []fianchetto.Position
	for _, suite := range []string{"traps", "traps960"} {
		suitePositions(suite, 1, func(_ string, pos fianchetto.Position) { traps = append(traps, pos) })
	}
	for _, planted := range mutants {
		t.Run(planted.bug, func(t *testing.T) {
			t.Parallel()
			program := open(t, engine.Config{}, "--bugs", planted.bug)
			for depth := 2; depth <= 3; depth++ {
				for _, pos := range traps {
					if found(t, program, pos, depth, planted) {
						return
					}
				}
			}
			t.Errorf("%s by the rule %s is found nowhere", planted.kind, planted.rule)
		})
	}
}

func found(t *testing.T, program engine.Program, pos fianchetto.Position, depth int, planted plantedBug) bool {
	if mutant.IsChess960(planted.bug) && !pos.IsChess960() {
		return false
	}
	report, err := compare.New(program, compare.Options{Depth: depth, Threads: 1}).Compare(t.Context(),
		engine.Path{Root: pos})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Differences {
		if d.Kind == planted.kind && d.Verdict.Rule == planted.rule {
			return true
		}
	}
	return false
}
