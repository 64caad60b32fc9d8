package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "fianchetto",
		Short: "Count, list and draw legal chess moves and what they are made of",
		Long: `Fianchetto generates legal chess moves with precomputed masks and magic bitboards.
This command runs perft, lists moves, and shows boards, attacks, checks and lines.

Results go to stdout; progress, timing and errors to stderr. Exit codes: 0 all is right,
1 counts differ, 2 the command line or its input is wrong, 3 an engine failed, or reading or
writing did, 130 interrupted.`,
		Example: `  fianchetto perft --depth 6
  fianchetto perft --fen kiwipete --depth 4 --divide
  fianchetto moves --fen "8/8/8/8/8/2k5/1q6/K7 w - - 0 1"
  fianchetto show --attacks bishop:d4 --draw`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		newPerftCommand(),
		newCompareCommand(),
		newSuiteCommand(),
		newMovesCommand(),
		newShowCommand(),
		newMagicCommand(),
		newExploreCommand(),
		newUCICommand(),
		newRunCommand(),
		newResumeCommand(),
		newWorkerCommand(),
		newStatusCommand(),
		newExportCommand(),
		newTasksCommand(),
		newLeafCommand(),
		newTotalCommand(),
		newVersionCommand(),
	)
	return root
}

// noArguments refuses arguments that are no flags. The usual one is the rest of a FEN without quotes.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s: unexpected argument %q (a value with spaces needs quotes)", cmd.Name(), args[0])
	}
	return nil
}
