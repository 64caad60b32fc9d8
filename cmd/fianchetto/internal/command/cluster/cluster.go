// Package cluster has the subcommands that count on many machines: run and resume give tasks out and worker counts them; status and export
// report on a run; tasks, leaf and total do the same in steps, for systems that have machines of their own.
package cluster

import (
	"github.com/spf13/cobra"
)

// NewCommands returns the subcommands that count on many machines, in order of importance.
func NewCommands() []*cobra.Command {
	return []*cobra.Command{
		newRunCommand(), newWorkerCommand(), newStatusCommand(), newResumeCommand(), newExportCommand(), newTasksCommand(), newLeafCommand(),
		newTotalCommand(),
	}
}
