package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

// viewInterval is how often the view of a run is made anew.
const viewInterval = 250 * time.Millisecond

// clusterView shows on stderr how a run is: on a terminal with a bar and a line for each worker, which stay in their place,
// elsewhere with a line now and then. Notices go above it.
type clusterView struct {
	mutex       sync.Mutex
	diagnostics io.Writer
	terminal    bool
	begun       time.Time
	due         time.Time // when to show more
	lines       int       // of the view on the terminal
}

func newClusterView(diagnostics io.Writer) *clusterView {
	now := time.Now()
	v := &clusterView{diagnostics: diagnostics, terminal: isTerminal(diagnostics) && os.Getenv("TERM") != "dumb", begun: now, due: now.Add(lineInterval)}
	if v.terminal {
		v.due = now.Add(barPatience)
	}
	return v
}

// notice prints a notice above the view.
func (v *clusterView) notice(text string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.erase()
	fmt.Fprintln(v.diagnostics, text)
}

// expanded prints how large the frontier has become, if that takes a while.
func (v *clusterView) expanded(plies, positions int) {
	if time.Since(v.begun) > barPatience {
		v.notice(fmt.Sprintf("%d positions after %d plies", positions, plies))
	}
}

// show shows the status, if it is time.
func (v *clusterView) show(s *coordinator.Status) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	now := time.Now()
	switch {
	case now.Before(v.due):
	case v.terminal:
		v.erase()
		text := bar(s) + " " + overview(s) + "\n" + perWorker(s)
		v.lines = strings.Count(text, "\n")
		fmt.Fprint(v.diagnostics, text)
	default:
		v.due = now.Add(lineInterval)
		fmt.Fprintln(v.diagnostics, overview(s))
	}
}

// clear takes the view off the terminal.
func (v *clusterView) clear() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.erase()
}

// erase takes the view's lines off the terminal: up to the first, and all that is below.
func (v *clusterView) erase() {
	if v.lines > 0 {
		fmt.Fprintf(v.diagnostics, "\x1b[%dA\r\x1b[J", v.lines)
		v.lines = 0
	}
}

func bar(s *coordinator.Status) string {
	const width = 20
	full := width * s.TasksDone / max(1, s.Job.Tasks)
	return "|" + strings.Repeat("█", full) + strings.Repeat(" ", width-full) + "|"
}

// overview describes in one line how far the run is.
func overview(s *coordinator.Status) string {
	text := fmt.Sprintf("%d of %d tasks (%.1f%%), %s nodes, %.1f million nodes/s",
		s.TasksDone, s.Job.Tasks, 100*float64(s.TasksDone)/float64(max(1, s.Job.Tasks)), s.Nodes, s.Rate/1e6)
	if s.Left > 0 {
		text += ", " + figures.Seconds(s.Left.Seconds()) + " left"
	}
	if s.Redeliveries > 0 {
		text += fmt.Sprintf(", %d redelivered", s.Redeliveries)
	}
	working := 0
	for i := range s.Workers {
		working += s.Workers[i].Threads
	}
	return text + fmt.Sprintf(", %d threads", working)
}

// perWorker has a line for each process that counts; if they are many, for the first.
func perWorker(s *coordinator.Status) string {
	const most = 12
	var text strings.Builder
	for i := range s.Workers {
		if i == most {
			fmt.Fprintf(&text, "  and %d more\n", len(s.Workers)-most)
			break
		}
		w := &s.Workers[i]
		fmt.Fprintf(&text, "  %-24s %3d threads %8d tasks %10.1f million nodes/s", w.Name, w.Threads, w.Tasks, w.Rate*float64(w.Threads)/1e6)
		if silent := s.Time.Sub(w.Seen); silent > 5*time.Second {
			text.WriteString(", silent for " + figures.Seconds(silent.Seconds()))
		}
		text.WriteString("\n")
	}
	return text.String()
}
