package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// registerState refuses an empty name, which an unset variable would give.
func registerState(cmd *cobra.Command, dir *string, usage string) {
	cmd.Flags().Func("state", usage, func(name string) error {
		if *dir = name; name == "" {
			return errors.New("it is empty, and needs the name of a directory")
		}
		return nil
	})
}

func requireState(cmd *cobra.Command, dir *string, usage string) {
	registerState(cmd, dir, usage)
	cli.RequireFlag(cmd, "state")
}

// state is the results of a job, with the broker that stores them.
type state struct {
	*coordinator.Coordinator
	dir    *store.Dir // nil if nothing is kept on this machine
	job    *job.Job
	broker *broker.Broker
}

// open locks a directory, unless it is "", opens the broker, to report a wrong address soon, and
// makes the job, which the directory must be of.
func (s *state) open(ctx context.Context, spec job.Spec, dir string, access broker.Options, view *view) (err error) {
	const large = 1 << 18 // positions, beside which the memory of many workers is small
	defer func() {
		if err != nil {
			err = errors.Join(interruption(ctx, err), s.Close())
		}
	}()
	if err := spec.Check(); err != nil { // before the directory is made
		return err
	}
	if dir != "" {
		if s.dir, err = store.Open(dir); err != nil {
			return err
		}
		access.Store = dir
	}
	if s.broker, err = cli.Await(ctx, func() (*broker.Broker, error) { return broker.Open(ctx, access) }); err != nil {
		return err
	}
	if s.job, err = job.New(ctx, spec, view.expanded); err != nil {
		return err
	}
	if s.job.Positions < large {
		debug.SetGCPercent(100)
	}
	if s.dir == nil {
		return nil
	}
	return s.dir.Claim(s.job.Description, access.Connect)
}

// load opens a directory, and reads its results.
func (s *state) load(cmd *cobra.Command, spec job.Spec, dir string) error {
	ctx, view := cmd.Context(), newView(cmd.ErrOrStderr())
	if err := s.open(ctx, spec, dir, broker.Options{}, view); err != nil {
		return err
	}
	s.Coordinator = coordinator.New(s.broker, s.job, coordinator.Options{Notice: view.Notice})
	if err := s.Load(ctx); err != nil {
		return errors.Join(interruption(ctx, err), s.Close())
	}
	return nil
}

func (s *state) save(status *coordinator.Status) error {
	if s.dir == nil {
		return nil
	}
	text, _ := json.Marshal(status) // a status has no value that JSON lacks
	return exit.IO(s.dir.SaveStatus(append(text, '\n')))
}

// saveLoaded saves the status without workers, and closes the state.
func (s *state) saveLoaded() error {
	return errors.Join(s.save(coordinator.NewStatus(s.Ledger())), s.Close())
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

type total struct {
	FEN        string      `json:"fen"`
	Depth      int         `json:"depth"`
	Split      int         `json:"split"`
	Nodes      job.Count   `json:"nodes"`
	Divide     []job.Nodes `json:"divide"`
	Positions  int         `json:"positions"`
	Tasks      int         `json:"tasks"`
	*effort                // of a run
	Mismatches []job.Fault `json:"mismatches,omitzero"`
}

type effort struct {
	TasksBefore  int     `json:"tasks_before"`
	Seconds      float64 `json:"seconds"`
	Speed        float64 `json:"nps"` // of the tasks counted in this run
	Redeliveries int     `json:"redeliveries"`
}

// printTotal prints divide and total, and returns faultsOf them.
func printTotal(cmd *cobra.Command, asJSON bool, s *job.Summary, e *effort) error {
	var text strings.Builder
	for _, d := range s.Divide {
		fmt.Fprintf(&text, "%s: %s\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %s\n", s.Nodes)
	d := &s.Job
	return errors.Join(cli.Print(cmd, asJSON, total{d.Spec.FEN, d.Spec.Depth, d.Spec.Split, s.Nodes, s.Divide, d.Positions,
		d.Tasks, e, s.Mismatches}, text.String()), faultsOf(s))
}

// faultsOf returns an error that names faulty workers, doubts, and a total that differs from the
// published one.
func faultsOf(s *job.Summary) (err error) {
	for _, f := range s.Mismatches {
		err = errors.Join(err, exit.Difference("faulty worker: "+f.String()))
	}
	for _, doubt := range s.Doubts {
		err = errors.Join(err, exit.Difference(doubt))
	}
	if wrong := s.CheckPublished(); wrong != nil {
		err = errors.Join(err, exit.Difference(wrong.Error()))
	}
	return err
}

// readStatus returns the last status of a run, which may be going on.
func readStatus(dir string) (*coordinator.Status, error) {
	const fresh = 10 * time.Second // the age of a running process's status
	s := new(coordinator.Status)
	text, err := store.ReadStatus(dir)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	s.Running = s.Running && time.Since(s.Time).Abs() < fresh
	return s, err
}

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
		return cli.Print(cmd, asJSON, s, monitor.Text("status", s))
	})
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

func newExportCommand() *cobra.Command {
	return newReportCommand("export --state DIR", func(cmd *cobra.Command, s *coordinator.Status) error {
		return cli.Print(cmd, true, s.Summary, "")
	})
}
