package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/explore"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/magic"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/moves"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/perft"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/show"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/command/uci"
)

func init() { cobra.EnableCommandSorting = false } // the commands are in order of importance

func newRootCommand() *cobra.Command {
	version := versionText()
	program, _, _ := strings.Cut(version, "\n")
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
		Version: version,
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetHelpFunc(writeHelp)
	root.SetHelpCommand(newHelpCommand(root))
	addGroup(root, "Count:", perft.NewCommand(), suite.NewCommand(), compare.NewCommand())
	addGroup(root, "Look:", moves.NewCommand(), show.NewCommand(), explore.NewCommand(), magic.NewCommand())
	addGroup(root, "Count on many machines:", cluster.NewCommands()...)
	const rest = "For programs and shells:"
	addGroup(root, rest, uci.NewCommand(program), newManCommand(), newVersionCommand())
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
