package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newBench(s *settings) *cobra.Command {
	const inUnderAMinute = 3
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "The two ratios to dragontoothmg: plain bulk perft, and every move made",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return bench(cmd, s) },
	}
	s.addRounds(cmd, inUnderAMinute)
	return cmd
}

// bench measures what the library promises, and prints a line for each position and their mean.
func bench(cmd *cobra.Command, s *settings) error {
	workloads, err := readWorkloads(s.testdata, shortPlan)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s\none thread, no hash table; median of %d rounds, by turns\n", machine(), s.rounds)
	contests := []contest{
		bulkContest(workloads, referencePerft(), plainPerft()),
		makeContest(workloads, referenceMake(), copyMake()),
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
				millions(spreadOf(o.scores[0][w].rates).median), o.ratio(1, w).median)
		}
		fmt.Fprintf(out, "geometric mean: %.2f times %s; %s allocations a %s\n", o.meanRatio(1), o.contenders[0].name,
			allocations(o.allocations(1)), o.unit)
	}
	return nil
}

// bulkContest is about leaves: the last ply is counted, not made.
func bulkContest(workloads []workload, contenders ...contender) contest {
	return contest{
		title:      "Plain bulk perft",
		unit:       "leaf",
		expected:   func(w workload, depth int) uint64 { return w.leaves[depth] },
		workloads:  workloads,
		contenders: contenders,
	}
}

// makeContest is about moves: all legal moves of all nodes are listed and made, those of the last ply too.
// One ply less does for that.
func makeContest(workloads []workload, contenders ...contender) contest {
	var smaller []workload
	for _, w := range workloads {
		smaller = append(smaller, w.shallower(1))
	}
	return contest{
		title:      "Generate and make every move",
		unit:       "move",
		expected:   workload.moves,
		workloads:  smaller,
		contenders: contenders,
	}
}
