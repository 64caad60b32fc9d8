package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
)

type movesOptions struct {
	positionFlags
	givesCheck bool
}

func newMovesCommand() *cobra.Command {
	var o movesOptions
	cmd := &cobra.Command{
		Use:   "moves",
		Short: "List the legal moves",
		Long: `Moves lists the legal moves of a position, one on each line, sorted, as UCI spells them.
A position without legal moves gives no lines.`,
		Example: `  fianchetto moves
  fianchetto moves --fen kiwipete --gives-check
  fianchetto moves --moves "e2e4 e7e5" --fen startpos
  fianchetto moves --chess960 --fen "4k3/8/8/8/8/8/8/4K2R w K - 0 1"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pos, err := o.position()
			if err != nil {
				return err
			}
			for _, line := range o.lines(&pos) {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
					return err
				}
			}
			return nil
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&o.givesCheck, "gives-check", false, "mark the moves that give check with a +")
	return cmd
}

// lines spells the legal moves of pos, sorted.
func (o *movesOptions) lines(pos *fianchetto.Position) []string {
	var lines []string
	for m := range pos.LegalMoves() {
		line := pos.UCI(m)
		if o.givesCheck && pos.GivesCheck(m) {
			line += "+"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
