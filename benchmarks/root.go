package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// settings are what all commands share.
type settings struct {
	testdata string
	rounds   int
	engines  []string // paths of programs that speak "go perft N"
}

func newRoot() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:           "benchmarks",
		Short:         "Measure Fianchetto, and compare it with others",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&s.testdata, "testdata", "../testdata", "directory of the perft suites")
	root.PersistentFlags().StringArrayVar(&s.engines, "engine", nil, "program that speaks UCI and \"go perft N\", to compare with; may be repeated")
	root.AddCommand(newBench(s), newCompare(s))
	addPart(root, s, "sliders", "Compare the slider algorithms: time and table size, warm and thrashed caches", 5, sliders)
	addPart(root, s, "generators", "Compare generators: plain bulk perft, and every move made", 5, generators)
	addPart(root, s, "perft", "Compare perft's methods: plain and others, and on all threads", 5, methods)
	addPart(root, s, "hashed", "Measure perft with a hash table, on one thread and on all", 3, hashed)
	return root
}

// addRounds adds the flag --rounds with the number that suits a command.
func (s *settings) addRounds(cmd *cobra.Command, suitable int) {
	rounds := cmd.Flags().Int("rounds", suitable, "how often each contender has its turn")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *rounds < 1 {
			return fmt.Errorf("--rounds %d: want at least 1", *rounds)
		}
		s.rounds = *rounds
		return nil
	}
}

// hold runs a contest, with its progress on standard error if that is a terminal.
func hold(cmd *cobra.Command, c contest) (outcome, error) {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		c.progress = func(done, total int) {
			fmt.Fprintf(os.Stderr, "\r\x1b[K")
			if done < total {
				fmt.Fprintf(os.Stderr, "%s: %d of %d", c.title, done, total)
			}
		}
	}
	return c.run(cmd.Context())
}
