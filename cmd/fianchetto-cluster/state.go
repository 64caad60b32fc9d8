package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
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

// state is the results of a job, with the broker that stores them.
type state struct {
	*coordinator.Coordinator
	dir     *store.Dir // nil if nothing is kept on this machine
	servers string     // with the results, "" if they are in the directory
	job     *job.Job
	broker  *broker.Broker
}

// open locks a directory, unless it is "", and opens the broker.
func (s *state) open(ctx context.Context, dir string, access broker.Options) (err error) {
	if s.servers = access.Connect; dir != "" {
		if s.dir, err = store.Open(dir); err != nil {
			return err
		}
		if s.servers == "" {
			access.Store = dir
		}
	}
	s.broker, err = cli.Await(ctx, func() (*broker.Broker, error) { return broker.Open(ctx, access) })
	if err != nil {
		return errors.Join(interruption(ctx, err), s.Close())
	}
	return nil
}

// expand makes the job of a spec, which the directory must be of.
func (s *state) expand(ctx context.Context, spec job.Spec, view *view) (err error) {
	if s.job, err = newJob(ctx, spec, view); err == nil && s.dir != nil {
		err = s.dir.Claim(s.job.Description, s.servers)
	}
	return err
}

// openResults opens the directory of a job and reads its results.
func openResults(cmd *cobra.Command, spec job.Spec, dir string) (*state, error) {
	s, view := new(state), newView(cmd.ErrOrStderr())
	if err := spec.Check(); err != nil { // before the directory is made
		return nil, err
	}
	if err := s.open(cmd.Context(), dir, broker.Options{}); err != nil {
		return nil, err
	}
	err := s.expand(cmd.Context(), spec, view)
	if err == nil {
		s.Coordinator = coordinator.New(s.broker, s.job, coordinator.Options{Notice: view.Notice})
		err = s.Load(cmd.Context())
	}
	if err != nil {
		return nil, errors.Join(interruption(cmd.Context(), err), s.Close())
	}
	return s, nil
}

// save saves the last status of a run.
func (s *state) save(status *coordinator.Status) error {
	if s.dir == nil {
		return nil
	}
	text, _ := json.Marshal(status) // a status has no value that JSON lacks
	return exit.IO(s.dir.SaveStatus(append(text, '\n')))
}

// Close ends the broker and unlocks the directory.
func (s *state) Close() (err error) {
	if s.broker != nil {
		s.broker.Close()
	}
	if s.dir != nil {
		err = s.dir.Close()
	}
	s.broker, s.dir = nil, nil
	return exit.IO(err)
}

// describe returns the spec of the run in a directory, if this build cuts it alike.
func describe(dir string) (job.Spec, error) {
	d, err := store.Describe(dir)
	if err == nil && d.Build != job.Build() {
		err = fmt.Errorf("%w: %s is of build %s, this is build %s", job.ErrBuild, dir, quote.Text(d.Build, 0),
			quote.Text(job.Build(), 0))
	}
	return d.Spec, err
}

func newJob(ctx context.Context, spec job.Spec, view *view) (*job.Job, error) {
	j, err := job.New(ctx, spec, view.expanded)
	return j, interruption(ctx, err)
}

// readStatus returns the last status of a run, which may go on.
func readStatus(dir string) (*coordinator.Status, error) {
	s := new(coordinator.Status)
	text, err := store.ReadStatus(dir)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	s.Running = s.Running && time.Since(s.Time).Abs() < freshStatus
	return s, err
}

// freshStatus is the greatest age of the status of a process that still runs.
const freshStatus = 10 * time.Second

// newReportCommand returns a command that prints the last status of a run.
func newReportCommand(use string, report func(cmd *cobra.Command, s *coordinator.Status) error) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readStatus(dir)
			if err != nil {
				return err
			}
			return report(cmd, s)
		},
	}
	requireState(cmd, &dir, "`DIR` of the run")
	return cmd
}

func newStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := newReportCommand("status --state DIR", func(cmd *cobra.Command, s *coordinator.Status) error {
		return cli.Print(cmd, asJSON, s, describeStatus(s))
	})
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

func newExportCommand() *cobra.Command {
	return newReportCommand("export --state DIR", func(cmd *cobra.Command, s *coordinator.Status) error {
		return cli.Print(cmd, true, s.Summary, "")
	})
}

func describeStatus(s *coordinator.Status) string {
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
