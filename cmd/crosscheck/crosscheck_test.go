// Package crosscheck compares Fianchetto's legal moves with those of the reference library,
// dragontoothmg, at every node of the trees below the positions of the suites. Where the two
// differ, a third and slow generator decides.
//
// The reference library is under the GNU General Public License, version 3; so is a program that is
// built with it. Only tests and benchmarks import it.
package crosscheck

import (
	"flag"
	"slices"
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

var most = flag.Int("nodes", 400, "nodes to compare below each position at most")

const depth = 4 // plies below each position

// referenceWrong are the positions of the suites in which the reference library is wrong.
var referenceWrong = []string{"7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2", "8/8/8/5k2/3Pp3/8/2B5/7K b - d3 0 2"}

func TestMovesAgree(t *testing.T) {
	c := crosscheck{T: t, checker: difftest.NewChecker(difftest.List)}
	positions := 0
	for _, fen := range suites.FENs() {
		if pos := fianchetto.MustParseFEN(fen); !pos.IsChess960() { // which the reference does not know
			reference := dragontoothmg.ParseFen(pos.FEN())
			c.left = *most
			c.compare(&pos, &reference, depth)
			positions++
		}
	}
	slices.Sort(c.differ)
	if !slices.Equal(c.differ, referenceWrong) {
		t.Errorf("the reference library is wrong in %q, want %q", c.differ, referenceWrong)
	}
	t.Logf("%d positions, %d nodes compared: reference wrong at %d, Fianchetto wrong at none", positions, c.compared,
		len(c.differ))
}

// crosscheck is the state of a comparison.
type crosscheck struct {
	*testing.T
	checker  *difftest.Checker
	compared int      // nodes
	left     int      // nodes to compare below the position
	differ   []string // positions in which the reference is wrong
}

// compare compares the moves of a position, and of those after it, and fails where Fianchetto is
// wrong.
func (c *crosscheck) compare(pos *fianchetto.Position, reference *dragontoothmg.Board, depth int) {
	if c.left == 0 {
		return
	}
	c.left--
	c.compared++
	var ours, theirs []string
	for m := range pos.LegalMoves() {
		ours = append(ours, pos.UCI(m))
	}
	listed := reference.GenerateLegalMoves()
	for _, m := range listed {
		theirs = append(theirs, m.String())
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	if !slices.Equal(ours, theirs) {
		n := difftest.MustRead(pos.FEN())
		c.checker.Must(c, c.checker.Check(n))
		c.differ = append(c.differ, pos.FEN())
		return // there are no common moves to compare below
	}
	for _, m := range listed {
		if depth > 0 {
			move, err := pos.ParseUCI(m.String())
			if err != nil {
				c.Fatal(err)
			}
			next, undo := pos.After(move), reference.Apply(m)
			c.compare(&next, reference, depth-1)
			undo()
		}
	}
}
