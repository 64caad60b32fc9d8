// Command fianchetto-cluster counts deep perfts on many machines: run and resume give tasks out, worker counts them,
// status and export report on a run. tasks, leaf and total do the same in steps, for systems that have machines of
// their own.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit codes are those of the command fianchetto.
package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func main() { cli.Main(newRootCommand()) }

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto-cluster", "Count perft on many machines",
		"Fianchetto-cluster counts legal chess moves to a depth that takes many machines.",
		`  fianchetto-cluster run --depth 6
  fianchetto-cluster tasks --depth 4 --state four | fianchetto-cluster leaf | fianchetto-cluster total --state four`)
	root.Long = strings.Replace(root.Long, "an engine failed", "the broker failed", 1)
	cli.AddGroup(root, "Count on machines that a run connects:", newRunCommand(), newWorkerCommand(), newStatusCommand(),
		newResumeCommand(), newExportCommand())
	cli.AddGroup(root, "Count on machines that another system has:", newTasksCommand(), newLeafCommand(), newTotalCommand())
	return cli.Finish(root)
}
