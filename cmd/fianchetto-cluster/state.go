package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// registerState adds the flag --state. It refuses an empty name, which an unset variable of a
// script would give.
func registerState(cmd *cobra.Command, dir *string, usage string) {
	cmd.Flags().Func("state", usage, func(name string) error {
		if *dir = name; name == "" {
			return errors.New("it is empty, and needs the name of a directory")
		}
		return nil
	})
}

// requireState adds the required flag --state.
func requireState(cmd *cobra.Command, dir *string, usage string) {
	registerState(cmd, dir, usage)
	cli.RequireFlag(cmd, "state")
}

// stateCommand returns a command that takes the directory of a run.
func stateCommand(use string, args cobra.PositionalArgs, run func(cmd *cobra.Command, dir string,
	args []string) error) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:  use,
		Args: args,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd, dir, args) },
	}
	requireState(cmd, &dir, "`DIR` of the run")
	return cmd
}

// state is a job with its results.
type state struct {
	dir     string // "" if nothing is kept
	job     *job.Job
	ledger  *job.Ledger
	journal *journal.Journal // nil if it is only read or nothing is kept
	damage  []journal.Damage
	again   bool // the ledger must read all results again
}

// readState reads the state in a directory, which a run may be writing to. An outline is quick and
// has no totals.
func readState(cmd *cobra.Command, dir string, outline bool) (*state, error) {
	d, err := journal.Describe(dir)
	if err != nil {
		return nil, err
	}
	j := job.Outline(d)
	if !outline {
		if j, err = remake(cmd, d); err != nil {
			return nil, err
		}
	}
	s := &state{dir: dir, job: j, ledger: job.NewLedger(j, job.Rules{})}
	_, s.damage, err = journal.Read(dir, s.adder(cmd.Context()))
	return s, cmp.Or(err, s.replay(cmd.Context()))
}

// adder returns a function that adds results to the ledger until ctx ends.
func (s *state) adder(ctx context.Context) func(*job.Result) error {
	return func(r *job.Result) error {
		if ctx.Err() != nil {
			return exit.ErrInterrupted
		}
		outcome, err := s.ledger.Add(r)
		s.again = s.again || outcome.Reset
		return err
	}
}

// replay has the ledger read all results again, as long as that finds faulty workers.
func (s *state) replay(ctx context.Context) (err error) {
	for s.again && err == nil {
		s.again = false
		s.ledger.Reset()
		_, _, err = journal.Read(s.dir, s.adder(ctx))
	}
	return err
}

// remake makes the job of a journal.
func remake(cmd *cobra.Command, d job.Description) (*job.Job, error) {
	j, err := newJob(cmd.Context(), d.Spec, newView(cmd.ErrOrStderr()))
	if err == nil && j.ID != d.ID {
		err = fmt.Errorf("the journal is of %s, which this build cuts otherwise: go on with build %s", d,
			quote.Text(d.Build, 0))
	}
	return j, err
}

func newJob(ctx context.Context, spec job.Spec, view *view) (*job.Job, error) {
	j, err := job.New(ctx, spec, view.expanded)
	return j, interruption(ctx, err)
}

// openState opens the state of a job for writing, in dir unless that is empty. It reports damage to
// notice.
func openState(ctx context.Context, dir string, j *job.Job, rules job.Rules, notice func(text string)) (s *state,
	err error) {
	s = &state{dir: dir, job: j, ledger: job.NewLedger(j, rules)}
	if dir == "" {
		return s, nil
	}
	if s.journal, err = journal.Open(dir, j.Description, s.adder(ctx)); err != nil {
		return nil, err
	}
	s.damage = s.journal.Damage
	s.reportDamage(notice)
	if err := s.replay(ctx); err != nil {
		return nil, errors.Join(err, s.journal.Close())
	}
	return s, nil
}

func (s *state) reportDamage(notice func(text string)) {
	for _, damage := range s.damage {
		notice(damage.String())
	}
}

func newStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := stateCommand("status --state DIR", cli.NoArguments, func(cmd *cobra.Command, dir string, _ []string) error {
		s, err := readState(cmd, dir, true)
		if err != nil {
			return err
		}
		s.reportDamage(func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
		running, err := coordinator.ReadStatus(dir)
		status := s.status()
		if err == nil && running.Job.ID == status.Job.ID && time.Since(running.Time).Abs() < freshStatus {
			status = &running
		}
		return cli.Print(cmd, asJSON, status, describe(status))
	})
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

// freshStatus is the greatest age of the status of a process that still runs.
const freshStatus = 10 * time.Second

// status returns the status by the journal.
func (s *state) status() *coordinator.Status { return coordinator.NewStatus(s.ledger) }

func describe(s *coordinator.Status) string {
	text := s.Job.String() + "\n" + overview(s) + "\n"
	if s.Blocked != nil {
		text += s.Blocked.String() + "\n"
	}
	for _, m := range s.Mismatches {
		text += m.String() + "\n"
	}
	for _, d := range s.Disagreements {
		text += d.String() + "\n"
	}
	for _, doubt := range s.Doubts {
		text += doubt + "\n"
	}
	return text + perWorker(s)
}

func newExportCommand() *cobra.Command {
	return stateCommand("export --state DIR", cli.NoArguments, func(cmd *cobra.Command, dir string, _ []string) error {
		s, err := readState(cmd, dir, false)
		if err != nil {
			return err
		}
		return cli.Print(cmd, true, struct {
			job.Summary
			Damage []journal.Damage `json:"damage,omitzero"`
		}{s.ledger.Summary(), s.damage}, "")
	})
}
