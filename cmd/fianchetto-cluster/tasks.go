package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func newTasksCommand() *cobra.Command {
	var (
		position cli.PositionFlags
		spec     job.Spec
		dir      string
	)
	cmd := &cobra.Command{
		Use:   "tasks --state DIR",
		Short: "Print the tasks of a run that are left, for leaf to count anywhere",
		Long: `Tasks cuts a count into tasks as run does, and prints each on a line of its own, for "fianchetto-cluster leaf" to count on
any machine: in a Slurm array, a Kubernetes indexed job, or Spark's pipe. DIR gets the journal of the run, or has it
already: then only the tasks that it has no result of are printed, and --depth and the position may be left out.
"fianchetto-cluster total" puts the results into it. It is the same DIR that run, resume, status and export use.

A run with --verify takes two rounds of tasks, leaf and total, or three: the second prints the same tasks, to be counted by
another method and another worker.`,
		Example: `  fianchetto-cluster tasks --depth 5 --state five > five.tasks && fianchetto-cluster leaf < five.tasks | fianchetto-cluster total --state five`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := specOf(cmd, &position, spec, dir)
			if err != nil {
				return err
			}
			view := newView(cmd.ErrOrStderr())
			j, err := newJob(cmd.Context(), spec, view)
			if err != nil {
				return err
			}
			s, err := openState(cmd.Context(), dir, j, view.notice)
			if err != nil {
				return err
			}
			if err := s.close(); err != nil { // before total, at the end of a pipe, opens it
				return err
			}
			view.notice(j.Description().String())
			view.notice(s.overview())
			return s.writeTasks(cmd.OutOrStdout())
		},
	}
	position.Register(cmd)
	registerSpec(cmd, &spec)
	requireState(cmd, &dir, "keep what is counted in `DIR`")
	return cmd
}

// registerSpec adds the flags for the depth of a job and how it is cut.
func registerSpec(cmd *cobra.Command, spec *job.Spec) {
	cmd.Flags().IntVar(&spec.Depth, "depth", 0, "how deep, `N` plies, 1 or more")
	cmd.Flags().IntVar(&spec.Split, "split", 0, "expand `K` plies; 0 chooses")
	cmd.Flags().IntVar(&spec.Batch, "batch", 0, "`N` positions in a task; 0 cuts by the time that they will take")
	cmd.Flags().BoolVar(&spec.Verify, "verify", false, "count everything twice, by different methods and workers")
}

// specOf returns what the flags ask for, or, without --depth, what the journal in dir is of.
func specOf(cmd *cobra.Command, position *cli.PositionFlags, spec job.Spec, dir string) (job.Spec, error) {
	if !cmd.Flags().Changed("depth") {
		d, err := describe(cmd, dir)
		if errors.Is(err, journal.ErrNoJournal) {
			return spec, fmt.Errorf("%w: a new one needs --depth", err)
		}
		return d.Spec, err
	}
	pos, err := position.Position()
	if err != nil {
		return spec, err
	}
	spec.FEN, spec.Chess960 = pos.FEN(), pos.IsChess960()
	return spec, nil
}

// writeTasks writes the tasks that are left, a line each.
func (s *state) writeTasks(results io.Writer) error {
	out := bufio.NewWriter(results)
	for want := range s.ledger.Wants() {
		line, err := s.job.Task(want).MarshalText()
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
