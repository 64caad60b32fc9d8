// Command fianchetto-cluster counts deep perfts on many machines. The commands run and resume give
// out tasks, worker counts them, and status and export report on a run. The commands tasks, leaf
// and total do the same through files. Results go to stdout, and all else to stderr.
package main

import (
	"embed"
	"errors"
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
	cli.AddGroup(root, "Count on machines that a run connects:",
		command("run --depth N", (*program).run, jobFlags, stateFlag, runFlags, jsonFlag, require("depth")),
		command("worker --connect URLS", (*program).work, workerFlags, require("connect")),
		command("status --state DIR", (*program).printStatus, stateFlag, jsonFlag, require("state")),
		command("resume --state DIR", (*program).run, stateFlag, runFlags, distrustFlag, jsonFlag, require("state")),
		command("export --state DIR", (*program).export, stateFlag, require("state")))
	cli.AddGroup(root, "Count on machines that another system has:",
		command("tasks --state DIR", (*program).tasks, jobFlags, stateFlag, require("state")),
		command("leaf", (*program).leaf, leafFlags),
		command("total --state DIR [FILE...]", (*program).total, stateFlag, totalFlags, jsonFlag, require("state")))
	cli.Finish(root, words)
	root.Long = strings.Replace(root.Long, "an engine failed", "the broker failed", 1)
	return root
}

// program is a command, its flags, and the run that they are about.
type program struct {
	*cobra.Command
	specFlags
	brokerFlags
	counterFlags
	options coordinator.Options
	http    string
	name    string // of the worker of leaf
	dir     string // of the run, or ""
	json    bool
	remove  bool

	state
	view *view
}

func command(use string, run func(p *program, args []string) error, flags ...func(*program)) *cobra.Command {
	p := new(program)
	p.Command = &cobra.Command{Use: use, Args: cli.NoArguments, RunE: func(_ *cobra.Command, args []string) error {
		return runError(run(p, args))
	}}
	for _, register := range flags {
		register(p)
	}
	return p.Command
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
