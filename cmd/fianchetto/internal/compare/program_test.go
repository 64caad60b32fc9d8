package compare

import (
	"os"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
)

func TestMain(m *testing.M) {
	clitest.Main(m, newProgram, map[string]func(){"mutant": func() { os.Exit(mutant.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }})
}

func newProgram() *cobra.Command { return clitest.Program(NewCommand()) }
