package main

import (
	"testing"

	"github.com/spf13/cobra"

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

func TestMain(m *testing.M) {
	clitest.Main(m, newProgram, map[string]func(){
		"faulty-worker": playFaultyWorker, // a worker with faults
		"node":          playNode,         // a server of a broker that is a cluster
	})
}

func newProgram() *cobra.Command { return newRootCommand() }
