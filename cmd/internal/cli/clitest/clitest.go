// Package clitest runs subcommands in tests, within the process of the test or in one of their own.
package clitest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// Program returns the command fianchetto with some of its subcommands.
func Program(subcommands ...*cobra.Command) *cobra.Command {
	program := &cobra.Command{Use: "fianchetto"}
	program.AddCommand(subcommands...)
	return program
}

// Run executes a program with the command line args and nothing on stdin. It returns the exit code, and what the program has written.
func Run(ctx context.Context, program *cobra.Command, args ...string) (code int, stdout, stderr string) {
	return RunWith(ctx, program, "", args...)
}

// RunWith is Run with a text on stdin.
func RunWith(ctx context.Context, program *cobra.Command, stdin string, args ...string) (code int, stdout, stderr string) {
	var results, diagnostics bytes.Buffer
	code = cli.Run(ctx, program, args, strings.NewReader(stdin), &results, &diagnostics)
	return code, results.String(), diagnostics.String()
}

// Interrupt runs a command and interrupts it after a while, again after a longer one until it has printed a text, for the machine may
// be busy.
func Interrupt(t *testing.T, far string, command func(ctx context.Context) (code int, stdout, stderr string)) (code int, stdout, stderr string) {
	for pause := 50 * time.Millisecond; ; pause *= 4 {
		ctx, cancel := context.WithTimeout(t.Context(), pause)
		code, stdout, stderr = command(ctx)
		cancel()
		if strings.Contains(stdout+stderr, far) || pause > time.Minute {
			return code, stdout, stderr
		}
	}
}

// Main runs the tests of a package, in which processes can be started: the program of newProgram, and others, by their names.
func Main(m *testing.M, newProgram func() *cobra.Command, others map[string]func()) {
	programs := map[string]func(){newProgram().Name(): func() { cli.Main(newProgram()) }}
	maps.Copy(programs, others)
	testscript.Main(m, programs)
}

// Broken is a writer that fails, as a full disk or a closed pipe does.
var Broken io.Writer = brokenWriter{}

// ErrBroken is the error of Broken.
var ErrBroken = errors.New("no space left")

type brokenWriter struct{}

// Write fails.
func (brokenWriter) Write([]byte) (int, error) { return 0, ErrBroken }
