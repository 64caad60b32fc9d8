package main

import (
	"os"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
)

func TestMain(m *testing.M) {
	clitest.Main(m, newRootCommand, map[string]func(){
		"mutant":    playEngine, // with the bugs that its arguments name
		"stockfish": playEngine, // with none: what the examples of compare have on the machine they are tried on
	})
}

// playEngine is another program that counts.
func playEngine() { os.Exit(mutant.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func TestScripts(t *testing.T) { clitest.RunScripts(t) }
