package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
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
	root.SetFlagErrorFunc(explainFlags)
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

// noArguments refuses arguments that are not flags. After --fen they are the rest of a FEN without quotes; without it
// they may be the value of a flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if fen := cmd.Flags().Lookup("fen"); fen != nil && strings.Contains(fen.Value.String(), "/") {
		hint = " (a FEN needs quotes around it)"
	} else if thing, flag := flagFor(args[0]); cmd.Flags().Lookup(flag) != nil && !strings.Contains(cmd.Use, strings.ToUpper(flag)) {
		hint = fmt.Sprintf(" (%s is given as --%s %s)", thing, flag, quoteForShell(args[0]))
	}
	return fmt.Errorf("%s: unexpected argument %s%s", cmd.Name(), quote.Text(args[0], 0), hint)
}

// flagFor returns what an argument seems to be, and the flag that takes such a thing; "" if it seems to be nothing of the kind.
func flagFor(argument string) (thing, flag string) {
	_, notNumber := strconv.Atoi(argument)
	_, notMoves := parseArrows(argument)
	_, notSquare := bitboard.ParseSquare(argument)
	switch {
	case isPosition(argument):
		return "a position", "fen"
	case notNumber == nil:
		return "a depth", "depth"
	case notMoves == nil:
		return "a move", "moves"
	case notSquare == nil:
		return "a square", "square"
	}
	return "", ""
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
				return unknownCommand(root, args[0])
			case len(rest) > 0:
				return unknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// unknownCommand is the error of a command without a subcommand of this name.
func unknownCommand(cmd *cobra.Command, name string) error {
	return fmt.Errorf("unknown command %s%s; see %s --help", quote.Text(name, 0), didYouMean(name, commandNames(cmd)), cmd.CommandPath())
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	return names
}
