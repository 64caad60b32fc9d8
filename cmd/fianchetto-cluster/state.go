package main

import (
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

// open locks a directory, unless it is "", opens the broker, to report a wrong address soon, and
// makes the job, which the directory must be of.
func (p *program) open() (err error) {
	// GOGC of 25 costs no measurable time for large jobs, because frontiers contain no pointers.
	const large, collectAt, usual = 1 << 18, 25, 100
	if p.dir != "" {
		if p.kept, err = store.Open(p.dir); err != nil {
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
	p.Coordinator = coordinator.New(p.broker, j, p.options)
	if p.kept == nil {
		return nil
	}
	return p.kept.Claim(j.Description, p.access.Connect)
}

// load reads the results of a run without workers.
func (p *program) load() error { return p.Load(p.Context()) }

func (p *program) save(status *coordinator.Status) error {
	if p.kept == nil {
		return nil
	}
	text, _ := json.Marshal(status) // a status has no value that JSON lacks
	return exit.IO(p.kept.SaveStatus(append(text, '\n')))
}

// saveLoaded saves the status without workers.
func (p *program) saveLoaded() error { return p.save(coordinator.NewStatus(p.Ledger())) }

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

func (p *program) printStatus() error {
	s, err := readStatus(p.dir)
	if err != nil {
		return err
	}
	return cli.Print(p.Command, p.json, s, monitor.Text("status", s))
}

func (p *program) export() error {
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
