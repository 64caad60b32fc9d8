// Command fianchetto-cluster counts deep perfts on many machines: run and resume give tasks out,
// worker counts them, status and export report on a run. tasks, leaf and total do the same in
// steps, for systems that have machines of their own.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit codes are those of the
// command fianchetto.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

//go:embed help
var words embed.FS

// collectAt is how much garbage there can be, in percent of what is used. It costs no time that can
// be measured, for almost nothing in a frontier, a ledger or a hash table is a pointer.
const collectAt = 25

func main() {
	debug.SetGCPercent(collectAt)
	cli.Main(newRootCommand())
}

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto-cluster")
	cli.AddGroup(root, "Count on machines that a run connects:", newRunCommand(), newWorkerCommand(),
		newStatusCommand(), newResumeCommand(), newExportCommand())
	cli.AddGroup(root, "Count on machines that another system has:", newTasksCommand(), newLeafCommand(),
		newTotalCommand())
	for _, cmd := range root.Commands() {
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return runError(run(cmd, args)) }
	}
	cli.Finish(root, words)
	root.Long = strings.Replace(root.Long, "an engine failed", "the broker failed", 1)
	return root
}

// interruption returns an exit.ErrInterrupted if ctx is done, which explains any error then, or
// else err.
func interruption(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run %w", exit.ErrInterrupted)
	}
	return err
}

// mismatchesOf returns an error that names the faulty workers, if there are any.
func mismatchesOf(l *job.Ledger) error {
	var errs []error
	for _, m := range l.Mismatches() {
		errs = append(errs, exit.Difference("faulty worker: "+m.String()))
	}
	return errors.Join(errs...)
}

// runError sorts an error of a command by the exit code that it is for.
func runError(err error) error {
	var (
		file   *fs.PathError
		system *os.SyscallError
	)
	is := func(problem error) bool { return errors.Is(err, problem) }
	switch {
	case is(job.ErrConflict):
		return errors.Join(exit.Difference("results differ"), err)
	case is(coordinator.ErrNobody):
		return errors.Join(exit.Difference("a task cannot be verified"), err)
	case is(broker.ErrAuthorization):
	case is(broker.ErrBroker), is(broker.ErrGone), is(coordinator.ErrAbsent), errors.As(err, &file),
		errors.As(err, &system):
		return exit.IO(err)
	}
	return err
}
