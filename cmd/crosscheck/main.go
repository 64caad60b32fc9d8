// Crosscheck compares Fianchetto's legal moves with those of the reference library, dragontoothmg, at every node of
// the trees below the positions of EPD suites. Where the two differ, a third and slow generator decides.
//
// The reference library is under the GNU General Public License, version 3; so is this program when it is built with
// it. Apart from this program, only tests and benchmarks import it.
//
// Differences go to stdout, one line each, then a summary. The exit code is 0 if Fianchetto is right
// everywhere, 1 if it is wrong somewhere, 2 for wrong usage or input, 3 if a file cannot be read.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dylhunn/dragontoothmg"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

func main() { cli.Main(newCommand()) }

func newCommand() *cobra.Command {
	var limits limits
	command := &cobra.Command{
		Use:     "crosscheck SUITE.epd...",
		Short:   "Compare legal moves with the reference library, node by node",
		Example: "  crosscheck internal/suites/published.epd internal/suites/random.epd",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if limits.depth < 0 || limits.nodes < 1 {
				return fmt.Errorf("--depth %d, --nodes %d: a tree has a depth from 0 and a node at least",
					limits.depth, limits.nodes)
			}
			return crosscheckFiles(files, limits, cmd.OutOrStdout())
		},
	}
	command.Flags().IntVar(&limits.depth, "depth", 4, "plies to go down from each position")
	command.Flags().IntVar(&limits.nodes, "nodes", 20000, "nodes to compare below each position at most")
	return command
}

func crosscheckFiles(files []string, limits limits, stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	check := crosscheck{limits: limits, out: out}
	for _, name := range files {
		if err := check.file(name); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d positions, %d nodes compared (%d positions of Chess960 left out): "+
		"reference wrong at %d, Fianchetto wrong at %d\n",
		check.positions, check.compared, check.leftOut, check.referenceWrong, check.wrong)
	if err := out.Flush(); err != nil {
		return err
	}
	if check.wrong > 0 {
		return exit.Difference("the generator differs from the rules")
	}
	return nil
}

// limits bound the tree below each position.
type limits struct {
	depth, nodes int
}

// crosscheck is the state of a comparison.
type crosscheck struct {
	limits
	out io.Writer

	positions, leftOut    int // positions compared, and those of Chess960, which the reference does not know
	compared              int // nodes
	wrong, referenceWrong int // nodes where the moves are wrong
}

func (c *crosscheck) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return exit.IO(err)
	}
	defer f.Close()
	for line, err := range suite.Read(f, name) {
		if err != nil {
			return err
		}
		if line.Position.IsChess960() {
			c.leftOut++
			continue
		}
		c.positions++
		reference := dragontoothmg.ParseFen(line.Position.FEN())
		budget := c.nodes
		if err := c.tree(&line.Position, &reference, c.depth, &budget); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line.Line, err)
		}
	}
	return nil
}

func (c *crosscheck) tree(pos *fianchetto.Position, reference *dragontoothmg.Board, depth int, budget *int) error {
	if *budget <= 0 {
		return nil
	}
	*budget--
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
		// Below a difference there are no common moves to compare.
		return c.judge(pos, ours, theirs)
	}
	if depth == 0 {
		return nil
	}
	for _, m := range listed {
		move, err := pos.ParseUCI(m.String())
		if err != nil {
			return fmt.Errorf("%v: %w", pos, err)
		}
		next := pos.After(move)
		undo := reference.Apply(m)
		if err := c.tree(&next, reference, depth-1, budget); err != nil {
			return err
		}
		undo()
	}
	return nil
}

// judge compares both with the slow generator, counts the result and prints it.
func (c *crosscheck) judge(pos *fianchetto.Position, ours, theirs []string) error {
	board, err := oracle.Parse(pos.FEN())
	if err != nil {
		return err
	}
	var rules []string
	for _, m := range board.LegalMoves() {
		rules = append(rules, board.UCI(m))
	}
	slices.Sort(rules)
	if !slices.Equal(ours, rules) {
		c.wrong++
		fmt.Fprintf(c.out, "Fianchetto wrong: %s in %v\n", difference(ours, rules), pos)
	}
	if !slices.Equal(theirs, rules) {
		c.referenceWrong++
		fmt.Fprintf(c.out, "reference wrong: %s in %v\n", difference(theirs, rules), pos)
	}
	return nil
}

// difference lists the moves that got lacks and those that it has too many.
func difference(got, want []string) string {
	var parts []string
	for _, m := range want {
		if !slices.Contains(got, m) {
			parts = append(parts, "missing "+m)
		}
	}
	for i, m := range got {
		if !slices.Contains(want, m) || i > 0 && got[i-1] == m {
			parts = append(parts, "extra "+m)
		}
	}
	return strings.Join(parts, ", ")
}
