// Command fianchetto finds mistakes in chess move generators. It also counts, lists and draws legal
// moves, attacks, lines and magic numbers of standard chess and Chess960.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit code is
//
//	0    success
//	1    counts differ
//	2    the command line or its input is wrong
//	3    an engine, reading or writing failed
//	130  SIGINT interrupted it; 143 if it was SIGTERM
//
// If several apply, it is the first of 130 or 143, 3, 1, 2.
package main

import (
	"embed"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

//go:embed help
var words embed.FS

func main() { cli.Main(newRootCommand()) }

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto")
	cli.AddGroup(root, "Count:", newPerftCommand(), newSuiteCommand(), newCompareCommand())
	cli.AddGroup(root, "Look:", newMovesCommand(), newShowCommand(), newExploreCommand(), newMagicCommand(),
		newPGNCommand())
	root.AddCommand(newGoCommand())
	return cli.Finish(root, words, newUCICommand())
}
