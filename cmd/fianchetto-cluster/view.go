package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
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
	switch now := time.Now(); {
	case now.Before(v.due):
	case v.OnTerminal():
		v.Draw(s.Share(), perWorker(s), pace(s), tasksDone(s), counts(s))
	default:
		v.due = now.Add(terminal.LineInterval)
		v.Notice(overview(s))
	}
}

func describe(s *coordinator.Status) string {
	lines := append([]string{s.Job.String(), overview(s)}, s.Problems()...)
	return strings.Join(lines, "\n") + "\n" + perWorker(s)
}

func overview(s *coordinator.Status) string {
	text := tasksDone(s)
	if s.TasksDone < s.Job.Tasks {
		text += " (" + s.Percent() + ")"
	}
	return format.List(text, counts(s), pace(s))
}

func tasksDone(s *coordinator.Status) string {
	verb := "tasks are"
	if s.Job.Tasks == 1 {
		verb = "task is"
	}
	return fmt.Sprintf("%s of %s %s done", format.Count(s.TasksDone), format.Count(s.Job.Tasks), verb)
}

// pace describes the speed of a run and the time left.
func pace(s *coordinator.Status) string {
	left, speed, threads := "", "", "waiting for workers"
	switch {
	case s.Blocked != nil:
		left = "cannot go on"
	case s.Left > 0:
		left = format.Seconds(s.Left) + " left"
	case s.ThreadSecondsLeft > 0:
		left = format.Seconds(s.ThreadSecondsLeft) + " left on one thread"
	}
	if s.Threads > 0 {
		threads = format.Things(s.Threads, "thread")
	}
	if s.Running {
		speed = format.List(format.Rate(s.Rate, "nodes/s"), threads)
	}
	return format.List(left, speed)
}

func counts(s *coordinator.Status) (text string) {
	if s.Running {
		text = format.Count(s.Nodes) + " nodes"
	}
	if s.Redeliveries > 0 {
		text = format.List(text, format.Count(s.Redeliveries)+" redelivered")
	}
	return text
}

// perWorker describes each of the first processes in a line.
func perWorker(s *coordinator.Status) string {
	const most = 12
	shown, width := s.Workers[:min(most, len(s.Workers))], 0
	for _, w := range shown {
		width = max(width, utf8.RuneCountInString(w.Name))
	}
	var text strings.Builder
	for _, w := range shown {
		fmt.Fprintf(&text, "  %-*s %10s %12s %15s", width, w.Name, format.Things(w.Threads, "thread"),
			format.Things(w.Tasks, "task"), format.Rate(w.Rate*float64(w.Threads), "nodes/s"))
		if silent := w.Silent(s.Time); silent > 0 {
			text.WriteString(", silent for " + format.Seconds(silent.Seconds()))
		}
		text.WriteString("\n")
	}
	if more := len(s.Workers) - len(shown); more > 0 {
		fmt.Fprintf(&text, "  and %s more\n", format.Count(more))
	}
	return text.String()
}
