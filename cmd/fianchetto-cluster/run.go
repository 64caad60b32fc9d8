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
	workerFlags
	options coordinator.Options
	http    string
	json    bool

	state
	view *view
}

func (r *run) register(cmd *cobra.Command) {
	r.brokerFlags.register(cmd)
	r.workerFlags.register(cmd)
	flags := cmd.Flags()
	cli.ThreadsVar(flags, &r.Threads, "workers", runtime.GOMAXPROCS(0), "count on `W` threads of this process, 0 on none")
	cli.SecondsVar(flags, &r.options.Lease, "lease", 10*time.Second,
		"give a task to another worker after `TIME` without a heartbeat")
	r.options.Checks = 0.01
	flags.Func("checks", "count `SHARE` of the tasks of other machines here as well, and all tasks on which workers "+
		"differ, to find faulty workers; 1% without the flag, and 0 lets the workers vote", func(text string) (err error) {
		r.options.Checks, err = readShare(text)
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
	case r.options.Lease < 100*time.Millisecond:
		return fmt.Errorf("--lease: %v is too short for heartbeats, 100ms is the least", r.options.Lease)
	case r.tokenFile != "" && r.closed():
		return errors.New("a token without --listen or --connect: no worker can join")
	case r.Threads == 0 && r.closed():
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
	workers, err := r.workerFlags.read(processName(), r.view.Notice)
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
	workers.Alone = r.closed()
	o := &r.options
	o.Closed, o.Join, o.Count, o.Notice = r.closed(), r.joinCommand(), workers.Count, r.view.Notice
	r.Coordinator = coordinator.New(r.broker, r.job, *o)
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
	if r.Threads > 0 {
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
		kept = monitor.Text("tasks", &status) + " kept; go on with: fianchetto-cluster resume --state " +
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
	cmd.Flags().StringVar(&r.options.Distrust, "distrust", "",
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

// workerFlags control the workers of this process.
type workerFlags struct {
	worker.Options
	hash   int
	method string
}

func (f *workerFlags) register(cmd *cobra.Command) {
	cli.SizeVar(cmd.Flags(), &f.hash, "hash", 256,
		"size of the hash table that all threads share, `MB` or with a unit (1G), and with --verify of one for each method; "+
			"0 is none")
	cli.NameVar(cmd, &f.method, "method", perft.Auto.String(), perft.MethodNames(),
		"how to count the last plies where --verify does not ask for another method")
}

func (f *workerFlags) read(name string, notice func(string)) (worker.Options, error) {
	var method perft.Method
	err := method.UnmarshalText([]byte(f.method))
	if err != nil {
		return f.Options, fmt.Errorf("--method: %w", err)
	}
	counter, err := job.NewCounter(method, f.hash)
	if err != nil {
		return f.Options, fmt.Errorf("--hash: %w", err)
	}
	f.Name, f.Notice, f.Count = name, notice, counter.Count
	return f.Options, nil
}

func newWorkerCommand() *cobra.Command {
	var (
		flags brokerFlags
		f     workerFlags
	)
	cmd := &cobra.Command{
		Use:  "worker --connect URLS",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.access.Connect == "" {
				return errors.New("--connect is empty: it needs the URL of a broker")
			}
			notice := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
			options, err := f.read(processName(), notice)
			if err != nil {
				return err
			}
			options.Threads, options.Announce = cmp.Or(options.Threads, runtime.GOMAXPROCS(0)), notice
			access, err := flags.options(cmd.Context(), options.Name, notice)
			if err != nil {
				return err
			}
			return work(cmd.Context(), access, options)
		},
	}
	flags.registerClient(cmd, 0)
	f.register(cmd)
	cli.ThreadsVar(cmd.Flags(), &f.Threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	cli.SecondsVar(cmd.Flags(), &f.Idle, "idle", 0, "leave after `TIME` without a task or a broker; 0 is never")
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
