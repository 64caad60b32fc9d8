// Package clitest runs subcommands in tests, within the process of the test or in one of their own.
package clitest

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// Run executes a program with the command line args and nothing on stdin. It returns the exit code,
// and what the program has written.
func Run(ctx context.Context, program *cobra.Command, args ...string) (code int, stdout, stderr string) {
	return RunWith(ctx, program, "", args...)
}

// RunWith is Run with a text on stdin.
func RunWith(ctx context.Context, program *cobra.Command, stdin string, args ...string) (code int, stdout,
	stderr string) {
	var results, diagnostics bytes.Buffer
	code = cli.Run(ctx, program, args, strings.NewReader(stdin), &results, &diagnostics)
	return code, results.String(), diagnostics.String()
}

// Main runs the tests of a package, in which processes can be started: the program of newProgram,
// and others, by their names.
func Main(m *testing.M, newProgram func() *cobra.Command, others map[string]func()) {
	programs := map[string]func(){newProgram().Name(): func() { cli.Main(newProgram()) }}
	maps.Copy(programs, others)
	testscript.Main(m, programs)
}

// RunScripts runs the scripts in testdata/script: a program as its users run it. The scripts have
// testscript's own commands; "exits CODE COMMAND...", which runs a command that must end with that
// exit code; and the variable COMMANDS, the directory of the programs of Main.
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

// RunExamples runs every example in the help of every command of a program, except those of the
// commands that are named, each in a directory of its own with a file games.pgn.
func RunExamples(t *testing.T, program *cobra.Command, except ...string) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	if slices.Contains(except, program.Name()) || program.Hidden {
		return
	}
	if program.Runnable() && program.HasParent() && !program.HasSubCommands() && program.Example == "" {
		t.Errorf("%s has no example", program.CommandPath())
	}
	for line := range strings.Lines(program.Example) {
		t.Run(program.Name(), func(t *testing.T) {
			t.Parallel() // some wait
			process := exec.Command(shell, "-c", line)
			process.Dir = t.TempDir()
			must.Do(t, os.WriteFile(filepath.Join(process.Dir, "games.pgn"), []byte("1. e4 e5 *\n"), 0o600))
			if out, err := process.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, out)
			}
		})
	}
	for _, sub := range program.Commands() {
		RunExamples(t, sub, except...)
	}
}

// CheckHelp checks the help of a command and of those below it. Its lines fit the terminal, but for
// command lines. Every flag is listed, once, with a name for its value, such as N or FILE: without
// one pflag prints a type of Go, or a word that the flag's text quotes.
func CheckHelp(t *testing.T, cmd *cobra.Command) {
	for _, width := range []int{80, 100} {
		help := cli.HelpText(cmd, width)
		for line := range strings.Lines(strings.Replace(help, cmd.Example, "", 1)) {
			isCommandLine := strings.HasPrefix(line, "  ") && strings.Contains(line, "fianchetto")
			if len(line) > width+1 && !isCommandLine {
				t.Errorf("%s --help, %d columns: %q", cmd.CommandPath(), width, line)
			}
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(flag); name != strings.ToUpper(name) {
				t.Errorf("%s --%s %s", cmd.CommandPath(), flag.Name, name)
			}
			listed := regexp.MustCompile(`(?m)^  (    |-[a-z], )--` + flag.Name + ` `)
			if n := len(listed.FindAllString(help, -1)); n != 1 {
				t.Errorf("%s: --%s is listed %d times", cmd.CommandPath(), flag.Name, n)
			}
		})
	}
	for _, sub := range cmd.Commands() {
		CheckHelp(t, sub)
	}
}
