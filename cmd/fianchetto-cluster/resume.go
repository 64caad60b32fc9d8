package main

import (
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func newResumeCommand() *cobra.Command {
	var (
		o     options
		state string
	)
	cmd := &cobra.Command{
		Use:   "resume --state DIR",
		Short: "Resume an interrupted run",
		Long: `Resume goes on with the run whose state is in DIR, after it was interrupted, was killed, or failed: nothing that its journal has is counted again. What the
run counts stays as it was; workers, broker and lease may be others. Output and exit codes are those of run.`,
		Example: `  fianchetto-cluster run --depth 5 --state five && fianchetto-cluster resume --state five`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			description, err := describe(cmd, state)
			if err != nil {
				return err
			}
			return o.run(cmd, description.Spec, state)
		},
	}
	o.register(cmd)
	requireState(cmd, &state, "`DIR` of the run")
	return cmd
}
