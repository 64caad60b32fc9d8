package main

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

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

// TestScripts runs the command as its users do. The scripts have testscript's own commands and
// "exits CODE COMMAND...", which runs a command that must end with that exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		failed, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = strconv.Itoa(failed.ExitCode())
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s", code, args[0], ts.ReadFile("stderr"))
	}
}
