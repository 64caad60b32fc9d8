package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// A part of the comparison measures, and returns what it found as tables and pictures.
type part func(cmd *cobra.Command, s *settings) (report, error)

// report is what a part found.
type report struct {
	tables   []*table
	pictures []picture
}

// addPart adds a command that measures one part and prints it.
func addPart(root *cobra.Command, s *settings, name, short string, rounds int, p part) {
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := p(cmd, s)
			if err != nil {
				return err
			}
			return r.writeTo(cmd.OutOrStdout())
		},
	}
	s.addRounds(cmd, rounds)
	root.AddCommand(cmd)
}

func (r report) writeTo(out io.Writer) error {
	if _, err := fmt.Fprintln(out, machine()); err != nil {
		return err
	}
	for _, t := range r.tables {
		if err := t.writeTo(out); err != nil {
			return err
		}
	}
	return nil
}

// sliders compares the slider algorithms. A turn is short, hence rounds of rounds.
func sliders(cmd *cobra.Command, s *settings) (report, error) {
	const turnsPerRound = 4
	asked, err := readQuestions(s.testdata)
	if err != nil {
		return report{}, err
	}
	o, err := raceSliders(cmd.Context(), sliderPlayers(), asked, s.rounds*turnsPerRound)
	if err != nil {
		return report{}, err
	}
	return report{[]*table{o.table()}, []picture{o.picture()}}, nil
}

// generators compares move generators: plain bulk perft, and every move made.
func generators(cmd *cobra.Command, s *settings) (report, error) {
	workloads, err := readWorkloads(s.testdata, shortPlan)
	if err != nil {
		return report{}, err
	}
	bulk := bulkContest(workloads, referencePerft(), plainPerft(), corentingsPerft(), notnilPerft())
	for _, path := range s.engines {
		bulk.contenders = append(bulk.contenders, enginePerft(path))
	}
	made := makeContest(workloads, referenceMake(), copyMake(), makeUnmake(), after(), corentingsMake(), notnilMake())
	return s.holdAll(cmd, bulk, made)
}

// methods compares the ways to count, each in a row that says what it is.
func methods(cmd *cobra.Command, s *settings) (report, error) {
	workloads, err := readWorkloads(s.testdata, deepPlan)
	if err != nil {
		return report{}, err
	}
	c := bulkContest(workloads, referencePerft())
	c.title = "Perft by method"
	c.contenders = append(c.contenders, methodContenders(cmd.Context())...)
	c.contenders = append(c.contenders, counting(fmt.Sprintf("auto, %d threads", runtime.NumCPU()),
		"the fastest method on all CPUs; no hash table", perft.Options{Threads: runtime.NumCPU()}))
	return s.holdAll(cmd, c)
}

// methodContenders are all methods that this CPU has, on one thread without a hash table.
func methodContenders(ctx context.Context) []contender {
	remarks := map[string]string{
		"plain":   "every move but those of the last ply made, which is counted",
		"two-ply": "the last two plies counted at once, by what each move changes: most of the moves before the last are not made",
		"simd":    "positions counted side by side with vector instructions",
	}
	var contenders []contender
	for _, name := range perft.MethodNames() {
		method, err := perft.ParseMethod(name)
		if err != nil || method == perft.Auto {
			continue
		}
		options := perft.Options{Method: method, Threads: 1}
		if _, err := perft.Run(ctx, fianchetto.StartPosition(), 1, options); err != nil {
			continue // not on this CPU
		}
		contenders = append(contenders, counting(name, remarks[name]+"; one thread, no hash table", options))
	}
	return contenders
}

// startposDeep is how many leaves the start position has to depths 7 and 8.
// Source: https://www.chessprogramming.org/Perft_Results
var startposDeep = []uint64{3195901860, 84998978956}

// hashed measures counting with a hash table, in a tree deep enough to need one.
func hashed(cmd *cobra.Command, s *settings) (report, error) {
	const megabytes = 256
	workloads, err := readWorkloads(s.testdata, []plan{{"startpos", 6}})
	if err != nil {
		return report{}, err
	}
	start := &workloads[0]
	start.leaves = append(start.leaves, startposDeep...)
	start.depth = len(start.leaves) - 1
	plain := plainPerft()
	plain.fewer = 2
	c := bulkContest(workloads, plain)
	c.title = "Hashed perft"
	for _, threads := range []int{1, runtime.NumCPU()} {
		c.contenders = append(c.contenders, counting(fmt.Sprintf("%d MiB, threads: %d", megabytes, threads),
			"whole positions kept and compared, the table made anew for each count", perft.Options{HashMB: megabytes, Threads: threads}))
	}
	for _, path := range s.engines {
		e := enginePerft(path)
		e.fewer = 2
		c.contenders = append(c.contenders, e)
	}
	few := *s
	few.rounds = min(s.rounds, 3) // one takes as long as all rounds of another part
	return few.holdAll(cmd, c)
}

// holdAll holds contests one after the other.
func (s *settings) holdAll(cmd *cobra.Command, contests ...contest) (report, error) {
	var r report
	for _, c := range contests {
		c.rounds = s.rounds
		o, err := hold(cmd, c)
		if err != nil {
			return report{}, err
		}
		r.tables = append(r.tables, o.tables()...)
		r.pictures = append(r.pictures, o.picture())
	}
	return r, nil
}

// newCompare is all parts, into files.
func newCompare(s *settings) *cobra.Command {
	var results, plots string
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Measure everything, and write a page of results and plots",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return compare(cmd, s, results, plots) },
	}
	cmd.Flags().StringVar(&results, "results", "results.md", "file for the tables")
	cmd.Flags().StringVar(&plots, "plots", "plots", "directory for the plots")
	s.addRounds(cmd, 5)
	return cmd
}

func compare(cmd *cobra.Command, s *settings, results, plots string) error {
	var all report
	for _, p := range []part{sliders, generators, methods, hashed} {
		r, err := p(cmd, s)
		if err != nil {
			return err
		}
		if err := r.writeTo(cmd.OutOrStdout()); err != nil {
			return err
		}
		all.tables, all.pictures = append(all.tables, r.tables...), append(all.pictures, r.pictures...)
	}
	return all.save(results, plots)
}

// save writes the page and the pictures it shows.
func (r report) save(results, plots string) error {
	page, err := os.Create(results)
	if err != nil {
		return err
	}
	defer page.Close()
	if err := os.MkdirAll(plots, 0o755); err != nil {
		return err
	}
	fmt.Fprint(page, "# Results\n\nWritten by `make bench-compare`. Figures differ from machine to machine and from hour to hour; ratios less so. "+
		"With much more than one process busy they mean little: those that wait for CPUs longest look slowest.\n\n")
	if err := r.writeTo(page); err != nil {
		return err
	}
	fmt.Fprint(page, "\n## Plots\n\n")
	for _, p := range r.pictures {
		path := filepath.Join(plots, p.file)
		if err := p.save(path); err != nil {
			return err
		}
		link, err := filepath.Rel(filepath.Dir(results), path)
		if err != nil {
			return err
		}
		fmt.Fprintf(page, "![%s](%s)\n\n", p.title, filepath.ToSlash(link))
	}
	return page.Close()
}
