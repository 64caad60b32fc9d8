package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

func (p *program) checkRun() error {
	p.options.Closed = p.access.Listen == "" && p.access.Connect == ""
	switch closed := p.options.Closed; {
	case p.options.Lease < 100*time.Millisecond:
		return fmt.Errorf("--lease: %v is too short for heartbeats, 100ms is the least", p.options.Lease)
	case p.token+p.tokenFile != "" && closed:
		return errors.New("a token without --listen or --connect: no worker can join")
	case p.options.Threads == 0 && closed:
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
	if p.options.Threads > 0 {
		group.Go(func() error { return cluster.Work(working, p.broker, p.options) })
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
	command := "fianchetto-cluster worker --connect " + quote.Shell(address)
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
			if p.view.show(&status); status.Running { // otherwise the last run's status is the better one
				_ = p.kept.save(&status) // it is for people only
			}
		}
	})
	return func() {
		cancel()
		updates.Wait()
		p.view.Erase()
		if last := p.Status(); last.Running {
			last.Running = false
			_ = p.kept.save(&last)
		}
		page.Close()
	}, nil
}

// explain adds to an error how much is kept and which command goes on.
func (p *program) explain(err error) error {
	kept := "nothing is kept without --state"
	if p.dir != "" {
		kept = "go on with: fianchetto-cluster resume --state " + quote.Shell(p.dir)
		if status := p.Status(); status.Running {
			kept = monitor.Text("tasks", &status) + " kept; " + kept
		}
		if p.access.Connect != "" {
			kept += " --connect " + quote.Shell(p.access.Connect)
		}
	}
	return fmt.Errorf("%w; %s", p.interruption(err), kept)
}

// report prints the total. Figures that differ from run to run go to stderr.
func (p *program) report() error {
	status := p.Status()
	seconds := time.Since(p.view.begun).Seconds()
	e := &effort{status.TasksBefore, seconds, status.Counted() / seconds, status.Redeliveries}
	err := p.printTotal(&status.Summary, e)
	if !p.json {
		fmt.Fprintf(p.ErrOrStderr(), "%.3f s, %s, %s", e.Seconds, format.Rate(e.Speed, "nodes/s"), monitor.Text("effort", &status))
	}
	return err
}

// work counts tasks of runs elsewhere.
func (p *program) work() error {
	if p.access.Connect == "" {
		return errors.New("--connect is empty: it needs the URL of a broker")
	}
	p.options.Threads, p.options.Announce = cmp.Or(p.options.Threads, runtime.GOMAXPROCS(0)), p.view.Notice
	return work(p.Context(), p.access, p.options)
}

func work(ctx context.Context, access broker.Options, o cluster.Options) error {
	access.Worker = true
	dialing, cancel := context.WithTimeoutCause(ctx, cmp.Or(o.Idle, math.MaxInt64), fmt.Errorf("no task for %v", o.Idle))
	defer cancel()
	b, err := broker.Open(dialing, access)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer b.Close()
	o.Notice("connected, " + format.Things(o.Threads, "thread") + ", as " + o.Name)
	return cluster.Work(ctx, b, o)
}

// open locks a directory, unless it is "", opens the broker, to report a wrong address soon, and
// makes the job, which the directory must be of.
func (p *program) open() (err error) {
	// GOGC of 25 costs no measurable time for large jobs, because frontiers contain no pointers.
	const large, collectAt, usual = 1 << 18, 25, 100
	if p.dir != "" {
		if p.kept, err = openState(p.dir); err != nil {
			return err
		}
		p.access.Store = p.dir
	}
	if p.broker, err = broker.Open(p.Context(), p.access); err != nil {
		return err
	}
	debug.SetGCPercent(collectAt)
	j, err := job.New(p.Context(), p.spec, p.view.expanded)
	if err != nil {
		return err
	}
	if j.Positions < large {
		debug.SetGCPercent(usual)
	}
	p.Coordinator = cluster.New(p.broker, j, p.options)
	if p.kept == nil {
		return nil
	}
	return p.kept.claim(j.Description, p.access.Connect)
}

// load reads the results of a run without workers.
func (p *program) load() error { return p.Load(p.Context()) }

// saveLoaded saves the status without workers.
func (p *program) saveLoaded() error { return p.kept.save(cluster.NewStatus(p.Ledger())) }

// Close ends the broker and unlocks the directory.
func (p *program) Close() (err error) {
	if p.broker != nil {
		p.broker.Close()
	}
	if p.kept != nil {
		err = p.kept.Close()
	}
	return exit.IO(err)
}

type total struct {
	FEN        string      `json:"fen"`
	Depth      int         `json:"depth"`
	Split      int         `json:"split"`
	Nodes      job.Count   `json:"nodes"`
	Divide     []job.Nodes `json:"divide"`
	Positions  int         `json:"positions"`
	Tasks      int         `json:"tasks"`
	*effort                // of a run
	Mismatches []job.Fault `json:"mismatches,omitzero"`
}

type effort struct {
	TasksBefore  int     `json:"tasks_before"`
	Seconds      float64 `json:"seconds"`
	Speed        float64 `json:"nps"` // of the tasks counted in this run
	Redeliveries int     `json:"redeliveries"`
}

// printTotal prints divide and total, and returns faultsOf them.
func (p *program) printTotal(s *job.Summary, e *effort) error {
	d := &s.Job
	return errors.Join(cli.Print(p.Command, p.json, total{d.Spec.FEN, d.Spec.Depth, d.Spec.Split, s.Nodes, s.Divide,
		d.Positions, d.Tasks, e, s.Mismatches}, monitor.Text("total", s)), faultsOf(s))
}

// faultsOf returns an error that names faulty workers, doubts, and a total that differs from the
// published one.
func faultsOf(s *job.Summary) (err error) {
	texts := s.Doubts
	for _, f := range s.Mismatches {
		texts = append(texts, "faulty worker: "+f.String())
	}
	if wrong := s.CheckPublished(); wrong != nil {
		texts = append(texts, wrong.Error())
	}
	for _, text := range texts {
		err = errors.Join(err, exit.Difference(text))
	}
	return err
}

// printStatus prints the last status of a run, which may be going on, or for export a part of it.
func printStatus(export bool) step {
	return func(p *program) error {
		s, err := readState(p.dir)
		switch {
		case err != nil:
			return err
		case export:
			return cli.Print(p.Command, true, s.Summary, "")
		}
		return cli.Print(p.Command, p.json, &s.Status, monitor.Text("status", &s.Status))
	}
}

// view shows the progress of a run on stderr: on a terminal a bar and a line for each process, and
// elsewhere a line now and then.
type view struct {
	*terminal.Line
	begun time.Time
	due   time.Time // of the next update
}

func newView(diagnostics io.Writer) *view {
	now := time.Now()
	v := &view{terminal.NewLine(diagnostics), now, now.Add(terminal.LineInterval)}
	if v.OnTerminal() {
		v.due = now.Add(terminal.Patience)
	}
	return v
}

// expanded prints the size of the frontier if the expansion takes a while.
func (v *view) expanded(plies, positions int) {
	if time.Since(v.begun) > terminal.Patience {
		v.Notice(format.Things(positions, "position") + " after " + format.Plural(plies, "ply", "plies"))
	}
}

func (v *view) show(s *cluster.Status) {
	switch now, overview := time.Now(), monitor.Text("overview", s); {
	case now.Before(v.due):
	case v.OnTerminal():
		v.Draw(s.Share(), monitor.Text("workers", s), strings.Split(overview, ", ")...)
	default:
		v.due = now.Add(terminal.LineInterval)
		v.Notice(overview)
	}
}
