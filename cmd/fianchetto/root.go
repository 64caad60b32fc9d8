package main

import (
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/explore"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/magic"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/moves"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/perft"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/show"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/uci"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto", "Count, list and draw legal chess moves and what they are made of",
		"Fianchetto generates legal chess moves. This command counts, lists and draws them, and checks other move generators.",
		`  fianchetto perft 6
  fianchetto perft 4 --fen kiwipete --divide
  fianchetto compare --engine stockfish
  fianchetto moves --fen "8/8/8/8/8/2k5/1q6/K7 w - - 0 1"
  fianchetto show --attacks bishop:d4 --draw`)
	cli.AddGroup(root, "Count:", perft.NewCommand(), suite.NewCommand(), compare.NewCommand())
	cli.AddGroup(root, "Look:", moves.NewCommand(), show.NewCommand(), explore.NewCommand(), magic.NewCommand())
	cli.AddGroup(root, "Count on many machines:", newClusterCommands()...)
	return cli.Finish(root, uci.NewCommand(cli.Version("fianchetto")))
}
