package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

func newManCommand(program string) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write man pages",
		Long:    fmt.Sprintf(`Man writes a page for each command to a directory: "man -l DIR/%s.1" shows one.`, program),
		Example: "  " + program + " man .",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("man needs a directory to write to: %s man DIR", program)
			}
			return NoArguments(cmd, args[1:])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return exit.IO(err)
			}
			header := &doc.GenManHeader{Title: strings.ToUpper(program), Section: "1", Source: "Fianchetto", Manual: "Fianchetto"}
			cmd.Root().DisableAutoGenTag = true
			return exit.IO(doc.GenManTree(cmd.Root(), header, args[0]))
		},
	}
}
