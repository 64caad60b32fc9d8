package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func newBench(s *settings) *cobra.Command {
	const aboutAMinute = 3
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "The ratios to dragontoothmg: plain bulk perft, every move made, and evaluation by sets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return bench(cmd, s) },
	}
	s.addRounds(cmd, aboutAMinute)
	return cmd
}

// bench measures what the library promises, and prints a line for each position and their mean.
func bench(cmd *cobra.Command, s *settings) error {
	workloads, err := readWorkloads(s.testdata, plans)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s\none thread, no hash table; median of %d rounds, by turns\n", machine(), s.rounds)
	if advice := goamd64.Advice("make bench"); advice != "" {
		fmt.Fprintln(out, advice)
	}
	plain := bulkContest(workloads, referencePerft(), plainPerft())
	plain.title = "Plain bulk perft"
	contests := []contest{
		plain,
		makeContest(workloads, referenceMake(), copyMake()),
		evaluationContest(workloads, evaluateReferenceAlone(), evaluateAlone()),
		makeAndEvaluateContest(workloads, referenceMakeAndEvaluate(), copyMakeAndEvaluate()),
	}
	for _, c := range contests {
		c.rounds = s.rounds
		o, err := hold(cmd, c)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s, millions a second\n", o.title)
		for w, work := range o.workloads {
			fmt.Fprintf(out, "%-9s %d  Fianchetto %5s   %s %5s   ratio %5.2f\n", work.name, work.depth,
				millions(spreadOf(o.scores[1][w].rates).median), o.contenders[0].name,
				millions(spreadOf(o.scores[0][w].rates).median), o.ratio(1, 0, w).median)
		}
		fmt.Fprintf(out, "geometric mean: %.2f times %s; %s allocations a %s\n", o.meanRatio(1, 0), o.contenders[0].name,
			allocations(o.allocations(1)), o.unit)
	}
	return nil
}
