package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// registerState adds the flag --state, which must be given.
func registerState(cmd *cobra.Command, dir *string, usage string) {
	cmd.Flags().StringVar(dir, "state", "", usage)
	if err := cmd.MarkFlagRequired("state"); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// state is a job and what its journal has.
type state struct {
	description job.Description
	job         *job.Job
	ledger      *job.Ledger
	journal     *journal.Journal // nil if it is only read
	damage      []journal.Damage
	seconds     float64 // that all results took on one thread
	refused     int     // lines that were no results
}

// readState reads the state in a directory, which a run may be writing to. With an outline it is quick, and has no totals.
func readState(cmd *cobra.Command, dir string, outline bool) (*state, error) {
	d, err := describe(cmd, dir)
	if err != nil {
		return nil, err
	}
	s := &state{description: d, job: job.Outline(d)}
	if !outline {
		if s.job, err = remake(cmd, d); err != nil {
			return nil, err
		}
	}
	s.ledger = job.NewLedger(s.job)
	s.damage, err = await(cmd.Context(), func() ([]journal.Damage, error) {
		_, damage, err := journal.Read(dir, s.add)
		return damage, err
	})
	return s, clusterError(err)
}

// describe returns the job of the journal in a directory.
func describe(cmd *cobra.Command, dir string) (job.Description, error) {
	d, err := await(cmd.Context(), func() (job.Description, error) { return journal.Describe(dir) })
	return d, stateError(err)
}

// remake makes the job of a journal again.
func remake(cmd *cobra.Command, d job.Description) (*job.Job, error) {
	j, err := newJob(cmd, d.Spec)
	if err == nil && j.ID() != d.ID {
		err = fmt.Errorf("the journal is of %s, which this build cuts otherwise: go on with build %s", d, quote.Text(d.Build, 0))
	}
	return j, err
}

func newJob(cmd *cobra.Command, spec job.Spec) (*job.Job, error) {
	view := newClusterView(cmd.ErrOrStderr())
	j, err := job.New(cmd.Context(), spec, job.Options{Progress: view.expanded})
	if err != nil {
		return nil, clusterError(interruption(cmd.Context(), err))
	}
	return j, nil
}

// openState opens the state of a job for writing.
func openState(cmd *cobra.Command, dir string, j *job.Job) (*state, error) {
	if dir == "" {
		return nil, errors.New("--state is empty: it needs the name of a directory")
	}
	s := &state{description: j.Description(), job: j, ledger: job.NewLedger(j)}
	var err error
	s.journal, err = await(cmd.Context(), func() (*journal.Journal, error) { return journal.Open(dir, j.Description(), s.add) })
	if err != nil {
		return nil, clusterError(err)
	}
	s.damage = s.journal.Damage()
	s.printDamage(cmd.ErrOrStderr())
	return s, nil
}

func (s *state) add(r *job.Result) error {
	s.seconds += r.Elapsed.Seconds()
	_, err := s.ledger.Add(r)
	return err
}

func (s *state) close() error { return stateError(s.journal.Close()) }

func (s *state) printDamage(diagnostics io.Writer) {
	for _, damage := range s.damage {
		fmt.Fprintf(diagnostics, "%v\n", damage)
	}
}

// overview describes how much is done.
func (s *state) overview() string {
	sum := s.ledger.Summary()
	text := fmt.Sprintf("%d of %d tasks are done", sum.TasksDone, sum.Tasks)
	if sum.TasksDone > 0 && !sum.Done {
		left := s.seconds / float64(sum.TasksDone) * float64(sum.Tasks-sum.TasksDone)
		text += fmt.Sprintf(", in %s on one thread, %s left", figures.Seconds(s.seconds), figures.Seconds(left))
	}
	return text
}
