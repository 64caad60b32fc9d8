package main

import (
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
)

func init() { cobra.EnableCommandSorting = false } // the commands are in order of importance

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "fianchetto",
		Short: "Count, list and draw legal chess moves and what they are made of",
		Long: `Fianchetto generates legal chess moves. This command counts, lists and draws them, and checks other move generators.

Results go to stdout; progress, timing and errors go to stderr. Exit codes:
  0    all is right
  1    counts differ
  2    the command line or its input is wrong
  3    an engine failed, or reading or writing did
  130  interrupted
If several apply, it is the first of 130, 3, 1, 2.`,
		Example: `  fianchetto perft 6
  fianchetto perft 4 --fen kiwipete --divide
  fianchetto compare --engine stockfish
  fianchetto moves --fen "8/8/8/8/8/2k5/1q6/K7 w - - 0 1"
  fianchetto show --attacks bishop:d4 --draw`,
		Version:            versionText(),
		SilenceUsage:       true,
		SilenceErrors:      true,
		DisableSuggestions: true, // explainRules has them, on the same line
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetHelpFunc(writeHelp)
	root.SetHelpCommand(newHelpCommand(root))
	addGroup(root, "Count:", newPerftCommand(), newSuiteCommand(), newCompareCommand())
	addGroup(root, "Look:", newMovesCommand(), newShowCommand(), newExploreCommand(), newMagicCommand())
	addGroup(root, "Count on many machines:", newRunCommand(), newWorkerCommand(), newStatusCommand(), newResumeCommand(), newExportCommand(),
		newTasksCommand(), newLeafCommand(), newTotalCommand())
	const rest = "For programs and shells:"
	addGroup(root, rest, newUCICommand(), newManCommand(), newVersionCommand())
	root.SetCompletionCommandGroupID(rest)
	root.SetHelpCommandGroupID(rest)
	return root
}

// addGroup adds commands that help lists under a title.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
	}
	root.AddCommand(commands...)
}

// newHelpCommand is cobra's help command, but what it does not know is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Help about a command",
		Long:    "Help prints what a command does, its flags and examples.",
		Example: "  fianchetto help perft",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			switch {
			case err != nil:
				return cli.UnknownCommand(root, args[0])
			case len(rest) > 0:
				return cli.UnknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return cli.CommandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
