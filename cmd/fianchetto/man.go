package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/exit"
)

func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write man pages",
		Long:    `Man writes a page for each command to a directory: "man -l DIR/fianchetto-perft.1" shows one.`,
		Example: "  fianchetto man .",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("man needs a directory to write to: fianchetto man DIR")
			}
			return cli.NoArguments(cmd, args[1:])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return exit.IO(err)
			}
			header := &doc.GenManHeader{Title: "FIANCHETTO", Section: "1", Source: "Fianchetto", Manual: "Fianchetto"}
			cmd.Root().DisableAutoGenTag = true
			return exit.IO(doc.GenManTree(cmd.Root(), header, args[0]))
		},
	}
}
