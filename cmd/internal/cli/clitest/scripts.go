package clitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

// RunScripts runs the scripts in testdata/script: a program as its users run it. The scripts have testscript's own commands; "exits CODE
// COMMAND...", which runs a command that must end with that exit code; and the variable COMMANDS, the directory of the programs of Main.
func RunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("COMMANDS", filepath.SplitList(os.Getenv("PATH"))[0]) // where Main has put them
			return nil
		},
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

// RunExamples runs every example in the help of every command of a program, except those of the commands that are named.
func RunExamples(t *testing.T, program *cobra.Command, except ...string) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	if slices.Contains(except, program.Name()) {
		return
	}
	if program.Runnable() && program.HasParent() && !program.HasSubCommands() && program.Example == "" {
		t.Errorf("%s has no example", program.CommandPath())
	}
	for line := range strings.Lines(program.Example) {
		process := exec.Command(shell, "-c", line)
		process.Dir = t.TempDir()
		if out, err := process.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, out)
		}
	}
	for _, sub := range program.Commands() {
		RunExamples(t, sub, except...)
	}
}
