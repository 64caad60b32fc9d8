package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// pastedDivide returns the divide that is the only argument: a file that contains one, or stdin.
func pastedDivide(cmd *cobra.Command, args []string) (text string, err error) {
	if len(args) != 1 {
		return "", nil
	}
	in, isFile := cmd.InOrStdin(), args[0] != "-"
	if isFile {
		info, err := os.Stat(args[0])
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 {
			return "", nil
		}
		file, err := os.Open(args[0])
		if err != nil {
			return "", nil
		}
		defer file.Close()
		in = file
	}
	const longest = 1 << 20
	content, err := io.ReadAll(io.LimitReader(in, longest))
	if err != nil {
		return "", exit.IO(err)
	}
	if d, err := divide.Parse(string(content)); isFile && (err != nil || d.IsEmpty()) {
		if cmd.Flags().Changed("fen") { // which no suite goes with
			err = fmt.Errorf("%s: %w", args[0], cmp.Or(err, error(divide.ErrNoCounts)))
			return "", err
		}
		return "", nil
	}
	return string(content) + "\n", nil
}

func (c *comparison) comparePasted(cmd *cobra.Command) error {
	root, moves, err := c.Line()
	if err != nil {
		return err
	}
	wanted := 0
	if cmd.Flags().Changed("depth") {
		wanted = c.depth
	}
	path := engine.Path{Root: root, Moves: moves}
	pos := path.Position()
	reading, err := divide.Read(cmd.Context(), pos, wanted, c.pasted)
	if err != nil {
		return fmt.Errorf("%s: %w", c.engine, err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "depth %d, %v to move: %s\n", reading.Depth, pos.SideToMove(),
		format.Plain(len(reading.Moves), "move"))
	for _, problem := range reading.Problems {
		fmt.Fprintf(out, "note: %s\n", problem)
	}
	found, differing := compare.Pasted(path, reading), reading.Differing()
	for i := range found {
		fmt.Fprintf(out, "%s\nrule: %s\n", found[i].Headline(), found[i].Rule())
	}
	for _, r := range differing {
		fmt.Fprintf(out, "wrong count: %s: %d, not %d\n", pos.UCI(r.Move), r.Theirs, r.Ours)
	}
	n := len(found) + len(differing)
	switch {
	case len(found) == 0 && len(differing) > 0:
		next := path.Then(differing[0].Move)
		fmt.Fprintf(out, "ask next: %s\n          go perft %d\n", next.Command(), max(1, reading.Depth-1))
	case n == 0 && len(reading.Moves) == 0 && reading.Total != reading.Ours:
		n++
		fmt.Fprintf(out, "the total is %d, not %d: compare the count of each move\n", reading.Total, reading.Ours)
	case n == 0 && reading.Incomplete:
		fmt.Fprintf(out, "no difference in the counts of %d of %d moves\n", len(reading.Moves), len(reading.Rows))
	case n == 0:
		fmt.Fprintln(out, "no difference")
	}
	if n == 0 {
		return nil
	}
	fmt.Fprintf(out, "explore: %s\n", c.explorerAt(path, reading.Depth, c.pasted))
	return exit.Difference(format.Plain(n, "difference") + " in " + c.engine)
}
