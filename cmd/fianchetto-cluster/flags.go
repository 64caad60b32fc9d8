package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func require(flag string) func(*program) {
	return func(p *program) { cli.RequireFlag(p.Command, flag) }
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
		d, _, err := store.Describe(p.dir)
		if errors.Is(err, store.ErrNoRun) && depth != nil {
			err = fmt.Errorf("%w: a new one needs --depth", err)
		}
		p.spec = d.Spec
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

// counterFlags control the workers of this process.
type counterFlags struct {
	workers worker.Options
	hash    int
	method  perft.Method
}

func (p *program) registerCounter() {
	cli.SizeVar(p.Flags(), &p.hash, "hash", 256,
		"size of the hash table that all threads share, `MB` or with a unit (1G), and with --verify of one for each method; "+
			"0 is none")
	cli.MethodVar(p.Command, &p.method, "how to count the last plies where --verify does not ask for another method")
}

func (p *program) readCounter() error {
	name := p.access.Name
	if err := job.CheckName(name, ""); err != nil {
		return fmt.Errorf("--worker: %w", err)
	}
	counter, err := job.NewCounter(p.method, p.hash)
	if err != nil {
		return fmt.Errorf("--hash: %w", err)
	}
	p.workers.Name, p.workers.Count, p.options.Count = name, counter.Count, counter.Count
	return nil
}

func workerFlags(p *program) {
	p.brokerFlags.register(p.Command, 0)
	p.registerCounter()
	cli.ThreadsVar(p.Flags(), &p.workers.Threads, "threads", 0,
		"count on `N` threads; 0 is as many as there are processors")
	cli.SecondsVar(p.Flags(), &p.workers.Idle, "idle", 0, "leave after `TIME` without a task or a broker; 0 is never")
}

func leafFlags(p *program) {
	p.registerCounter()
	cli.ThreadsVar(p.Flags(), &p.workers.Threads, "threads", runtime.GOMAXPROCS(0), "count on `N` threads, a task each")
	p.Flags().StringVar(&p.access.Name, "worker", p.access.Name, "the `NAME` of the worker in the results")
}

func runFlags(p *program) {
	p.brokerFlags.register(p.Command, 5*time.Minute)
	p.brokerFlags.registerServer(p.Command)
	p.registerCounter()
	flags := p.Flags()
	cli.ThreadsVar(flags, &p.workers.Threads, "workers", runtime.GOMAXPROCS(0),
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
