// Package cli runs a command line, and has what its subcommands share: the flags that several of them take, the arguments that they
// refuse, and sentences for what is wrong with either.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// Main executes root as the whole of a process: with its arguments, its streams and its signals. It does not return.
func Main(root *cobra.Command) {
	// A write to a closed pipe must fail like any other, with exit code 3, and not end the process
	// by a signal. Ignoring the signal would do that too, but child processes would inherit it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(Run(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run executes root with the command line args, reports its error on stderr, and returns the exit code. It sets the streams of root, and
// how root reports errors.
func Run(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	results := &resultWriter{to: stdout}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(results)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(explainFlags)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableSuggestions = true // explainRules has them, on the same line

	err := root.ExecuteContext(ctx)
	if results.err != nil && !errors.Is(err, results.err) {
		err = errors.Join(err, results.err)
	}
	// A reader that reads no further, as head does, wants no message, and another program has written its own.
	if err != nil && !errors.Is(err, syscall.EPIPE) && !errors.As(err, new(exit.Status)) {
		fmt.Fprintln(stderr, root.Name()+": "+exit.Message(explainRules(root, err)))
	}
	return exit.Code(err)
}

// resultWriter writes to stdout and remembers the first error, so that none is lost even where it is
// not looked at, as in the help that cobra prints.
type resultWriter struct {
	to  io.Writer
	err error
}

// Unwrap returns stdout, which may be a terminal.
func (w *resultWriter) Unwrap() io.Writer { return w.to }

func (w *resultWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(p)
	if err != nil {
		w.err = exit.IO(fmt.Errorf("writing the results: %w", err))
	}
	return n, w.err
}
