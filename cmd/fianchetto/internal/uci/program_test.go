package uci

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m, newProgram, nil) }

func newProgram() *cobra.Command { return clitest.Program(NewCommand("fianchetto")) }
