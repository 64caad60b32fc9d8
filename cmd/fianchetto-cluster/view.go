package main

import (
	"io"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
)

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
