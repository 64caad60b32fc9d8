package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/magic"
)

func newMagicInfoCommand() *cobra.Command {
	var summary bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Report table sizes and search effort of the built-in numbers",
		Long: `Info prints a table of the built-in magic numbers: for each its window of the one table they share (start and span), the relevant
occupancies it serves, the slots that these use, and how many candidates its search tried. The last lines are the totals.`,
		Example: `  fianchetto magic info
  fianchetto magic info --summary`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeMagicInfo(cmd.OutOrStdout(), !summary)
		},
	}
	cmd.Flags().BoolVar(&summary, "summary", false, "print the totals only")
	return cmd
}

func writeMagicInfo(w io.Writer, squares bool) error {
	if squares {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "piece\tsquare\tnumber\tshift\tstart\tspan\toccupancies\tused\ttries\t")
		for _, m := range magic.Windows() {
			used := m.Used()
			fmt.Fprintf(table, "%v\t%v\t%#016x\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
				m.Piece, m.Square, m.Factor, m.Shift, m.Start, slices.Max(used)+1, 1<<m.Mask.Len(), len(used), m.Tries)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return writeMagicTotals(w, magic.Windows())
}

func writeMagicTotals(w io.Writer, windows []magic.Window) error {
	occupancies, slots, used, tries := 0, 0, 0, 0
	for _, m := range windows {
		occupancies += 1 << m.Mask.Len()
		slots = max(slots, m.Start+m.Slots())
		used += len(m.Used())
		tries += m.Tries
	}
	const slotBytes = 8
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "magics\t%d\n", len(windows))
	fmt.Fprintf(table, "occupancies\t%d\n", occupancies)
	fmt.Fprintf(table, "slots\t%d, %d of them used\n", slots, used)
	fmt.Fprintf(table, "memory\t%d bytes of table, %d bytes of numbers, masks and pointers\n", slots*slotBytes, magic.TableBytes-slots*slotBytes)
	fmt.Fprintf(table, "tries\t%d\n", tries)
	return table.Flush()
}
