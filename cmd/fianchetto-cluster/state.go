package main

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
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
	const large = 1 << 18 // positions, beside which the memory of many workers is small
	if s.job, err = job.New(ctx, spec, view.expanded); err == nil && s.dir != nil {
		err = s.dir.Claim(s.job.Description, s.servers)
	}
	if err == nil && s.job.Positions < large {
		debug.SetGCPercent(100)
	}
	return interruption(ctx, err)
}

// openResults opens the directory of a job and reads its results.
func openResults(cmd *cobra.Command, spec job.Spec, dir string) (*state, error) {
	s, view, ctx := new(state), newView(cmd.ErrOrStderr()), cmd.Context()
	if err := spec.Check(); err != nil { // before the directory is made
		return nil, err
	}
	if err := s.open(ctx, dir, broker.Options{}); err != nil {
		return nil, err
	}
	err := s.expand(ctx, spec, view)
	if err == nil {
		s.Coordinator = coordinator.New(s.broker, s.job, coordinator.Options{Notice: view.Notice})
		err = s.Load(ctx)
	}
	if err != nil {
		return nil, errors.Join(interruption(ctx, err), s.Close())
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

// readStatus returns the last status of a run, which may go on.
func readStatus(dir string) (*coordinator.Status, error) {
	const fresh = 10 * time.Second // the greatest age of the status of a process that still runs
	s := new(coordinator.Status)
	text, err := store.ReadStatus(dir)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	s.Running = s.Running && time.Since(s.Time).Abs() < fresh
	return s, err
}

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
	lines := []string{s.Job.String(), overview(s)}
	if s.Blocked != nil {
		lines = append(lines, s.Blocked.String())
	}
	for _, m := range s.Mismatches {
		lines = append(lines, m.String())
	}
	for _, d := range s.Disagreements {
		lines = append(lines, d.String())
	}
	lines = append(lines, s.Doubts...)
	return strings.Join(lines, "\n") + "\n" + perWorker(s)
}
