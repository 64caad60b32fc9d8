// Command fianchetto-cluster counts deep perfts on many machines. The commands run and resume give
// out tasks, worker counts them, and status and export report on a run. The commands tasks, leaf
// and total do the same through files. Results go to stdout, and all else to stderr.
package main

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

//go:embed help
var words embed.FS

func main() { cli.Main(newRootCommand()) }

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto-cluster")
	root.Annotations = map[string]string{cli.GraceAnnotation: "10s"} // a worker gives back its tasks
	load := []step{(*program).readSpec, (*program).open, (*program).load}
	run := []step{(*program).readSpec, (*program).checkRun, (*program).readCounter, (*program).readCredentials,
		(*program).open, (*program).run, (*program).report}
	cli.AddGroup(root, "Count on machines that a run connects:",
		command("run --depth N", run, jobFlags, stateFlag, runFlags, jsonFlag, require("depth")),
		command("worker --connect URLS", []step{(*program).readCounter, (*program).readCredentials, (*program).work},
			workerFlags, require("connect")),
		command("status --state DIR", []step{(*program).printStatus}, stateFlag, jsonFlag, require("state")),
		command("resume --state DIR", run, stateFlag, runFlags, distrustFlag, jsonFlag, require("state")),
		command("export --state DIR", []step{(*program).export}, stateFlag, require("state")))
	cli.AddGroup(root, "Count on machines that another system has:",
		command("tasks --state DIR", append(load, (*program).tasks), jobFlags, stateFlag, require("state")),
		command("leaf", []step{(*program).readCounter, (*program).leaf}, leafFlags),
		command("total --state DIR [FILE...]", append([]step{(*program).awaitInput}, append(load, (*program).total)...),
			stateFlag, totalFlags, jsonFlag, require("state")))
	cli.Finish(root, words)
	root.Long = strings.Replace(root.Long, "an engine failed", "the broker failed", 1)
	return root
}

// program is a command, its flags, and the run that they are about.
type program struct {
	*cobra.Command
	files []string
	view  *view
	spec  job.Spec
	brokerFlags
	counterFlags
	position cli.PositionFlags
	options  coordinator.Options
	http     string
	dir      string // of the run, or ""
	json     bool
	remove   bool

	*coordinator.Coordinator
	stdin  *bufio.Reader
	kept   *store.Dir // nil if nothing is kept on this machine
	broker *broker.Broker
}

// step is one part of the work of a command.
type step func(*program) error

func command(use string, steps []step, flags ...func(*program)) *cobra.Command {
	p := new(program)
	p.access.Name = processName()
	p.Command = &cobra.Command{Use: use, Args: cli.NoArguments, RunE: func(_ *cobra.Command, files []string) (err error) {
		p.files, p.view = files, newView(p.ErrOrStderr())
		p.access.Notice, p.options.Notice, p.workers.Notice = p.view.Notice, p.view.Notice, p.view.Notice
		for _, do := range steps {
			if err = do(p); err != nil {
				break
			}
		}
		return runError(errors.Join(p.interruption(err), p.Close()))
	}}
	for _, register := range flags {
		register(p)
	}
	return p.Command
}

// interruption returns exit.ErrInterrupted if the command is interrupted, because that explains any
// error.
func (p *program) interruption(err error) error {
	if err == nil || p.Context().Err() == nil || errors.Is(err, exit.ErrInterrupted) {
		return err
	}
	return fmt.Errorf("run %w", exit.ErrInterrupted)
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
