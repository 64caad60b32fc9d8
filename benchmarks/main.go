// Command benchmarks measures Fianchetto and compares it with others: slider algorithms with each other,
// move generators, perft and evaluation with dragontoothmg, with further Go libraries, with any engine that speaks
// "go perft N", and with any program that prints a count and a time. It is a module of its own, so that its
// requirements stay out of the library's go.mod.
//
//	go run . bench       the ratios to dragontoothmg, in about a minute
//	go run . compare     everything, a few minutes, into results.md and plots/
//	go run . sliders     and so on: one part of it, printed
//
// Contenders take turns, position by position and round by round, so that other work of the machine
// affects all of them. A ratio is the median of the ratios of each round, not a ratio of medians. Every
// count is checked: a wrong one ends the run with exit status 1.
//
// dragontoothmg is under the GPL, version 3, and so is a program built from this module; the library is not.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// settings are what all commands share.
type settings struct {
	rounds               int
	engines              []string    // paths of programs that speak "go perft N"
	gigantua             string      // path of a program that counts leaves; ratios to it get a column
	bulk, makers, hashed []contender // further programs
	workloads            []workload
}

func newRoot() *cobra.Command {
	s := &settings{workloads: newWorkloads(plans)}
	root := &cobra.Command{
		Use:   "benchmarks",
		Short: "Measure Fianchetto, and compare it with others",
		Long: `Measure Fianchetto, and compare it with others.

A program to compare with is given as NAME=COMMAND. COMMAND is run with a FEN and a depth, at its end or where it has
{fen} and {depth}; it prints a count and the time it took on one line, such as "193690690 80.1ms". Other output is
ignored, and of several such lines the last one counts.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	flags := root.PersistentFlags()
	flags.StringArrayVar(&s.engines, "engine", nil,
		`program that speaks UCI and "go perft N", to compare with; may be repeated`)
	flags.StringVar(&s.gigantua, "gigantua", "",
		"program that counts leaves, run with a FEN and a depth: ratios to it get a column")
	for _, programs := range []struct {
		flag, usage string
		contenders  *[]contender
	}{
		{"bulk", "program that counts leaves, as `NAME=COMMAND`; may be repeated", &s.bulk},
		{"make", "program that lists and makes every move, as `NAME=COMMAND`, and counts those; may be repeated", &s.makers},
		{"hashed", "program that counts leaves with a hash table, as `NAME=COMMAND`; may be repeated", &s.hashed},
	} {
		flags.Func(programs.flag, programs.usage, func(text string) error {
			p, err := parseProgram(text)
			const remark = "its own process; counts and times as it prints them"
			*programs.contenders = append(*programs.contenders, p.contender(remark))
			return err
		})
	}
	root.AddCommand(newBench(s), newCompare(s))
	for _, p := range parts {
		root.AddCommand(newPart(s, p))
	}
	return root
}

// prepare adds the flag --rounds with the number that suits a command, 0 to leave it to each part.
func (s *settings) prepare(cmd *cobra.Command, suitable int) *cobra.Command {
	rounds := cmd.Flags().Int("rounds", suitable, "how often each contender has its turn")
	if suitable == 0 {
		cmd.Flags().Lookup("rounds").Usage += "; 0: as suits each part"
	}
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if s.rounds = *rounds; s.rounds < min(suitable, 1) {
			return fmt.Errorf("--rounds %d: want at least 1", s.rounds)
		}
		return nil
	}
	return cmd
}

// hold runs a contest, with its progress on standard error if that is a terminal.
func (s *settings) hold(cmd *cobra.Command, c contest) (outcome, error) {
	c.rounds = s.rounds
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

func newBench(s *settings) *cobra.Command {
	const aboutAMinute = 3
	return s.prepare(&cobra.Command{
		Use:   "bench",
		Short: "The ratios to dragontoothmg: plain bulk perft, every move made, and evaluation by sets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return bench(cmd, s) },
	}, aboutAMinute)
}

// bench measures what the library promises, and prints a line for each position and their mean.
func bench(cmd *cobra.Command, s *settings) error {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s\none thread, no hash table; median of %d rounds, by turns\n", machine(), s.rounds)
	if advice := goamd64.Advice("make bench"); advice != "" {
		fmt.Fprintln(out, advice)
	}
	plain := bulkContest(s.workloads, referencePerft(), plainPerft())
	plain.title = "Plain bulk perft"
	made := makeContest(s.workloads, referenceMake(false), copyMake(false))
	for _, c := range append([]contest{plain, made}, evaluationContests(s)...) {
		o, err := s.hold(cmd, c)
		if err != nil {
			return err
		}
		reference := o.contenders[0].name
		fmt.Fprintf(out, "\n%s, millions a second\n", o.title)
		for w, work := range o.workloads {
			fmt.Fprintf(out, "%-9s %d  Fianchetto %5s   %s %5s   ratio %5.2f\n", work.name, work.depth,
				millions(spreadOf(o.scores[1][w].rates).median), reference,
				millions(spreadOf(o.scores[0][w].rates).median), o.ratio(1, 0, w).median)
		}
		fmt.Fprintf(out, "geometric mean: %.2f times %s; %s allocations a %s\n",
			o.meanRatio(1, 0), reference, allocations(o.allocations(1)), o.unit)
	}
	return nil
}

// newPart is the command that measures one part and prints it.
func newPart(s *settings, p part) *cobra.Command {
	return s.prepare(&cobra.Command{
		Use:   p.name,
		Short: p.short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := p.measure(cmd, s)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), r.text())
			return err
		},
	}, p.rounds)
}

// newCompare is all parts, into files.
func newCompare(s *settings) *cobra.Command {
	var results, plots string
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	cmd := &cobra.Command{
		Use:   "compare [PART...]",
		Short: "Measure everything, or some parts anew, and write a page of results and plots",
		Long: "Compare measures all parts, or those named, and writes the page of results and the plots. " +
			"Parts that are not measured stay on the page as they were.\n\nParts: " + strings.Join(names, ", "),
		ValidArgs: names,
		Args:      cobra.OnlyValidArgs,
		RunE:      func(cmd *cobra.Command, names []string) error { return compare(cmd, s, names, results, plots) },
	}
	cmd.Flags().StringVar(&results, "results", "results.md", "file for the tables")
	cmd.Flags().StringVar(&plots, "plots", "plots", "directory for the plots")
	return s.prepare(cmd, 0)
}

func compare(cmd *cobra.Command, s *settings, names []string, results, plots string) error {
	page, err := readPage(results)
	if err != nil {
		return err
	}
	rounds := s.rounds
	for _, p := range parts {
		if len(names) != 0 && !slices.Contains(names, p.name) {
			continue
		}
		if s.rounds = rounds; rounds == 0 {
			s.rounds = p.rounds
		}
		r, err := p.measure(cmd, s)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(cmd.OutOrStdout(), r.text()); err != nil {
			return err
		}
		if page[p.name], err = r.section(filepath.Dir(results), plots); err != nil {
			return err
		}
		if err := writePage(results, page); err != nil {
			return err
		}
	}
	return nil
}
