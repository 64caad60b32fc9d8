// Package clitest runs subcommands in tests.
package clitest

import (
	"bytes"
	"context"
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
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// Run executes a program with an empty stdin.
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

// Main runs the tests of a package, which can start programs by name.
func Main(m *testing.M, programs map[string]func()) { testscript.Main(m, programs) }

// RunScripts runs the scripts in testdata/script. Besides testscript's commands, scripts can use
// "exits CODE COMMAND...", which checks an exit code, and the variable COMMANDS, the directory of
// Main's programs.
func RunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("COMMANDS", filepath.SplitList(os.Getenv("PATH"))[0])
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

// RunExamples runs every example in the help of a program's commands, except the named ones, in a
// new directory with a file games.pgn.
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
			t.Parallel()
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

// CheckHelp checks the help of a command and its subcommands. Lines have at most 80 columns, except
// command lines. Every flag is listed once, with a name such as N for its value, instead of a Go
// type.
func CheckHelp(t *testing.T, cmd *cobra.Command) {
	help := cli.HelpText(cmd)
	for line := range strings.Lines(strings.Replace(help, cmd.Example, "", 1)) {
		isCommandLine := strings.HasPrefix(line, "  ") && strings.Contains(line, "fianchetto")
		if len(line) > 80+1 && !isCommandLine {
			t.Errorf("%s --help: %q", cmd.CommandPath(), line)
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
	for _, sub := range cmd.Commands() {
		CheckHelp(t, sub)
	}
}
