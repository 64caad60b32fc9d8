package main

import (
	"github.com/spf13/cobra"
)

func newMagicCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "magic",
		Short: "Find, verify and describe magic numbers",
		Long:  `Magic finds, verifies and describes the magic numbers by which attacks of bishops and rooks are looked up.`,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMagicFindCommand(), newMagicVerifyCommand(), newMagicInfoCommand())
	return cmd
}
