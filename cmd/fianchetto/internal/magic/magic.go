// Package magic is the subcommand that finds, verifies and describes magic numbers.
package magic

import "github.com/spf13/cobra"

// NewCommand returns the subcommand magic.
func NewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "magic",
		Short: "Find, verify and describe magic numbers",
		Long:  `Magic finds, verifies and describes the magic numbers by which attacks of bishops and rooks are looked up.`,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFindCommand(), newVerifyCommand(), newInfoCommand())
	return cmd
}
