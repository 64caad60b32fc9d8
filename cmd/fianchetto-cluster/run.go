package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// closed reports whether no other process can join.
func (p *program) closed() bool { return p.access.Listen == "" && p.access.Connect == "" }

func (p *program) checkRun() error {
	p.options.Closed = p.closed()
	switch {
	case p.options.Lease < 100*time.Millisecond:
		return fmt.Errorf("--lease: %v is too short for heartbeats, 100ms is the least", p.options.Lease)
	case p.tokenFile != "" && p.closed():
		return errors.New("a token without --listen or --connect: no worker can join")
	case p.workers.Threads == 0 && p.closed():
		return errors.New("--workers 0: no worker would count; with --listen or --connect others can join")
	}
	return nil
}

// run counts a new job, or goes on with that of the directory.
func (p *program) run() error {
	ctx, cancel := context.WithCancel(p.Context())
	defer cancel()
	if info, err := os.Stat(p.tokenFile); p.access.Listen != "" && err == nil && info.Mode().IsRegular() {
		go p.readmit(ctx)
	}
	p.Join = p.joinCommand()
	hide, err := p.show(ctx)
	if err != nil {
		return err
	}
	if p.Join != "" {
		p.view.Notice("workers join with: " + p.Join)
	}
	err = p.count(ctx)
	if hide(); err != nil {
		return p.explain(err)
	}
	return nil
}

func (p *program) count(ctx context.Context) error {
	if err := p.Load(ctx); err != nil || p.Ledger().Done() {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	working, leave := context.WithCancel(ctx)
	p.workers.Alone = p.closed()
	if p.workers.Threads > 0 {
		group.Go(func() error { return worker.Run(working, p.broker, p.workers) })
	}
	group.Go(func() error {
		defer leave()
		return p.Coordinator.Run(ctx)
	})
	return group.Wait()
}

// joinCommand returns "" if no worker on another machine can join.
func (p *program) joinCommand() string {
	address, tls := cmp.Or(p.broker.Address(), p.access.Connect), p.access.TLS
	if address == "" {
		return ""
	}
	if host, err := os.Hostname(); err == nil {
		address = strings.NewReplacer("//0.0.0.0:", "//"+host+":", "//[::]:", "//"+host+":").Replace(address)
	}
	command := "fianchetto-cluster worker --connect " + cli.QuoteForShell(address)
	if p.token != "" || p.tokenFile != "" {
		command += " --token-file FILE"
	}
	if tls != (broker.TLSFiles{}) {
		command += " --tls-ca FILE"
	}
	if p.access.Connect == "" && tls.Authority != "" || p.access.Connect != "" && tls.Certificate != "" {
		command += " --tls-cert FILE --tls-key FILE"
	}
	return command
}

// show shows the status everywhere until hide is called.
func (p *program) show(ctx context.Context) (hide func(), err error) {
	page := new(http.Server)
	if p.http != "" {
		if page, err = monitor.Listen(p.http, p.Status); err != nil {
			return nil, fmt.Errorf("--http: %w", err)
		}
		p.view.Notice("status page at http://" + page.Addr + "/")
	}
	ctx, cancel := context.WithCancel(ctx)
	var updates sync.WaitGroup
	updates.Go(func() {
		for ; ctx.Err() == nil; broker.Pause(ctx, time.Second) {
			status := p.Status()
			p.view.show(&status)
			_ = p.save(&status) // it is for people only
		}
	})
	return func() {
		cancel()
		updates.Wait()
		p.view.Erase()
		last := p.Status()
		last.Running = false
		_ = errors.Join(p.save(&last), page.Close()) // nothing depends on them
	}, nil
}

// explain adds to an error how much is kept and which command goes on.
func (p *program) explain(err error) error {
	kept := "nothing is kept without --state"
	if p.dir != "" {
		status := p.Status()
		kept = monitor.Text("tasks", &status) + " kept; go on with: fianchetto-cluster resume --state " + p.dir
		if p.access.Connect != "" {
			kept += " --connect " + cli.QuoteForShell(p.access.Connect)
		}
	}
	return fmt.Errorf("%w; %s", p.interruption(err), kept)
}

// report prints the total. Figures that differ from run to run go to stderr.
func (p *program) report() error {
	status := p.Status()
	e := &effort{status.TasksBefore, time.Since(p.view.begun).Seconds(), 0, status.Redeliveries}
	if status.TasksBefore < status.Job.Tasks {
		e.Speed = status.Counted() / e.Seconds
	}
	err := p.printTotal(&status.Summary, e)
	if d := &status.Job; !p.json {
		fmt.Fprintf(p.ErrOrStderr(), "%.3f s, %s, %s after %s in %s, %s of them done before, %s redelivered\n",
			e.Seconds, format.Rate(e.Speed, "nodes/s"), format.Things(d.Positions, "position"),
			format.Plural(d.Spec.Split, "ply", "plies"), format.Things(d.Tasks, "task"), format.Count(e.TasksBefore),
			format.Count(e.Redeliveries))
	}
	return err
}

// work counts tasks of runs elsewhere.
func (p *program) work() error {
	if p.access.Connect == "" {
		return errors.New("--connect is empty: it needs the URL of a broker")
	}
	p.workers.Threads, p.workers.Announce = cmp.Or(p.workers.Threads, runtime.GOMAXPROCS(0)), p.view.Notice
	return work(p.Context(), p.access, p.workers)
}

func work(ctx context.Context, access broker.Options, o worker.Options) error {
	access.Worker = true
	dialing := ctx
	if o.Idle > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, o.Idle, fmt.Errorf("no task for %v", o.Idle))
		defer cancel()
		dialing = limited
	}
	b, err := broker.Open(dialing, access)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer b.Close()
	o.Notice("connected, " + format.Things(o.Threads, "thread") + ", as " + o.Name)
	return worker.Run(ctx, b, o)
}
