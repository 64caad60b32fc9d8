package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func newExportCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "export --state DIR",
		Short: "Print what a run has counted as JSON",
		Long: `Export reads the journal of a run, which may be going on, and prints one JSON object: id, version, build, spec
(fen, depth, split, batch, verify), positions, tasks, tasks_done, positions_done, nodes_counted (the leaves below what
is done), done; if done is true, nodes and divide, a list of move and nodes; if there are any, mismatches, results that differ from those
accepted, and damage, lines of the journal that are not used; seconds, that all results took on one thread, and seconds_left,
that those that are missing will take. A count above 2^53 is a string.`,
		Example: `  fianchetto-cluster run --depth 5 --state five && fianchetto-cluster export --state five`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readState(cmd, dir, false)
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
				job.Summary
				Damage []journal.Damage `json:"damage,omitzero"`
			}{s.ledger.Summary(), s.damage})
		},
	}
	requireState(cmd, &dir, "`DIR` of the run")
	return cmd
}
