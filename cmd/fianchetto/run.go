package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
)

// run executes the command line args and returns the exit code. It is the whole program but for the
// process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	results := &resultWriter{to: stdout}
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(results)
	root.SetErr(stderr)

	err := root.ExecuteContext(ctx)
	if results.err != nil && !errors.Is(err, results.err) {
		err = errors.Join(err, results.err)
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) { // who reads no further, as head does, wants no message
		fmt.Fprintln(stderr, "fianchetto: "+plain(explainRules(root, err)))
	}
	return exitCode(err)
}

// resultWriter writes to stdout and remembers the first error, so that none is lost even where it is
// not looked at, as in the help that cobra prints.
type resultWriter struct {
	to  io.Writer
	err error
}

func (w *resultWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(p)
	if err != nil {
		w.err = &ioError{fmt.Errorf("writing the results: %w", err)}
	}
	return n, w.err
}
