// Command fianchetto counts, lists and draws what the library generates: perft, legal moves,
// attacks, checks, lines and magic numbers, on any position of standard chess or Chess960.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit code is
//
//	0    all is right
//	1    counts differ
//	2    the command line or its input is wrong
//	3    an engine failed, or reading or writing did
//	130  it was interrupted
//
// If several apply, the first of 130, 3, 1, 2.
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
