//go:build long

package compare_test

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func init() { everyBug = true }

// TestSuitesFindEveryBug compares each buggy generator on the suites that compare asks about by
// itself, until a position shows the bug by the rule that it breaks. One bug shows in no position
// that a game reaches, so it has the suite of unreachable positions.
func TestSuitesFindEveryBug(t *testing.T) {
	for _, planted := range plantedBugs() {
		t.Run(planted.bug, func(t *testing.T) {
			t.Parallel()
			program := open(t, engine.Config{}, "--bugs", planted.bug)
			asked := []string{"traps", "traps960", "state"}
			if planted.bug == "en-passant-ignores-shielding-victim" {
				asked = []string{"unreachable"}
			}
			for depth := 2; depth <= 3; depth++ {
				for _, fen := range suites.FENs(asked...) {
					if pos := fianchetto.MustParseFEN(fen); strings.HasPrefix(planted.bug, "960-") && !pos.IsChess960() {
						continue
					}
					for _, d := range differences(t, program, fen, depth) {
						if d.Kind == planted.kind && d.Verdict.Rule == planted.rule {
							return
						}
					}
				}
			}
			t.Errorf("%s by the rule %s is found nowhere", planted.kind, planted.rule)
		})
	}
}
