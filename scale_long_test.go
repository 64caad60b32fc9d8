//go:build long

package fianchetto_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// testScale is how many times as many nodes as usual are compared.
const testScale = 10

// TestGivesCheckInWholeTrees asks of every move three plies below every position of the suites whether it gives check,
// and makes it and looks.
func TestGivesCheckInWholeTrees(t *testing.T) {
	t.Parallel()
	var moves, checks int
	var walk func(pos *fianchetto.Position, depth int)
	walk = func(pos *fianchetto.Position, depth int) {
		for m := range pos.LegalMoves() {
			next := pos.After(m)
			gives := pos.GivesCheck(m)
			if gives != next.InCheck() {
				t.Fatalf("%v: %v gives check: %v, after it in check: %v", pos, m, gives, next.InCheck())
			}
			moves++
			if gives {
				checks++
			}
			if depth > 1 {
				walk(&next, depth-1)
			}
		}
	}
	for _, fen := range testFENs() {
		pos := fianchetto.MustParseFEN(fen)
		walk(&pos, 3)
	}
	t.Logf("%d moves, %d of which give check", moves, checks)
}
