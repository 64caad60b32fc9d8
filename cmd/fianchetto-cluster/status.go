package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
)

func newStatusCommand() *cobra.Command {
	var (
		dir    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "status --state DIR",
		Short: "Show a run's progress",
		Long: `Status prints what the run in DIR counts, how many tasks are done, and how long the others will take: as long as those that
are done took on the mean, on the threads that count now, or on one if none does. While the run goes on it prints its rate,
too, how many tasks were given to a second worker, and what each process counts. Faulty workers are named.

With --json it prints one JSON object, which the page of "fianchetto-cluster run --http" has at /status.json, too: job (id, version, build,
spec, positions, tasks), time, running, tasks_before (done when the run began), tasks_done, tasks_out (given out and not
done), elapsed_seconds, nps (nodes per second, of late), threads, thread_seconds (that all results took),
thread_seconds_left, left_seconds (on all threads; 0 is unknown), redeliveries, workers (name, threads, tasks,
nps_per_thread, seen), and, if they are known, nodes and divide (the leaves below what is done), mismatches, address, history
(nps in each interval) and history_interval_seconds. A count above 2^53 is a string.`,
		Example: `  fianchetto-cluster run --depth 5 --state five && fianchetto-cluster status --state five
  fianchetto-cluster run --depth 5 --state five && fianchetto-cluster status --state five --json`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readState(cmd, dir, true)
			if err != nil {
				return err
			}
			s.reportDamage(func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
			running, err := input.Await(cmd.Context(), func() (coordinator.Status, error) { return coordinator.ReadStatus(dir) })
			if errors.Is(err, exit.ErrInterrupted) {
				return err
			}
			status := s.status()
			if err == nil && running.Job == status.Job && time.Since(running.Time).Abs() < freshStatus {
				status = running
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(status)
			}
			return writeStatus(cmd.OutOrStdout(), &status)
		},
	}
	requireState(cmd, &dir, "`DIR` of the run")
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

// freshStatus is how old the status of a run may be that still is going on.
const freshStatus = 10 * time.Second

// status returns what the journal has.
func (s *state) status() coordinator.Status {
	summary := s.ledger.Summary()
	return coordinator.NewStatus(&summary)
}

// overview describes how much is done.
func (s *state) overview() string {
	status := s.status()
	return overview(&status)
}

func writeStatus(results io.Writer, s *coordinator.Status) error {
	text := s.Job.String() + "\n" + overview(s) + "\n"
	for _, m := range s.Mismatches {
		text += m.String() + "\n"
	}
	_, err := io.WriteString(results, text+perWorker(s))
	return err
}
