package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// pastedDivide returns the divide that is the only argument: a file that contains one, or stdin. It
// returns "" if the argument is something else.
func pastedDivide(cmd *cobra.Command, args []string) (text string, err error) {
	if len(args) != 1 {
		return "", nil
	}
	const longest = 1 << 20
	in := cmd.InOrStdin()
	if args[0] != "-" {
		info, err := os.Stat(args[0])
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 || info.Size() > longest {
			return "", nil
		}
		file, err := os.Open(args[0])
		if err != nil {
			return "", nil
		}
		defer file.Close()
		in = file
	}
	content, err := io.ReadAll(io.LimitReader(in, longest))
	if err != nil {
		return "", exit.IO(err)
	}
	d, err := divide.Parse(string(content))
	if args[0] != "-" && (err != nil || d.IsEmpty()) {
		return "", nil
	}
	return string(content) + "\n", nil
}

// comparePasted compares a divide from elsewhere, and tells what to ask next.
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
	var text strings.Builder
	fmt.Fprintf(&text, "depth %d, %v to move: %s\n", reading.Depth, pos.SideToMove(),
		format.Plain(len(reading.Moves), "move"))
	for _, problem := range reading.Problems {
		fmt.Fprintf(&text, "note: %s\n", problem)
	}
	found := compare.Pasted(path, reading)
	for i := range found {
		fmt.Fprintf(&text, "%s\nrule: %s\n", found[i].Headline(), found[i].Rule())
	}
	differing := reading.Differing()
	off := func(r divide.Row) uint64 { return max(r.Theirs, r.Ours) - min(r.Theirs, r.Ours) }
	slices.SortStableFunc(differing, func(a, b divide.Row) int { return cmp.Compare(off(b), off(a)) })
	const enough = 10
	for _, r := range differing[:min(enough, len(differing))] {
		fmt.Fprintf(&text, "wrong count: %s: %d, not %d\n", pos.UCI(r.Move), r.Theirs, r.Ours)
	}
	if rest := len(differing) - enough; rest > 0 {
		fmt.Fprintf(&text, "wrong count: %d more\n", rest)
	}
	n := len(found) + len(differing)
	switch {
	case len(found) == 0 && len(differing) > 0:
		next := path.Then(differing[0].Move)
		fmt.Fprintf(&text, "ask next: %s\n          go perft %d\n", positionCommand(next), max(1, reading.Depth-1))
	case n == 0 && len(reading.Moves) == 0 && reading.Total != reading.Ours:
		n++
		fmt.Fprintf(&text, "the total is %d, not %d: compare the count of each move\n", reading.Total, reading.Ours)
	case n == 0:
		text.WriteString("no difference\n")
	}
	if n > 0 {
		fmt.Fprintf(&text, "explore: %s\n", c.explorerAt(path, reading.Depth, c.pasted))
	}
	if _, err := io.WriteString(cmd.OutOrStdout(), text.String()); err != nil || n == 0 {
		return err
	}
	return exit.Difference(format.Plain(n, "difference") + " in " + c.engine)
}

// positionCommand formats UCI's command that sets the end of a path.
func positionCommand(path engine.Path) string {
	text := "position fen " + path.Root.FEN()
	if path.Root.FEN() == fianchetto.StartFEN {
		text = "position startpos"
	}
	return text + " moves " + path.UCI()
}
