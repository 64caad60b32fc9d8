package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
)

// state is the results of a job, with the broker that stores them.
type state struct {
	*coordinator.Coordinator
	kept   *store.Dir // nil if nothing is kept on this machine
	broker *broker.Broker
}

// open locks a directory, unless it is "", opens the broker, to report a wrong address soon, and
// makes the job, which the directory must be of.
func (s *state) open(ctx context.Context, spec job.Spec, dir string, access broker.Options, view *view,
	o *coordinator.Options) (err error) {
	const large = 1 << 18 // positions, beside which the memory of many workers is small
	defer func() {
		if err != nil {
			err = errors.Join(interruption(ctx, err), s.Close())
		}
	}()
	if err := spec.Check(); err != nil { // before the directory is made
		return err
	}
	if dir != "" {
		if s.kept, err = store.Open(dir); err != nil {
			return err
		}
		access.Store = dir
	}
	if s.broker, err = broker.Open(ctx, access); err != nil {
		return err
	}
	j, err := job.New(ctx, spec, view.expanded)
	if err != nil {
		return err
	}
	if j.Positions < large {
		debug.SetGCPercent(100)
	}
	s.Coordinator = coordinator.New(s.broker, j, *o)
	if s.kept == nil {
		return nil
	}
	return s.kept.Claim(j.Description, access.Connect)
}

// interruption returns exit.ErrInterrupted if ctx has ended, because that explains any error.
func interruption(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run %w", exit.ErrInterrupted)
	}
	return err
}

// load opens the directory, and reads its results.
func (p *program) load() error {
	spec, err := p.wanted()
	if err != nil {
		return err
	}
	view := newView(p.ErrOrStderr())
	if err := p.open(p.Context(), spec, p.dir, broker.Options{}, view, &coordinator.Options{Notice: view.Notice}); err != nil {
		return err
	}
	if err := p.Load(p.Context()); err != nil {
		return errors.Join(interruption(p.Context(), err), p.Close())
	}
	return nil
}

func (s *state) save(status *coordinator.Status) error {
	if s.kept == nil {
		return nil
	}
	text, _ := json.Marshal(status) // a status has no value that JSON lacks
	return exit.IO(s.kept.SaveStatus(append(text, '\n')))
}

// saveLoaded saves the status without workers, and closes the state.
func (s *state) saveLoaded() error {
	return errors.Join(s.save(coordinator.NewStatus(s.Ledger())), s.Close())
}

// Close ends the broker and unlocks the directory.
func (s *state) Close() (err error) {
	if s.broker != nil {
		s.broker.Close()
	}
	if s.kept != nil {
		err = s.kept.Close()
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
	var text strings.Builder
	for _, d := range s.Divide {
		fmt.Fprintf(&text, "%s: %s\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %s\n", s.Nodes)
	d := &s.Job
	return errors.Join(cli.Print(p.Command, p.json, total{d.Spec.FEN, d.Spec.Depth, d.Spec.Split, s.Nodes, s.Divide,
		d.Positions, d.Tasks, e, s.Mismatches}, text.String()), faultsOf(s))
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

// readStatus returns the last status of a run, which may be going on.
func readStatus(dir string) (*coordinator.Status, error) {
	const fresh = 10 * time.Second // the age of a running process's status
	s := new(coordinator.Status)
	text, err := store.ReadStatus(dir)
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	s.Running = s.Running && time.Since(s.Time).Abs() < fresh
	return s, err
}

func (p *program) printStatus([]string) error {
	s, err := readStatus(p.dir)
	if err != nil {
		return err
	}
	return cli.Print(p.Command, p.json, s, monitor.Text("status", s))
}

func (p *program) export([]string) error {
	s, err := readStatus(p.dir)
	if err != nil {
		return err
	}
	return cli.Print(p.Command, true, s.Summary, "")
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

func (v *view) show(s *coordinator.Status) {
	switch now, overview := time.Now(), monitor.Text("overview", s); {
	case now.Before(v.due):
	case v.OnTerminal():
		v.Draw(s.Share(), monitor.Text("workers", s), strings.Split(overview, ", ")...)
	default:
		v.due = now.Add(terminal.LineInterval)
		v.Notice(overview)
	}
}
