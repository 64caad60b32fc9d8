// Package suite is the subcommand that checks the counts of perft suites.
package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/progress"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type options struct {
	maxNodes uint64
	maxDepth int
	threads  int
	json     bool
	junit    string
}

// NewCommand returns the subcommand suite.
func NewCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "suite SUITE...",
		Short: "Check the counts of perft suites",
		Long: `Suite counts the positions of perft suites, and reports each count that differs from the suite's, with the leaves below each move. Its
last line has how many positions, counts and leaves there were. The suites are files, - for stdin, or published, traps, traps960,
random, random960 and unreachable, which are part of this command.

It reads EPD ("FEN ;D1 20 ;D2 400", and what is like it), lists ("FEN,20,400"), and the .perft files of python-chess. A malformed
line, and what is skipped, is named on stderr, and the rest is counted all the same.`,
		Example: `  fianchetto suite published --max-depth 3
  printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D4 197281' | fianchetto suite -
  fianchetto suite traps --max-nodes 1000000 --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("suite: no suite is given: a file, - for stdin, or one of " + strings.Join(suites.Names(), ", "))
			}
			return nil
		},
		ValidArgsFunction: input.CompleteSuites,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.maxDepth < 0 {
				return fmt.Errorf("--max-depth: %d is less than 0", o.maxDepth)
			}
			if err := cli.CheckThreads("threads", o.threads); err != nil {
				return err
			}
			if cmd.Flags().Changed("junit") && o.junit == "" {
				return errors.New("--junit is empty: it needs the name of a file")
			}
			return o.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&o.maxNodes, "max-nodes", 0, "skip counts of more than `N` leaves; 0 skips none")
	flags.IntVar(&o.maxDepth, "max-depth", 0, "skip counts deeper than `N` plies; 0 skips none")
	flags.IntVar(&o.threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	flags.BoolVar(&o.json, "json", false, "print JSON Lines instead of text")
	flags.StringVar(&o.junit, "junit", "", "write a report in JUnit's XML to `FILE`, too")
	cli.GroupFlags(cmd, "Reports", "json", "junit")
	return cmd
}

// run checks the suites and reports.
func (o *options) run(cmd *cobra.Command, files []string) error {
	s := &run{started: time.Now(), diagnostics: cmd.ErrOrStderr()}
	if o.json {
		s.reports = append(s.reports, newJSONReport(cmd.OutOrStdout()))
	} else {
		s.reports = append(s.reports, &textReport{cmd.OutOrStdout()})
	}
	if o.junit != "" {
		report, err := newJUnitReport(o.junit, files)
		if err != nil {
			return err
		}
		s.reports = append(s.reports, report)
	}
	for _, name := range files {
		s.readFile(cmd.Context(), name, cmd.InOrStdin())
	}
	s.check(cmd.Context(), o)
	return s.finish()
}

// report is where the results of a suite go to.
type report interface {
	position(*suite.Result, *fianchetto.Position) error // one whose counts were checked
	malformed(*input.MalformedLine) error
	summary(*summary) error // the last
}

// summary is what has come of a suite, in the form of its JSON.
type summary struct {
	Type      string       `json:"type"`
	Files     int          `json:"files"`
	Positions int          `json:"positions"` // that were checked
	Wrong     int          `json:"wrong"`     // of these
	Malformed int          `json:"malformed"` // lines
	Unchecked int          `json:"unchecked"` // positions that were not, as the run was interrupted
	Counts    int          `json:"counts"`
	Skipped   int          `json:"skipped"` // counts
	Nodes     divide.Nodes `json:"nodes"`
	Seconds   float64      `json:"seconds"`
}

// run is a check of suites under way.
type run struct {
	started     time.Time
	reports     []report
	diagnostics io.Writer
	cases       []suite.Case
	sum         summary
	failures    []error // of reading and writing, or an interruption
	skips       int     // counts and operations that were skipped and named, or were to be named
}

// readFile reads a suite, "-" from stdin.
func (s *run) readFile(ctx context.Context, name string, stdin io.Reader) {
	s.sum.Files++
	file, err := input.OpenSuite(ctx, name, stdin)
	if err != nil {
		s.fail(err)
		return
	}
	defer file.Close()
	if name == "-" {
		name = "stdin"
	}
	for c, err := range suite.Read(file, name) {
		var problem *epd.Error
		switch {
		case err == nil:
			s.cases = append(s.cases, c)
			if len(c.Other) > 0 {
				s.skip("%s:%d: skipped %s: not a count of perft", c.File, c.Line, quote.Plain(terminal.Printable(strings.Join(c.Other, ", "))))
			}
		case errors.As(err, &problem) && problem.Field != "file":
			s.refuse(input.NewMalformedLine(problem))
		default:
			s.fail(exit.IO(err))
		}
	}
}

// maxSkips is how many skipped counts and operations are named.
const maxSkips = 20

// skip names something that is skipped, unless many others were.
func (s *run) skip(format string, args ...any) {
	if s.skips++; s.skips <= maxSkips {
		fmt.Fprintf(s.diagnostics, format+"\n", args...)
	}
}

// skippedCounts returns the counts of a case that were not checked.
func skippedCounts(r *suite.Result) []suite.Count {
	var skipped []suite.Count
	for _, c := range r.Counts {
		if !slices.ContainsFunc(r.Checked, func(checked suite.Count) bool { return checked.Depth == c.Depth }) {
			skipped = append(skipped, c)
		}
	}
	return skipped
}

// whySkipped returns the limit that a count is beyond.
func (o *options) whySkipped(c suite.Count) string {
	if o.maxDepth > 0 && c.Depth > o.maxDepth {
		return fmt.Sprintf("deeper than --max-depth %d", o.maxDepth)
	}
	return fmt.Sprintf("%d leaves are more than --max-nodes %d", c.Nodes, o.maxNodes)
}

// fail takes note of an error, if it is one, and not the same again.
func (s *run) fail(err error) {
	same := func(other error) bool { return errors.Is(other, err) }
	if err != nil && !slices.ContainsFunc(s.failures, same) {
		s.failures = append(s.failures, err)
	}
}

// refuse reports a malformed line.
func (s *run) refuse(m *input.MalformedLine) {
	s.sum.Malformed++
	fmt.Fprintln(s.diagnostics, m.Error)
	for _, report := range s.reports {
		s.fail(report.malformed(m))
	}
}

// check checks all positions.
func (s *run) check(ctx context.Context, o *options) {
	progress := progress.New(s.diagnostics)
	progress.Update(perft.Progress{Tasks: len(s.cases)})
	results, err := suite.Check(ctx, s.cases, suite.Options{
		Threads: o.threads, MaxNodes: o.maxNodes, MaxDepth: o.maxDepth, Progress: progress.Update,
		Checked: func(r suite.Result) {
			_ = progress.Print(func() error { // take keeps its errors
				s.take(&r, o)
				return nil
			})
		},
	})
	progress.End()
	if err != nil && errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("suite %w after %.1f s, with %d of %d positions checked",
			exit.ErrInterrupted, time.Since(s.started).Seconds(), len(results), len(s.cases))
	}
	s.sum.Unchecked = len(s.cases) - len(results)
	s.fail(err)
}

// take takes the result of one position.
func (s *run) take(r *suite.Result, o *options) {
	s.sum.Positions++
	for _, c := range skippedCounts(r) {
		s.skip("%s:%d: skipped depth %d: %s", r.File, c.Line, c.Depth, o.whySkipped(c))
	}
	s.sum.Counts += len(r.Checked)
	s.sum.Skipped += r.Skipped
	s.sum.Nodes += divide.Nodes(r.Nodes())
	if len(r.Wrong) > 0 {
		s.sum.Wrong++
	}
	pos := fianchetto.MustParseFEN(r.FEN)
	for _, report := range s.reports {
		s.fail(report.position(r, &pos))
	}
}

// finish ends the report and returns the errors that the exit code follows from.
func (s *run) finish() error {
	s.sum.Type, s.sum.Seconds = "summary", time.Since(s.started).Seconds()
	for _, report := range s.reports {
		s.fail(report.summary(&s.sum))
	}
	if more := s.skips - maxSkips; more > 0 {
		fmt.Fprintf(s.diagnostics, "and %s skipped\n", figures.Plural(more, "more count or operation", "more counts or operations"))
	}
	if s.sum.Nodes > 0 {
		fmt.Fprintf(s.diagnostics, "%.3f s, %s\n", s.sum.Seconds, figures.Rate(float64(s.sum.Nodes)/s.sum.Seconds, "nodes/s"))
	}
	err := errors.Join(s.failures...)
	if s.sum.Wrong > 0 {
		err = errors.Join(err, exit.Difference("suite: "+figures.Plural(s.sum.Wrong, "position has", "positions have")+" a wrong count"))
	}
	if s.sum.Malformed > 0 {
		err = errors.Join(err, errors.New("suite: "+figures.Plural(s.sum.Malformed, "line is", "lines are")+" malformed"))
	}
	if err == nil && len(s.cases) == 0 {
		return errors.New("suite: no position to check")
	}
	return err
}
