// Command fianchetto counts, lists and draws what the library generates: perft, legal moves, attacks,
// checks, lines and magic numbers, on any position of standard chess or Chess960.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit code is
//
//	0    all is right
//	1    counts differ
//	2    the command line or its input is wrong
//	3    an engine failed, or reading or writing did
//	130  it was interrupted
//
// If several apply, the first of 130, 3, 1, 2.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
)

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, newRootCommand(), args, stdin, stdout, stderr)
}

func main() {
	// A write to a closed pipe must fail like any other, with exit code 3, and not end the process
	// by a signal. Ignoring the signal would do that too, but child processes would inherit it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
