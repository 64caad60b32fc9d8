// Command fianchetto-cluster counts deep perfts on many machines. The commands run and resume give
// out tasks, worker counts them, and status and export report on a run. The commands tasks, leaf
// and total do the same through files. Results go to stdout, and all else to stderr.
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
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

//go:embed help
var words embed.FS

// collectAt is GOGC while a job is expanded, and for a large one. It costs no measurable time
// there, because frontiers contain no pointers.
const collectAt = 25

func main() {
	debug.SetGCPercent(collectAt)
	cli.Main(newRootCommand())
}

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto-cluster")
	root.Annotations = map[string]string{cli.GraceAnnotation: "10s"} // a worker gives back its tasks
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

// interruption returns exit.ErrInterrupted if ctx has ended, because that explains any error.
func interruption(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run %w", exit.ErrInterrupted)
	}
	return err
}

// runError gives an error of a command its exit code.
func runError(err error) error {
	var (
		file   *fs.PathError
		system *os.SyscallError
	)
	switch {
	case errors.Is(err, coordinator.ErrMethods):
		return errors.Join(exit.Difference("this machine or program is faulty"), err)
	case errors.Is(err, broker.ErrAuthorization):
	case errors.Is(err, broker.ErrBroker), errors.As(err, &file), errors.As(err, &system):
		return exit.IO(err)
	}
	return err
}
