package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func newRunCommand() *cobra.Command {
	var (
		wanted specFlags
		r      run
		state  string
	)
	cmd := &cobra.Command{
		Use:  "run --depth N",
		Args: cli.TakeAll(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := wanted.read()
			if err != nil {
				return err
			}
			return r.run(cmd, spec, state)
		},
	}
	wanted.position.Register(cmd)
	r.register(cmd)
	wanted.register(cmd)
	registerState(cmd, &state, "keep what is counted in `DIR`")
	cli.RequireFlag(cmd, "depth")
	return cmd
}

// run is a job that this process coordinates.
type run struct {
	brokerFlags
	workerOptions
	lease  time.Duration
	checks float64
	http   string
	json   bool

	state
	distrust string // a worker or credential
	view     *view
}

func (r *run) register(cmd *cobra.Command) {
	r.brokerFlags.register(cmd)
	r.workerOptions.register(cmd)
	flags := cmd.Flags()
	cli.ThreadsVar(flags, &r.threads, "workers", runtime.GOMAXPROCS(0), "count on `W` threads of this process, 0 on none")
	cli.SecondsVar(flags, &r.lease, "lease", 10*time.Second,
		"give a task to another worker after `TIME` without a heartbeat")
	r.checks = 0.01
	flags.Func("checks", "count `SHARE` of the tasks of other machines here as well, and all tasks on which workers "+
		"differ, to find faulty workers; 1% without the flag, and 0 lets the workers vote", func(text string) (err error) {
		r.checks, err = readShare(text)
		return err
	})
	flags.StringVar(&r.http, "http", "",
		"show a status page at `HOST:PORT`, with /status.json for programs and /metrics for Prometheus")
	cli.JSONVar(flags, &r.json)
}

// readShare reads a part of all tasks, given like 1% or 0.01.
func readShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(digits, 64)
	if percent {
		n /= 100
	}
	if err != nil || !(n >= 0 && n <= 1) {
		return 0, fmt.Errorf("%s is not a share, 0%%..100%%", quote.Text(text, 0))
	}
	return n, nil
}

// closed reports whether no other process can join.
func (r *run) closed() bool { return r.access.Listen == "" && r.access.Connect == "" }

func (r *run) check() error {
	switch {
	case r.lease < 100*time.Millisecond:
		return fmt.Errorf("--lease: %v is too short for heartbeats, 100ms is the least", r.lease)
	case r.tokenFile != "" && r.closed():
		return errors.New("a token without --listen or --connect: no worker can join")
	case r.threads == 0 && r.closed():
		return errors.New("--workers 0: no worker would count; with --listen or --connect others can join")
	}
	return nil
}

// run counts a job, and keeps its state in dir unless that is empty.
func (r *run) run(cmd *cobra.Command, spec job.Spec, dir string) (err error) {
	if err := errors.Join(r.check(), spec.Check()); err != nil {
		return err
	}
	ctx := cmd.Context()
	r.view = newView(cmd.ErrOrStderr())
	workers, err := r.workerOptions.options(processName(), r.view.Notice)
	if err != nil {
		return err
	}
	access, err := r.brokerFlags.options(ctx, workers.Name, r.view.Notice)
	if err != nil {
		return err
	}
	if err := r.open(ctx, spec, dir, access, r.view); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if info, err := os.Stat(r.tokenFile); r.access.Listen != "" && err == nil && info.Mode().IsRegular() {
		go r.readmit(ctx, access.Credentials)
	}
	options := coordinator.Options{Lease: r.lease, Join: r.joinCommand(), Notice: r.view.Notice, Count: workers.Count,
		Closed: r.closed(), Checks: r.checks, Distrust: r.distrust, Rules: job.Rules{Arbiter: r.checks > 0, Crowd: r.checks == 0}}
	if r.closed() {
		workers.Names = (spec.Owners() + r.threads - 1) / r.threads
	}
	r.Coordinator = coordinator.New(r.broker, r.job, options)
	hide, err := r.show(ctx)
	if err != nil {
		return err
	}
	if r.Join != "" {
		r.view.Notice("workers join with: " + r.Join)
	}
	err = r.count(ctx, workers)
	if hide(); err != nil {
		return r.explain(ctx, err)
	}
	return r.report(cmd)
}

func (r *run) count(ctx context.Context, workers worker.Options) error {
	if err := r.Load(ctx); err != nil || r.Ledger().Done() {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	working, leave := context.WithCancel(ctx)
	if r.threads > 0 {
		group.Go(func() error { return worker.Run(working, r.broker, workers) })
	}
	group.Go(func() error {
		defer leave()
		return r.Run(ctx)
	})
	return group.Wait()
}

// joinCommand returns "" if no worker on another machine can join.
func (r *run) joinCommand() string {
	address := cmp.Or(r.broker.Address(), r.access.Connect)
	if address == "" {
		return ""
	}
	if host, err := os.Hostname(); err == nil {
		address = strings.NewReplacer("//0.0.0.0:", "//"+host+":", "//[::]:", "//"+host+":").Replace(address)
	}
	command := "fianchetto-cluster worker --connect " + cli.QuoteForShell(address)
	if r.token != "" || r.tokenFile != "" {
		command += " --token-file FILE"
	}
	if r.access.TLS != (broker.TLSFiles{}) {
		command += " --tls-ca FILE"
	}
	if f := r.access.TLS; r.access.Connect == "" && f.Authority != "" || r.access.Connect != "" && f.Certificate != "" {
		command += " --tls-cert FILE --tls-key FILE"
	}
	return command
}

// show shows the status everywhere until hide is called.
func (r *run) show(ctx context.Context) (hide func(), err error) {
	page := new(http.Server)
	if r.http != "" {
		if page, err = monitor.Listen(r.http, r.Status); err != nil {
			return nil, fmt.Errorf("--http: %w", err)
		}
		r.view.Notice("status page at http://" + page.Addr + "/")
	}
	ctx, cancel := context.WithCancel(ctx)
	var updates sync.WaitGroup
	updates.Go(func() {
		for saved := (time.Time{}); ctx.Err() == nil; broker.Pause(ctx, 250*time.Millisecond) {
			status := r.Status()
			r.view.show(&status)
			if time.Since(saved) >= time.Second {
				saved = time.Now()
				_ = r.save(&status) // it is for people only
			}
		}
	})
	return func() {
		cancel()
		updates.Wait()
		r.view.Erase()
		last := r.Status()
		last.Running = false
		_ = errors.Join(r.save(&last), page.Close()) // nothing depends on them
	}, nil
}

// explain adds to an error how much is kept and which command goes on.
func (r *run) explain(ctx context.Context, err error) error {
	kept := "nothing is kept without --state"
	if r.dir != nil {
		status := r.Status()
		kept = strings.TrimSuffix(tasksDone(&status), "done") + "kept; go on with: fianchetto-cluster resume --state " +
			r.dir.Path
		if r.access.Connect != "" {
			kept += " --connect " + cli.QuoteForShell(r.access.Connect)
		}
	}
	return fmt.Errorf("%w; %s", interruption(ctx, err), kept)
}

func newResumeCommand() *cobra.Command {
	var (
		r   run
		dir string
	)
	cmd := &cobra.Command{
		Use:  "resume --state DIR",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := store.Describe(dir)
			if err != nil {
				return err
			}
			return r.run(cmd, d.Spec, dir)
		},
	}
	r.register(cmd)
	cmd.Flags().StringVar(&r.distrust, "distrust", "",
		"discard the results of the worker or credential `NAME`, and count them again")
	requireState(cmd, &dir, "`DIR` of the run")
	return cmd
}

// report prints the total. Figures that differ from run to run go to stderr.
func (r *run) report(cmd *cobra.Command) error {
	status := r.Status()
	e := &effort{status.TasksBefore, time.Since(r.view.begun).Seconds(), 0, status.Redeliveries}
	if status.TasksBefore < status.Job.Tasks {
		e.Speed = status.Counted() / e.Seconds
	}
	err := printTotal(cmd, r.json, &status.Summary, e)
	if d := &status.Job; !r.json {
		fmt.Fprintf(cmd.ErrOrStderr(), "%.3f s, %s, %s after %s in %s, %s of them done before, %s redelivered\n",
			e.Seconds, format.Rate(e.Speed, "nodes/s"), format.Things(d.Positions, "position"),
			format.Plural(d.Spec.Split, "ply", "plies"), format.Things(d.Tasks, "task"), format.Count(e.TasksBefore),
			format.Count(e.Redeliveries))
	}
	return err
}

// workerOptions control the workers of this process.
type workerOptions struct {
	threads int
	hash    int
	method  string
}

func (o *workerOptions) register(cmd *cobra.Command) {
	cli.SizeVar(cmd.Flags(), &o.hash, "hash", 256,
		"size of the hash table that all threads share, `MB` or with a unit (1G), and with --verify of one for each method; "+
			"0 is none")
	cli.NameVar(cmd, &o.method, "method", perft.Auto.String(), perft.MethodNames(),
		"how to count the last plies where --verify does not ask for another method")
}

func (o *workerOptions) options(name string, notice func(string)) (worker.Options, error) {
	method, err := perft.ParseMethod(o.method)
	if err != nil {
		return worker.Options{}, fmt.Errorf("--method: %w", err)
	}
	counter, err := job.NewCounter(method, o.hash)
	if err != nil {
		return worker.Options{}, fmt.Errorf("--hash: %w", err)
	}
	return worker.Options{Name: name, Threads: o.threads, Notice: notice, Count: counter.Count}, nil
}

func newWorkerCommand() *cobra.Command {
	var (
		flags brokerFlags
		o     workerOptions
		idle  time.Duration
	)
	cmd := &cobra.Command{
		Use:  "worker --connect URLS",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.access.Connect == "" {
				return errors.New("--connect is empty: it needs the URL of a broker")
			}
			if o.threads == 0 {
				o.threads = runtime.GOMAXPROCS(0)
			}
			notice := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
			options, err := o.options(processName(), notice)
			if err != nil {
				return err
			}
			options.Idle, options.Announce = idle, notice
			access, err := flags.options(cmd.Context(), options.Name, notice)
			if err != nil {
				return err
			}
			return work(cmd.Context(), access, options)
		},
	}
	flags.registerClient(cmd, 0)
	o.register(cmd)
	cli.ThreadsVar(cmd.Flags(), &o.threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	cli.SecondsVar(cmd.Flags(), &idle, "idle", 0, "leave after `TIME` without a task or a broker; 0 is never")
	cli.RequireFlag(cmd, "connect")
	return cmd
}

func work(ctx context.Context, access broker.Options, o worker.Options) error {
	access.Worker = true
	dialing := ctx
	if o.Idle > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, o.Idle, fmt.Errorf("no task for %v", o.Idle))
		defer cancel()
		dialing = limited
	}
	e, err := cli.Await(ctx, func() (*broker.Broker, error) { return broker.Open(dialing, access) })
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer e.Close()
	o.Notice("connected, " + format.Things(o.Threads, "thread") + ", as " + o.Name)
	return worker.Run(ctx, e, o)
}
