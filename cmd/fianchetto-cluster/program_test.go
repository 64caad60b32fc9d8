package main

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, newProgram, map[string]func(){
		"faulty-worker": playFaultyWorker, // a worker with faults
		"node":          playNode,         // a server of a broker that is a cluster
	})
}

func newProgram() *cobra.Command { return newRootCommand() }
