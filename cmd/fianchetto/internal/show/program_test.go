package show

import (
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func newProgram() *cobra.Command { return clitest.Program(NewCommand()) }
