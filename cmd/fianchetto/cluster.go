package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// clusterProgram is the command that counts on many machines. It stands apart because it links a message broker.
const clusterProgram = "fianchetto-cluster"

// clusterCommands are the subcommands of clusterProgram, with what they do.
var clusterCommands = [][2]string{
	{"run", "Count a deep perft on many machines"},
	{"worker", "Count tasks of a run"},
	{"status", "Report how far a run is"},
	{"resume", "Continue a run"},
	{"export", "Print what a run has counted"},
	{"tasks", "Print the tasks of a deep perft"},
	{"leaf", "Count tasks"},
	{"total", "Sum up results"},
}

// newClusterCommands returns subcommands that start clusterProgram with the same arguments, as git and cargo do.
func newClusterCommands() (commands []*cobra.Command) {
	for _, c := range clusterCommands {
		name := c[0]
		commands = append(commands, &cobra.Command{
			Use: name, Short: c[1], DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error { return runCluster(cmd, name, args) },
		})
	}
	return commands
}

// runCluster runs a subcommand of clusterProgram. Its exit code becomes that of this process.
func runCluster(cmd *cobra.Command, name string, args []string) error {
	path, err := exec.LookPath(clusterProgram)
	if err != nil {
		return fmt.Errorf("%s: %s does that, which is not on the PATH: "+
			"go install github.com/fianchetto-chess/fianchetto/cmd/%[2]s@latest", name, clusterProgram)
	}
	process := exec.Command(path, append([]string{name}, args...)...)
	process.Stdin, process.Stdout, process.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	var failed *exec.ExitError
	if err := process.Run(); errors.As(err, &failed) {
		os.Exit(failed.ExitCode())
	} else if err != nil {
		return exit.IO(err)
	}
	return nil
}
