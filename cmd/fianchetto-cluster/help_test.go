package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestHelp(t *testing.T) {
	clitest.CheckHelp(t, newRootCommand())
}

func TestScripts(t *testing.T) { clitest.RunScripts(t) }

func TestExamples(t *testing.T) { clitest.RunExamples(t, newRootCommand()) }
