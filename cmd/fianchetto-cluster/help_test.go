package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestHelp(t *testing.T) {
	clitest.CheckHelp(t, newRootCommand())
}

func TestScripts(t *testing.T) { clitest.RunScripts(t) }

func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("some examples wait for seconds")
	}
	clitest.RunExamples(t, newRootCommand())
}
