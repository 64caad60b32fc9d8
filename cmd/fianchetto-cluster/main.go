// Command fianchetto-cluster counts deep perfts on many machines. The commands run and resume give
// out tasks, worker counts them, and status and export report on a run. The commands tasks, leaf
// and total do the same through files. Results go to stdout, and all else to stderr.
package main

import (
	"bufio"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

//go:embed help
var words embed.FS

func main() { cli.Main(newRootCommand(), 10*time.Second) } // in which a worker gives back its tasks

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto-cluster")
	load := []step{(*program).readSpec, (*program).open, (*program).load}
	run := []step{(*program).readSpec, (*program).checkRun, (*program).readCounter, (*program).readCredentials,
		(*program).open, (*program).run, (*program).report}
	cli.AddGroup(root, "Count on machines that a run connects:",
		command("run --depth N", run, jobFlags, stateFlag, runFlags, jsonFlag, require("depth")),
		command("worker --connect URLS", []step{(*program).readCounter, (*program).readCredentials, (*program).work},
			workerFlags, require("connect")),
		command("status --state DIR", []step{printStatus(false)}, stateFlag, jsonFlag, require("state")),
		command("resume --state DIR", run, stateFlag, runFlags, distrustFlag, jsonFlag, require("state")),
		command("export --state DIR", []step{printStatus(true)}, stateFlag, require("state")))
	cli.AddGroup(root, "Count on machines that another system has:",
		command("tasks --state DIR", append(load, (*program).tasks), jobFlags, stateFlag, require("state")),
		command("leaf", []step{(*program).readCounter, (*program).leaf}, leafFlags),
		command("total --state DIR [FILE...]", append([]step{(*program).awaitInput}, append(load, (*program).total)...),
			stateFlag, totalFlags, jsonFlag, require("state")))
	return cli.Finish(root, words)
}

// program is a command, its flags, and the run that they are about.
type program struct {
	*cobra.Command
	files []string
	view  *view
	json  bool

	spec     job.Spec
	position cli.PositionFlags
	dir      string // of the run, or ""
	http     string
	remove   bool

	access    broker.Options
	token     string
	tokenFile string
	options   cluster.Options
	hash      int
	method    perft.Method

	*cluster.Coordinator
	stdin  *bufio.Reader
	kept   *state // nil if nothing is kept on this machine
	broker *broker.Broker
}

// step is one part of the work of a command.
type step func(*program) error

func command(use string, steps []step, flags ...func(*program)) *cobra.Command {
	p := new(program)
	p.access.Name = processName()
	p.Command = &cobra.Command{Use: use, Args: cli.NoArguments, RunE: func(_ *cobra.Command, files []string) (err error) {
		p.files, p.view = files, newView(p.ErrOrStderr())
		p.access.Notice, p.options.Notice = p.view.Notice, p.view.Notice
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
	switch {
	case errors.Is(err, cluster.ErrMethods):
		return errors.Join(exit.Difference("this machine or program is faulty"), err)
	case errors.Is(err, broker.ErrAuthorization):
	case errors.Is(err, broker.ErrBroker), errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.SyscallError)):
		return exit.IO(err)
	}
	return err
}

func require(flag string) func(*program) {
	return func(p *program) { cli.RequireArgument(p.Command, flag, "--"+flag) }
}

func jsonFlag(p *program) { cli.JSONVar(p.Flags(), &p.json) }

// stateFlag refuses an empty name, which an unset variable would give.
func stateFlag(p *program) {
	usage := "`DIR` of the run"
	if p.Flags().Lookup("depth") != nil {
		usage = "keep what is counted in `DIR`"
	}
	p.Flags().Func("state", usage, func(name string) error {
		if p.dir = name; name == "" {
			return errors.New("it is empty, and needs the name of a directory")
		}
		return nil
	})
}

func jobFlags(p *program) {
	p.Args = cli.TakeAll(nil)
	p.position.Register(p.Command)
	flags := p.Flags()
	flags.IntVar(&p.spec.Depth, "depth", 0, "how deep, `N` plies, 1 or more")
	flags.IntVar(&p.spec.Split, "split", 0, "expand `K` plies; 0 chooses")
	flags.IntVar(&p.spec.Batch, "batch", 0, "`N` positions in a task; 0 cuts by the time that they will take")
	flags.BoolVar(&p.spec.Verify, "verify", false, "count everything twice, by different methods and workers")
	flags.IntVar(&p.spec.Quorum, "quorum", 0, "`N` workers must agree on each count; from 2 on, this implies --verify")
}

// readSpec reads the job from the flags or, without --depth, from the directory.
func (p *program) readSpec() error {
	depth := p.Flags().Lookup("depth")
	if depth == nil || !depth.Changed {
		if depth != nil && p.Flags().NFlag() > 1 {
			return errors.New("missing --depth: without it, --state alone gives the job")
		}
		s, err := readState(p.dir)
		if errors.Is(err, errNoRun) && depth != nil {
			err = fmt.Errorf("%w: a new one needs --depth", err)
		}
		p.spec = s.Job.Spec
		return err
	}
	pos, err := p.position.Position()
	p.spec.FEN, p.spec.Chess960 = pos.FEN(), pos.IsChess960()
	p.spec.Verify = p.spec.Verify || p.spec.Quorum > 1
	if p.spec.Quorum == 1 || p.spec.Quorum == 2 { // as without and with --verify
		p.spec.Quorum = 0
	}
	return cmp.Or(err, p.spec.Check())
}

func counterFlags(p *program) {
	cli.SizeVar(p.Flags(), &p.hash, "hash", 256,
		"size of the hash table that all threads share, `MB` or with a unit (1G), and with --verify of one for each method; "+
			"0 is none")
	cli.MethodVar(p.Command, &p.method, "count the last plies, unless --verify asks for another method, by ")
}

func (p *program) readCounter() error {
	if err := job.CheckName(p.access.Name, ""); err != nil {
		return fmt.Errorf("--worker: %w", err)
	}
	counter, err := job.NewCounter(p.method, p.hash)
	if err != nil {
		return fmt.Errorf("--hash: %w", err)
	}
	p.options.Name, p.options.Count = p.access.Name, counter.Count
	return nil
}

func workerFlags(p *program) {
	brokerFlags(p, 0)
	counterFlags(p)
	cli.ThreadsVar(p.Flags(), &p.options.Threads, "threads", 0,
		"count on `N` threads; 0 is as many as there are processors")
	cli.SecondsVar(p.Flags(), &p.options.Idle, "idle", 0, "leave after `TIME` without a task or a broker; 0 is never")
}

func leafFlags(p *program) {
	counterFlags(p)
	cli.ThreadsVar(p.Flags(), &p.options.Threads, "threads", runtime.GOMAXPROCS(0), "count on `N` threads, a task each")
	p.Flags().StringVar(&p.access.Name, "worker", p.access.Name, "the `NAME` of the worker in the results")
}

func runFlags(p *program) {
	brokerFlags(p, 5*time.Minute)
	counterFlags(p)
	flags := p.Flags()
	flags.StringVar(&p.access.Listen, "listen", "", "let workers join at `HOST:PORT`; those of other machines need a token")
	flags.StringVar(&p.tokenFile, "credentials", "",
		"`FILE` of the workers that may join, with the name and the token of one in each line; read again when it changes")
	p.MarkFlagsMutuallyExclusive("token", "token-file", "credentials")
	cli.ThreadsVar(flags, &p.options.Threads, "workers", runtime.GOMAXPROCS(0),
		"count on `W` threads of this process, 0 on none")
	cli.SecondsVar(flags, &p.options.Lease, "lease", 10*time.Second,
		"give a task to another worker after `TIME` without a heartbeat")
	p.options.Checks = 0.01
	flags.Func("checks", "count `SHARE` of the tasks of other machines here as well, and all tasks on which workers "+
		"differ, to find faulty workers; 1% without the flag, and 0 lets the workers vote", func(text string) error {
		digits, percent := strings.CutSuffix(text, "%")
		n, err := strconv.ParseFloat(digits, 64)
		if percent {
			n /= 100
		}
		if err != nil || !(n >= 0 && n <= 1) {
			return fmt.Errorf("%s is not a share, 0%%..100%%", quote.Text(text, 0))
		}
		p.options.Checks = n
		return nil
	})
	flags.StringVar(&p.http, "http", "",
		"show a status page at `HOST:PORT`, with /status.json for programs and /metrics for Prometheus")
}

func distrustFlag(p *program) {
	p.Flags().StringVar(&p.options.Distrust, "distrust", "",
		"discard the results of the worker or credential `NAME`, and count them again")
}

func totalFlags(p *program) {
	p.Args = cobra.ArbitraryArgs
	p.Flags().BoolVar(&p.remove, "remove", false, "remove each FILE when all its results are in DIR")
}
