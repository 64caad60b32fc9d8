package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
)

func newStatusCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "status --state DIR",
		Short: "Show a run's progress",
		Long: `Status prints what the run in DIR counts, how many tasks are done, how long they took, and how long the
others will take, from the journal; and while the run is going on its rate, the time that is left, how many tasks were given to a
second worker, and what each process counts. Faulty workers are named.`,
		Example: `  fianchetto run --depth 5 --state five && fianchetto status --state five`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readState(cmd, dir, true)
			if err != nil {
				return err
			}
			s.printDamage(cmd.ErrOrStderr())
			running, err := await(cmd.Context(), func() (coordinator.Status, error) { return coordinator.ReadStatus(dir) })
			if errors.Is(err, errInterrupted) {
				return err
			}
			return s.writeStatus(cmd.OutOrStdout(), &running)
		},
	}
	registerState(cmd, &dir, "`DIR` of the run")
	return cmd
}

// freshStatus is how old the status of a run may be that still is going on.
const freshStatus = 10 * time.Second

// writeStatus writes what the journal has, and how the run is that wrote a status last, if it still goes on.
func (s *state) writeStatus(results io.Writer, running *coordinator.Status) error {
	if _, err := fmt.Fprintf(results, "%s\n%s\n", s.description, s.overview()); err != nil {
		return err
	}
	for _, m := range s.ledger.Mismatches() {
		if _, err := fmt.Fprintln(results, m); err != nil {
			return err
		}
	}
	if running.Job.ID != s.description.ID || time.Since(running.Time) > freshStatus {
		return nil
	}
	_, err := fmt.Fprintf(results, "%s\n%s", overview(running), perWorker(running))
	return err
}
