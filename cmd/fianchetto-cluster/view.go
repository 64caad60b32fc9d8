package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
)

// viewInterval is the time between two updates of the view.
const viewInterval = 250 * time.Millisecond

// view shows the progress of a run on stderr: on a terminal a bar and a line for each process, which
// it updates in place, and elsewhere a line now and then. Notices go above it.
type view struct {
	mutex       sync.Mutex
	diagnostics io.Writer
	terminal    bool
	begun       time.Time
	due         time.Time // of the next update
	lines       int       // of the view on the terminal
}

func newView(diagnostics io.Writer) *view {
	now := time.Now()
	v := &view{diagnostics: diagnostics, terminal: terminal.Is(diagnostics) && !terminal.IsDumb(), begun: now,
		due: now.Add(terminal.LineInterval)}
	if v.terminal {
		v.due = now.Add(terminal.Patience)
	}
	return v
}

// notice prints a notice above the view.
func (v *view) notice(text string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.erase()
	fmt.Fprintln(v.diagnostics, text)
}

// expanded prints the size of the frontier if the expansion takes a while.
func (v *view) expanded(plies, positions int) {
	if time.Since(v.begun) > terminal.Patience {
		v.notice(format.Things(positions, "position") + " after " + format.Plural(plies, "ply", "plies"))
	}
}

// show shows the status if an update is due.
func (v *view) show(s *coordinator.Status) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	now := time.Now()
	switch {
	case now.Before(v.due):
	case v.terminal:
		v.erase()
		text := fit(bar(s)+perWorker(s), terminal.Width(v.diagnostics)-1)
		v.lines = strings.Count(text, "\n")
		fmt.Fprint(v.diagnostics, text)
	default:
		v.due = now.Add(terminal.LineInterval)
		fmt.Fprintln(v.diagnostics, overview(s))
	}
}

// fit cuts the lines of a text to a width, because erase counts a wrapped line as one.
func fit(text string, width int) string {
	var cut strings.Builder
	for line := range strings.Lines(text) {
		if runes := []rune(line); len(runes)-1 > width {
			line = string(runes[:max(0, width-1)]) + "…\n"
		}
		cut.WriteString(line)
	}
	return cut.String()
}

// clear removes the view from the terminal.
func (v *view) clear() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.erase()
}

// erase moves up to the first line of the view and clears the rest of the terminal.
func (v *view) erase() {
	if v.lines > 0 {
		fmt.Fprintf(v.diagnostics, "\x1b[%dA\r\x1b[J", v.lines)
		v.lines = 0
	}
}

// bar draws the progress bar, the pace, and below them the counts.
func bar(s *coordinator.Status) string {
	const width = 20
	full := int(width * s.Done())
	return "|" + strings.Repeat("█", full) + strings.Repeat(" ", width-full) + "| " +
		list(s.Percent(), pace(s)) + "\n  " + list(tasksDone(s), result(s)) + "\n"
}

// overview describes the progress of a run in one line.
func overview(s *coordinator.Status) string {
	text := tasksDone(s)
	if s.TasksDone < s.Job.Tasks {
		text += " (" + s.Percent() + ")"
	}
	return list(text, result(s), pace(s))
}

// list joins the texts that are not empty.
func list(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

func tasksDone(s *coordinator.Status) string {
	return fmt.Sprintf("%s of %s done", format.Count(s.TasksDone), tasksAre(s.Job.Tasks))
}

// pace describes the speed of a run and the time left.
func pace(s *coordinator.Status) string {
	left, speed := "", ""
	switch {
	case s.Blocked != nil:
		left = "cannot go on"
	case s.Left > 0:
		left = format.Seconds(s.Left) + " left"
	case s.ThreadSecondsLeft > 0:
		left = format.Seconds(s.ThreadSecondsLeft) + " left on one thread"
	}
	if s.Running {
		speed = list(format.Rate(s.Rate, "nodes/s"), threadsCounting(s))
	}
	return list(left, speed)
}

// result describes the counts of a run so far.
func result(s *coordinator.Status) (text string) {
	if s.Running {
		text = format.Count(s.Nodes) + " nodes"
	}
	if s.Redeliveries > 0 {
		text = list(text, format.Count(s.Redeliveries)+" redelivered")
	}
	return text
}

// tasksAre formats a number of tasks with a verb: "1 task is", "8 tasks are".
func tasksAre(n int) string {
	if n == 1 {
		return "1 task is"
	}
	return format.Count(n) + " tasks are"
}

// threadsCounting formats the number of threads that count.
func threadsCounting(s *coordinator.Status) string {
	if s.Threads == 0 {
		return "waiting for workers"
	}
	return format.Things(s.Threads, "thread")
}

// perWorker returns a line for each of the first processes.
func perWorker(s *coordinator.Status) string {
	const most = 12
	shown := s.Workers[:min(most, len(s.Workers))]
	width := 0
	for i := range shown {
		width = max(width, utf8.RuneCountInString(shown[i].Name))
	}
	var text strings.Builder
	for i := range shown {
		w := &shown[i]
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
