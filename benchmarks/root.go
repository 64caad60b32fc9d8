package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// settings are what all commands share.
type settings struct {
	testdata             string
	rounds               int
	engines              []string // paths of programs that speak "go perft N"
	gigantua             string   // path of a program that counts leaves, which gets a column of its own
	bulk, makers, hashed []string // further programs, as NAME=COMMAND
}

func newRoot() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:   "benchmarks",
		Short: "Measure Fianchetto, and compare it with others",
		Long: "Measure Fianchetto, and compare it with others.\n\n" +
			"A program to compare with is given as NAME=COMMAND. COMMAND is run with a FEN and a depth, at its end or where it has\n" +
			"{fen} and {depth}; it prints a count and the time it took on one line, such as \"193690690 80.1ms\". Other output is ignored,\n" +
			"and of several such lines the last one counts.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&s.testdata, "testdata", "../internal/suites", "directory of the perft suites")
	flags.StringArrayVar(&s.engines, "engine", nil, "program that speaks UCI and \"go perft N\", to compare with; may be repeated")
	flags.StringVar(&s.gigantua, "gigantua", "", "program that counts leaves, run with a FEN and a depth: ratios to it get a column")
	flags.StringArrayVar(&s.bulk, "bulk", nil, "program that counts leaves, as NAME=COMMAND; may be repeated")
	flags.StringArrayVar(&s.makers, "make", nil, "program that lists and makes every move, as NAME=COMMAND, and counts those; may be repeated")
	flags.StringArrayVar(&s.hashed, "hashed", nil, "program that counts leaves with a hash table, as NAME=COMMAND; may be repeated")
	root.AddCommand(newBench(s), newCompare(s))
	for _, p := range parts {
		root.AddCommand(newPart(s, p))
	}
	return root
}

// programs are contenders made of NAME=COMMAND texts.
func (s *settings) programs(texts []string, remark string) ([]contender, error) {
	var contenders []contender
	for _, text := range texts {
		p, err := parseProgram(text)
		if err != nil {
			return nil, err
		}
		contenders = append(contenders, p.contender(remark))
	}
	return contenders, nil
}

// addRounds adds the flag --rounds with the number that suits a command; 0 leaves it to each part.
func (s *settings) addRounds(cmd *cobra.Command, suitable int) {
	rounds := cmd.Flags().Int("rounds", suitable, "how often each contender has its turn")
	if suitable == 0 {
		cmd.Flags().Lookup("rounds").Usage += "; 0: as suits each part"
	}
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *rounds < min(suitable, 1) {
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
