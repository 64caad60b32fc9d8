// Command fianchetto finds mistakes in chess move generators. It also counts, lists and draws legal
// moves of standard chess and Chess960. Its help lists the exit codes.
package main

import (
	"embed"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

//go:embed help
var words embed.FS

func main() { cli.Main(newRootCommand(), cli.Grace) }

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto")
	cli.AddGroup(root, "Count:", newPerftCommand(), newSuiteCommand(), newCompareCommand())
	cli.AddGroup(root, "Look:", newMovesCommand(), newShowCommand(), newExploreCommand(),
		cli.NewGroup("magic", newMagicFindCommand(), newMagicVerifyCommand(), newMagicInfoCommand()), newPGNCommand())
	engineForm := cli.NewGroup("go", newPerftCommand()) // as UCI has it
	engineForm.Hidden = true
	root.AddCommand(engineForm)
	return cli.Finish(root, words, newUCICommand())
}
