package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/magic"
)

func newMagicInfoCommand() *cobra.Command {
	var summary bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Report table sizes and search effort of the built-in numbers",
		Long: `Info prints a table of the built-in magic numbers: for each its window of the one table they
share (start and span), the relevant occupancies it serves, the slots these use, and how many
candidates its search tried. The last lines are the totals.`,
		Example: `  fianchetto magic info
  fianchetto magic info --summary`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeMagicInfo(cmd.OutOrStdout(), magic.Info(), !summary)
		},
	}
	cmd.Flags().BoolVar(&summary, "summary", false, "print the totals only")
	return cmd
}

func writeMagicInfo(w io.Writer, info magic.Summary, squares bool) error {
	if squares {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "piece\tsquare\tnumber\tshift\tstart\tspan\toccupancies\tused\ttries\t")
		for _, s := range info.Squares {
			fmt.Fprintf(table, "%v\t%v\t%#016x\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
				s.Piece, s.Square, s.Factor, s.Shift, s.Start, s.Span, s.Occupancies, s.UsedSlots, s.Tries)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "magics\t%d\n", len(info.Squares))
	fmt.Fprintf(table, "occupancies\t%d\n", info.Occupancies)
	fmt.Fprintf(table, "slots\t%d, %d of them used\n", info.TableSlots, info.UsedSlots)
	fmt.Fprintf(table, "memory\t%d bytes of table, %d bytes of numbers, masks and pointers\n", info.TableBytes, info.EntryBytes)
	fmt.Fprintf(table, "tries\t%d\n", info.Tries)
	return table.Flush()
}
