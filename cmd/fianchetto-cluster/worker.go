package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// workerOptions control how the workers of this process count.
type workerOptions struct {
	threads int
	hash    int
	method  string
}

func (o *workerOptions) register(cmd *cobra.Command) {
	cli.SizeVar(cmd.Flags(), &o.hash, "hash", 256,
		"size of the hash table that all threads share, `MB` or with a unit (1G), and with --verify of one for each method; "+
			"0 is none")
	cmd.Flags().StringVar(&o.method, "method", perft.Auto.String(),
		"how to count the last plies where --verify does not ask for another method, a `NAME`: "+
			strings.Join(perft.MethodNames(), ", "))
	cli.Complete(cmd, "method", perft.MethodNames())
}

// options returns the options for a process of a name to work for any job.
func (o *workerOptions) options(name string, notice func(string)) (worker.Options, error) {
	method, err := perft.ParseMethod(o.method)
	if err != nil {
		return worker.Options{}, fmt.Errorf("--method: %w", err)
	}
	memory, err := job.NewMemory(o.hash)
	if err != nil {
		return worker.Options{}, fmt.Errorf("--hash: %w", err)
	}
	return worker.Options{
		Name: name, Threads: o.threads, Notice: notice,
		NewCounter: func(name string) worker.Counter { return memory.NewCounter(name, method) },
	}, nil
}

func newWorkerCommand() *cobra.Command {
	var (
		access brokerFlags
		o      workerOptions
		idle   time.Duration
	)
	cmd := &cobra.Command{
		Use:  "worker --connect URLS",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if access.connect == "" {
				return errors.New("--connect is empty: it needs the URL of a broker")
			}
			if err := cli.CheckThreads("threads", o.threads); err != nil {
				return err
			}
			if o.threads == 0 {
				o.threads = runtime.GOMAXPROCS(0)
			}
			notice := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
			options, err := o.options(processName(), notice)
			if err != nil {
				return err
			}
			options.Idle, options.Patience = idle, access.patience
			return runError(work(cmd.Context(), access.workerOptions(cmd.Context(), options.Name, notice), options))
		},
	}
	access.registerClient(cmd, 0)
	o.register(cmd)
	cmd.Flags().IntVar(&o.threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	cli.SecondsVar(cmd.Flags(), &idle, "idle", 0, "leave after `TIME` without a task or a broker; 0 is never")
	cli.RequireFlag(cmd, "connect")
	return cmd
}

// work connects and counts until ctx is done.
func work(ctx context.Context, access broker.Options, o worker.Options) error {
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
	o.Notice("connected, " + figures.Things(o.Threads, "thread") + ", as " + o.Name)
	return worker.Run(ctx, e, o)
}
