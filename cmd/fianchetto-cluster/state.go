package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// stateFlag is the value of --state, the name of a directory.
type stateFlag string

// String returns the name.
func (f *stateFlag) String() string { return string(*f) }

// Type is what help prints for the value.
func (f *stateFlag) Type() string { return "DIR" }

// Set refuses an empty name, as a variable leaves it that a script has forgotten.
func (f *stateFlag) Set(name string) error {
	if name == "" {
		return errors.New("it is empty, and needs the name of a directory")
	}
	*f = stateFlag(name)
	return nil
}

// registerState adds the flag --state.
func registerState(cmd *cobra.Command, dir *string, usage string) {
	cmd.Flags().Var((*stateFlag)(dir), "state", usage)
}

// requireState adds the flag --state, which must be given.
func requireState(cmd *cobra.Command, dir *string, usage string) {
	registerState(cmd, dir, usage)
	cli.RequireFlag(cmd, "state")
}

// state is a job and what is counted of it.
type state struct {
	dir     string // "": nothing is kept
	job     *job.Job
	ledger  *job.Ledger
	journal *journal.Journal // nil if it is only read, or nothing is kept
	damage  []journal.Damage
}

// readState reads the state in a directory, which a run may be writing to. With an outline it is quick, and has no totals.
func readState(cmd *cobra.Command, dir string, outline bool) (*state, error) {
	d, err := describe(cmd, dir)
	if err != nil {
		return nil, err
	}
	s := &state{dir: dir, job: job.Outline(d)}
	if !outline {
		if s.job, err = remake(cmd, d); err != nil {
			return nil, err
		}
	}
	s.ledger = job.NewLedger(s.job)
	s.damage, err = input.Await(cmd.Context(), func() ([]journal.Damage, error) {
		_, damage, err := journal.Read(dir, s.add)
		return damage, err
	})
	return s, runError(err)
}

// describe returns the job of the journal in a directory.
func describe(cmd *cobra.Command, dir string) (job.Description, error) {
	d, err := input.Await(cmd.Context(), func() (job.Description, error) { return journal.Describe(dir) })
	return d, stateError(err)
}

// remake makes the job of a journal again.
func remake(cmd *cobra.Command, d job.Description) (*job.Job, error) {
	j, err := newJob(cmd.Context(), d.Spec, newView(cmd.ErrOrStderr()))
	if err == nil && j.ID() != d.ID {
		err = fmt.Errorf("the journal is of %s, which this build cuts otherwise: go on with build %s", d, quote.Text(d.Build, 0))
	}
	return j, err
}

func newJob(ctx context.Context, spec job.Spec, view *view) (*job.Job, error) {
	j, err := job.New(ctx, spec, job.Options{Progress: view.expanded})
	if err != nil {
		return nil, runError(interruption(ctx, err))
	}
	return j, nil
}

// openState opens the state of a job for writing, in a directory if one is named. Damage is reported to notice.
func openState(ctx context.Context, dir string, j *job.Job, notice func(text string)) (*state, error) {
	s := &state{dir: dir, job: j, ledger: job.NewLedger(j)}
	if dir == "" {
		return s, nil
	}
	var err error
	s.journal, err = input.Await(ctx, func() (*journal.Journal, error) { return journal.Open(dir, j.Description(), s.add) })
	if err != nil {
		return nil, runError(err)
	}
	s.damage = s.journal.Damage()
	s.reportDamage(notice)
	return s, nil
}

func (s *state) add(r *job.Result) error {
	_, err := s.ledger.Add(r)
	return err
}

func (s *state) close() error {
	if s.journal == nil {
		return nil
	}
	return stateError(s.journal.Close())
}

func (s *state) reportDamage(notice func(text string)) {
	for _, damage := range s.damage {
		notice(damage.String())
	}
}
