package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func newSuiteCommand() *cobra.Command {
	s, junit := suiteRun{ignored: make(map[string]bool)}, ""
	cmd := &cobra.Command{
		Use:               "suite SUITE...",
		ValidArgsFunction: cli.CompleteSuites,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return cli.Refuse(cmd, errors.New("suite: no suite is given: a file, - for stdin, or one of "+
					strings.Join(suites.Names(), ", ")))
			}
			if cmd.Flags().Changed("junit") {
				if s.report.JUnit, err = suite.CreateJUnit(junit, "fianchetto suite"); err != nil {
					return err
				}
			}
			s.begun, s.diagnostics, s.report.Results = time.Now(), cmd.ErrOrStderr(), cmd.OutOrStdout()
			for _, name := range args {
				s.report.Files++
				file, err := cli.OpenSuite(cmd.Context(), name, cmd.InOrStdin())
				if err == nil {
					err = readSuite(file, name, s.take)
				}
				s.fail(err)
			}
			s.fail(s.check(cmd.Context()))
			return s.finish()
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&s.options.MaxNodes, "max-nodes", 0, "skip counts of more than `N` leaves; 0 skips none")
	flags.Uint8Var(&s.options.MaxDepth, "max-depth", 0, "skip counts deeper than `N` plies; 0 skips none")
	cli.ThreadsVar(flags, &s.options.Threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	flags.BoolVar(&s.report.JSON, "json", false, "print JSON Lines instead of text")
	flags.StringVar(&junit, "junit", "", "write a report in JUnit's XML to `FILE`, too")
	cli.GroupFlags(cmd, "Reports", "json", "junit")
	return cmd
}

type suiteRun struct {
	options     suite.Options
	report      suite.Report
	begun       time.Time
	diagnostics io.Writer
	cases       []suite.Case
	failures    []error         // of reading and writing, or an interruption
	noted       bool            // a note on castling rights was printed
	ignored     map[string]bool // files and opcodes
}

// readSuite takes the positions of a suite, and its malformed lines with their errors.
func readSuite(file io.ReadCloser, name string, take func(suite.Case, *epd.Error)) error {
	defer file.Close()
	for c, err := range suite.Read(file, cli.NameOf(name)) {
		var problem *epd.Error
		if errors.As(err, &problem); err != nil && (problem == nil || problem.Field == "file") {
			return exit.IO(err)
		}
		take(c, problem)
	}
	return nil
}

func (s *suiteRun) take(c suite.Case, problem *epd.Error) {
	if problem != nil {
		fmt.Fprintln(s.diagnostics, problem)
		s.report.Malformed++
		s.report.WriteMalformed(problem)
		return
	}
	s.cases = append(s.cases, c)
	if note := position.MixedRights(&c.Position); note != "" && !s.noted {
		s.noted = true
		fmt.Fprintf(s.diagnostics, "%s:%d: %s\n", c.File, c.Line, note)
	}
	for _, opcode := range c.Other {
		if in := c.File + " " + opcode; !s.ignored[in] {
			s.ignored[in] = true
			fmt.Fprintf(s.diagnostics, "%s:%d: skipped %s: not a count of perft\n", c.File, c.Line, opcode)
		}
	}
}

func (s *suiteRun) fail(err error) { s.failures = append(s.failures, err) }

func (s *suiteRun) check(ctx context.Context) error {
	meter := terminal.NewMeter(s.diagnostics)
	defer meter.End()
	for i, c := range s.cases {
		meter.Update(perft.Progress{Tasks: len(s.cases), Done: i, Nodes: uint64(s.report.Nodes)})
		result, err := s.options.Check(ctx, c)
		if err != nil {
			s.report.NotChecked(s.cases[i:])
			if ctx.Err() == nil {
				return err
			}
			return fmt.Errorf("suite %w after %.1f s, with %d of %d positions checked",
				exit.ErrInterrupted, time.Since(s.begun).Seconds(), i, len(s.cases))
		}
		_ = meter.Print(func() error {
			s.nameSkipped(&result)
			s.report.Position(&result)
			return nil
		})
	}
	return nil
}

// nameSkipped names the first skipped counts and their limits.
func (s *suiteRun) nameSkipped(r *suite.Result) {
	const named = 20
	for i, c := range r.Skipped {
		why := fmt.Sprintf("%d leaves are more than --max-nodes %d", c.Want, s.options.MaxNodes)
		if s.options.MaxDepth > 0 && c.Depth > int(s.options.MaxDepth) {
			why = fmt.Sprintf("deeper than --max-depth %d", s.options.MaxDepth)
		}
		if s.report.Skipped+i < named {
			fmt.Fprintf(s.diagnostics, "%s:%d: skipped depth %d: %s\n", r.File, c.Line, c.Depth, why)
		}
	}
}

func (s *suiteRun) finish() error {
	sum := &s.report.Summary
	sum.Seconds = time.Since(s.begun).Seconds()
	s.report.End()
	s.fail(s.report.JUnit.Write())
	if sum.Nodes > 0 {
		fmt.Fprintf(s.diagnostics, "%.3f s, %s\n", sum.Seconds, format.Rate(float64(sum.Nodes)/sum.Seconds, "nodes/s"))
	}
	if sum.Wrong > 0 {
		s.fail(exit.Difference("suite: " + format.Plural(sum.Wrong, "position has", "positions have") + " a wrong count"))
	}
	if sum.Malformed > 0 {
		s.fail(errors.New("suite: " + format.Plural(sum.Malformed, "line is", "lines are") + " malformed"))
	}
	err := errors.Join(s.failures...)
	if err == nil && len(s.cases) == 0 {
		return errors.New("suite: no position to check")
	}
	return err
}
