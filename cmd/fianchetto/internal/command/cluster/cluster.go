// Package cluster has the subcommands that count on many machines: run and resume give tasks out and worker counts them; status and export
// report on a run; tasks, leaf and total do the same in steps, for systems that have machines of their own.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/queue"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// NewCommands returns the subcommands that count on many machines, in order of importance.
func NewCommands() []*cobra.Command {
	return []*cobra.Command{
		newRunCommand(), newWorkerCommand(), newStatusCommand(), newResumeCommand(), newExportCommand(), newTasksCommand(), newLeafCommand(),
		newTotalCommand(),
	}
}

// options control how a job is run, but not what is counted.
type options struct {
	engineFlags
	workerOptions
	lease time.Duration
	http  string
	json  bool
}

func (o *options) register(cmd *cobra.Command) {
	o.engineFlags.register(cmd)
	o.workerOptions.register(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.threads, "workers", runtime.GOMAXPROCS(0), "count on `W` threads of this process, 0 on none")
	cli.SecondsVar(flags, &o.lease, "lease", coordinator.DefaultLease, "give a task to another worker after `TIME` without a heartbeat")
	flags.StringVar(&o.http, "http", "", "show a status page at `HOST:PORT`, with /status.json for programs and /metrics for Prometheus")
	cli.JSONVar(flags, &o.json)
}

// closed reports whether no worker can join but those of this process.
func (o *options) closed() bool { return o.listen == "" && o.connect == "" }

func (o *options) check() error {
	if err := cli.CheckThreads("workers", o.threads); err != nil {
		return err
	}
	switch {
	case o.lease < 100*time.Millisecond:
		return fmt.Errorf("--lease: %v is too short for heartbeats, 100ms is the least", o.lease)
	case o.threads == 0 && o.closed():
		return errors.New("--workers 0: no worker would count; with --listen or --connect others can join")
	}
	return nil
}

// run counts what spec asks for, and goes on from the state in a directory if one is named.
func (o *options) run(cmd *cobra.Command, spec job.Spec, dir string) (err error) {
	if err := errors.Join(o.check(), spec.Check()); err != nil {
		return err
	}
	r := &run{options: o, name: processName(), view: newView(cmd.ErrOrStderr()), begun: time.Now()}
	workers, err := o.workerOptions.options(r.name, r.view.notice)
	if err != nil {
		return err
	}
	cleanUp, err := r.open(cmd.Context())
	if err != nil {
		return clusterError(interruption(cmd.Context(), err))
	}
	defer cleanUp()
	j, err := newJob(cmd.Context(), spec, r.view)
	if err != nil {
		return err
	}
	if r.state, err = openState(cmd.Context(), dir, j, r.view.notice); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	before := r.ledger.Summary().TasksDone
	r.coordinator = coordinator.New(r.engine, r.job, r.ledger, r.keeper(), r.coordinatorOptions())
	hide, err := r.show(cmd.Context())
	if err != nil {
		return err
	}
	defer hide()
	if err := r.count(cmd.Context(), workers); err != nil {
		return clusterError(r.explain(cmd.Context(), err))
	}
	hide()
	report := newReport(r, before)
	if err := report.write(cmd.OutOrStdout(), cmd.ErrOrStderr(), o.json); err != nil {
		return err
	}
	return mismatchesOf(r.ledger)
}

// run is a job that is run here.
type run struct {
	*options
	*state
	name        string // of this process
	begun       time.Time
	view        *view
	engine      *queue.Engine
	coordinator *coordinator.Coordinator
}

// open opens the engine, until cleanUp is called. It comes before all that takes long, so that a wrong address is reported at once.
func (r *run) open(ctx context.Context) (cleanUp func(), err error) {
	access, cleanUpAccess, err := r.engineFlags.coordinatorOptions(ctx, r.name, r.view.notice)
	if err != nil {
		return nil, err
	}
	if r.engine, err = queue.Open(ctx, access); err != nil {
		cleanUpAccess()
		return nil, err
	}
	return func() {
		r.engine.Close()
		cleanUpAccess()
	}, nil
}

// count runs the job to its end, with workers of this process.
func (r *run) count(ctx context.Context, workers worker.Options) error {
	if address := r.engine.Address(); address != "" {
		r.view.notice("workers join with: fianchetto worker --connect " + address)
	}
	var local sync.WaitGroup
	defer local.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers.Job = r.job.ID().String()
	r.coordinator.Ready = func() {
		if r.threads == 0 {
			return
		}
		local.Go(func() {
			if err := worker.Run(ctx, r.engine, workers); err != nil {
				cancel(err)
			}
		})
	}
	return r.coordinator.Run(ctx)
}

func (r *run) coordinatorOptions() coordinator.Options {
	options := coordinator.Options{Lease: r.lease, Patience: r.patience, Notice: r.view.notice}
	if r.patience == 0 {
		options.Patience = math.MaxInt64
	}
	if r.closed() {
		for i := range r.threads {
			options.Workers = append(options.Workers, worker.ThreadName(r.name, i))
		}
	}
	return options
}

// keeper returns the journal, nil without one: a nil *journal.Journal would not be a nil coordinator.Journal.
func (r *run) keeper() coordinator.Journal {
	if r.journal == nil {
		return nil
	}
	return r.journal
}

// show begins to show the status on the terminal, in the directory, and over HTTP, until hide is called.
func (r *run) show(ctx context.Context) (hide func(), err error) {
	var server *monitor.Server
	if r.http != "" {
		if server, err = monitor.Listen(r.http, r.coordinator.Status); err != nil {
			return nil, listenError("--http", err)
		}
		r.view.notice("status page at " + server.Address())
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.updateStatus(ctx)
	}()
	return sync.OnceFunc(func() {
		cancel()
		<-done
		r.view.clear()
		if r.dir != "" {
			coordinator.RemoveStatus(r.dir)
		}
		if server != nil {
			_ = server.Close() // nothing depends on the page
		}
	}), nil
}

// updateStatus shows and saves the status until ctx is done.
func (r *run) updateStatus(ctx context.Context) {
	tick := time.NewTicker(viewInterval)
	defer tick.Stop()
	var saved time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			status := r.coordinator.Status()
			r.view.show(&status)
			if r.dir != "" && time.Since(saved) >= time.Second {
				saved = time.Now()
				_ = coordinator.SaveStatus(r.dir, status) // it is for people only
			}
		}
	}
}

// explain adds to the error of a run that has ended too soon what is kept.
func (r *run) explain(ctx context.Context, err error) error {
	err = interruption(ctx, err)
	kept := "nothing is kept without --state"
	if r.dir != "" {
		kept = fmt.Sprintf("%s of %s kept; go on with: fianchetto resume --state %s", figures.Count(r.kept(err)), tasksAre(r.job.Tasks()), r.dir)
	}
	return fmt.Errorf("%w; %s", err, kept)
}

// kept returns how many tasks are done by the journal of a run that an error has ended. The ledger may have more: results are written after
// it has them. If writing failed, some of them may have been written, and what is there must be read.
func (r *run) kept(err error) int {
	var file *fs.PathError
	if errors.As(err, &file) {
		l := job.NewLedger(job.Outline(r.job.Description()))
		_, _, err := journal.Read(r.dir, func(result *job.Result) error {
			_, err := l.Add(result)
			return err
		})
		if err == nil {
			return l.Summary().TasksDone
		}
	}
	return r.coordinator.Status().TasksDone
}

// interruption returns errInterrupted if ctx is done, and with it any error explained.
func interruption(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run %w", exit.ErrInterrupted)
	}
	return err
}

// mismatchesOf returns an error that names the faulty workers, if there are any.
func mismatchesOf(l *job.Ledger) error {
	var errs []error
	for _, m := range l.Mismatches() {
		errs = append(errs, exit.Difference("faulty worker: "+m.String()))
	}
	return errors.Join(errs...)
}

// clusterError sorts an error of a run by the exit code that it is for.
func clusterError(err error) error {
	var conflict *job.ConflictError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &conflict):
		return errors.Join(exit.Difference("results differ"), err)
	case errors.Is(err, coordinator.ErrNobody):
		return errors.Join(exit.Difference("a task cannot be verified"), err)
	case errors.Is(err, queue.ErrAuthorization):
		return err
	case errors.Is(err, queue.ErrEngine), errors.Is(err, queue.ErrGone), errors.Is(err, queue.ErrTooLarge), errors.Is(err, coordinator.ErrAbsent):
		return exit.IO(err)
	}
	return stateError(err)
}

// stateError sorts an error of the journal: the system's are of reading and writing.
func stateError(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return exit.IO(err)
	}
	return err
}

// listenError sorts an error of listening at the address of a flag: an address that is none is wrong usage, but one that is in use, or
// not of this machine, is not.
func listenError(flag string, err error) error {
	err = fmt.Errorf("%s: %w", flag, err)
	var system *os.SyscallError
	if errors.As(err, &system) {
		return exit.IO(err)
	}
	return err
}
