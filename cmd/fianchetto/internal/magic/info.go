package magic

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/magic"
)

func newInfoCommand() *cobra.Command {
	var summary, asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Report table sizes and search effort of the built-in numbers",
		Long: `Info prints a table of the built-in magic numbers: for each its window of the one table they share (start and span), the relevant
occupancies it serves, the slots that these use, and how many candidates its search tried. The last lines are the totals.`,
		Example: `  fianchetto magic info
  fianchetto magic info --summary`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				info := info{totals: newTotals(magic.Numbers())}
				for _, m := range magic.Numbers() {
					if !summary {
						info.Numbers = append(info.Numbers, newWindow(m))
					}
				}
				return json.NewEncoder(cmd.OutOrStdout()).Encode(info)
			}
			return writeInfo(cmd.OutOrStdout(), !summary)
		},
	}
	cmd.Flags().BoolVar(&summary, "summary", false, "print the totals only")
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

func writeInfo(w io.Writer, squares bool) error {
	if squares {
		table := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "piece\tsquare\tnumber\tshift\tstart\tspan\toccupancies\tused\ttries\t")
		for _, number := range magic.Numbers() {
			m := newWindow(number)
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", m.Piece, m.Square, m.Number, m.Shift, m.Start, m.Span, m.Occupancies, m.Used, m.Tries)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	t := newTotals(magic.Numbers())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "magics\t%d\n", t.Magics)
	fmt.Fprintf(table, "occupancies\t%d\n", t.Occupancies)
	fmt.Fprintf(table, "slots\t%d, %d of them used\n", t.Slots, t.Used)
	fmt.Fprintf(table, "memory\t%d bytes of table, %d bytes of numbers, masks and pointers\n", t.TableBytes, t.OtherBytes)
	fmt.Fprintf(table, "tries\t%d\n", t.Tries)
	return table.Flush()
}
