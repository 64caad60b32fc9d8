package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestHelp(t *testing.T) {
	clitest.CheckHelp(t, newRootCommand())
}
