package main

import (
	"os"
	"os/exec"
	"strings"
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

// TestNoBroker holds the broker out of the command.
func TestNoBroker(t *testing.T) {
	packages, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil || !strings.Contains(string(packages), "fianchetto/perft") {
		t.Fatalf("%v: %s", err, packages)
	}
	for name := range strings.Lines(string(packages)) {
		if strings.Contains(name, "nats") {
			t.Errorf("the command links %s", name)
		}
	}
}

// TestScripts runs the command as its users do.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }
