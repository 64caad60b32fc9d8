// Package terminal tells whether a writer leads to a terminal, and its width and colours. Its Meter
// shows the progress of a count on stderr.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// fileOf returns the terminal behind w, or nil.
func fileOf(w io.Writer) *os.File {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Is reports whether w leads to a terminal.
func Is(w io.Writer) bool { return fileOf(w) != nil }

// Width returns the columns of the terminal behind w, or 80.
func Width(w io.Writer) int {
	const usual = 80
	file := fileOf(w)
	if file == nil {
		return usual
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width == 0 { // a serial line has no size
		return usual
	}
	return width
}

// IsDumb reports whether the terminal can neither move its cursor nor show colours.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }

// HasColors reports whether w leads to a terminal that shows 256 colours, and the user has not set
// NO_COLOR (https://no-color.org).
func HasColors(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && !IsDumb() && Is(w) }

const (
	Patience     = time.Second      // the time before a terminal shows progress
	LineInterval = 10 * time.Second // the time between lines without a terminal

	barInterval = 100 * time.Millisecond
)

// Meter shows the progress, speed and remaining time of a count. A terminal shows them in one line,
// which is redrawn. Other writers get a line at intervals.
type Meter struct {
	diagnostics io.Writer
	terminal    bool
	width       func() int // of the terminal, which users resize

	mutex  sync.Mutex  // guards all below
	ticks  *time.Timer // redraws the line on a terminal; nil before and after
	doing  []string    // shown last on a terminal
	begun  time.Time
	before perft.Progress // done when the count began
	done   perft.Progress // done now
	due    time.Time      // of the next line without a terminal
	drawn  int            // columns of the line on the terminal
}

// NewMeter returns a meter, which shows nothing before the first Update.
func NewMeter(diagnostics io.Writer) *Meter {
	return &Meter{
		diagnostics: diagnostics,
		terminal:    Is(diagnostics) && !IsDumb(),
		width:       func() int { return Width(diagnostics) },
	}
}

// Describe sets the text that a terminal shows last.
func (p *Meter) Describe(doing ...string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = doing
}

// OnTerminal reports whether a terminal shows the progress.
func (p *Meter) OnTerminal() bool { return p.terminal }

// Update records the progress and shows it when a line is due. A greater depth begins another
// count.
func (p *Meter) Update(done perft.Progress) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	begins := p.begun.IsZero() || done.Depth > p.done.Depth
	p.done = done
	now := time.Now()
	switch {
	case begins:
		p.begin(now)
	case p.terminal || now.Before(p.due): // a timer redraws the line on a terminal
	default:
		p.due = now.Add(LineInterval)
		fmt.Fprintln(p.diagnostics, p.line(now))
	}
}

func (p *Meter) begin(now time.Time) {
	p.begun, p.before, p.due = now, p.done, now.Add(LineInterval)
	if p.done.Depth > 0 { // of a count without a journal
		p.before = perft.Progress{}
	}
	if p.before.Done > 0 {
		fmt.Fprintf(p.diagnostics, "going on from the journal: %s of %s are done, %s nodes\n",
			format.Count(p.done.Done), format.Things(p.done.Tasks, "task"), format.Count(p.done.Nodes))
	}
	switch {
	case p.ticks != nil:
		p.erase()
		p.ticks.Reset(Patience)
	case p.terminal:
		p.ticks = time.AfterFunc(Patience, p.tick)
	}
}

// tick draws the line and schedules the next tick, because the times change and the terminal may be
// resized even if no task ends.
func (p *Meter) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.ticks != nil {
		p.draw(time.Now())
		p.ticks.Reset(barInterval)
	}
}

// Print erases the line and calls write, which prints in its place.
func (p *Meter) Print(write func() error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.erase()
	return write()
}

// End erases the line for good. It returns the progress at the beginning and now.
func (p *Meter) End() (before, done perft.Progress) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.ticks != nil {
		p.ticks.Stop()
		p.ticks = nil
	}
	p.erase()
	return p.before, p.done
}

const (
	eraseLine = "\r\x1b[K"

	// eraseLines also erases the lines below. It starts in the second column because tmux keeps a
	// screen that is erased from the first.
	eraseLines = eraseLine + "\x1b[C\x1b[J\r"

	// The terminal cuts a line that is too wide because it has just become narrower.
	wrapOff, wrapOn = "\x1b[?7l", "\x1b[?7h"
)

// draw draws the line and leaves the cursor at its beginning, where it stays even if a narrower
// terminal wraps the line.
func (p *Meter) draw(now time.Time) {
	p.erase()
	line := p.bar(now, p.width()-1)
	fmt.Fprint(p.diagnostics, wrapOff, line, wrapOn, "\r")
	p.drawn = utf8.RuneCountInString(line)
}

func (p *Meter) erase() {
	switch {
	case p.drawn == 0:
	case p.drawn > p.width():
		fmt.Fprint(p.diagnostics, eraseLines)
	default:
		fmt.Fprint(p.diagnostics, eraseLine)
	}
	p.drawn = 0
}

// line describes the progress without a terminal.
func (p *Meter) line(now time.Time) string {
	parts := []string{fmt.Sprintf("%s of %s (%s)", format.Count(p.done.Done), format.Things(p.done.Tasks, "task"),
		p.percent())}
	if p.done.Nodes != p.before.Nodes {
		parts = append(parts, format.Count(p.done.Nodes)+" nodes", p.speed(now))
	}
	if left := p.left(now); left != "" {
		parts = append(parts, left)
	}
	return strings.Join(parts, ", ")
}

// bar describes the progress in at most width columns: a bar, and as many of the other parts as
// fit, the most important first.
func (p *Meter) bar(now time.Time, width int) string {
	const narrow, wide = 5, 20 // a bar
	parts := append([]string{p.left(now), p.speed(now)}, p.doing...)
	if p.done.Nodes > 0 {
		parts = append(parts, format.Count(p.done.Nodes)+" nodes")
	}
	text := p.percent()
	for _, part := range parts {
		if longer := text + ", " + part; part != "" && utf8.RuneCountInString(longer)+narrow+3 <= width {
			text = longer
		}
	}
	columns := min(wide, width-utf8.RuneCountInString(text)-3)
	if columns < narrow {
		return text[:max(0, min(len(text), width))]
	}
	full := int(float64(columns) * p.share())
	return "|" + strings.Repeat("█", full) + strings.Repeat(" ", columns-full) + "| " + text
}

// share returns the completed share of the tasks, 0 to 1.
func (p *Meter) share() float64 { return float64(p.done.Done) / float64(max(1, p.done.Tasks)) }

func (p *Meter) percent() string { return fmt.Sprintf("%.1f%%", 100*p.share()) }

// speed formats the nodes per second since the count began, or returns "".
func (p *Meter) speed(now time.Time) string {
	nodes := p.done.Nodes - p.before.Nodes
	if nodes == 0 {
		return ""
	}
	return format.Rate(float64(nodes)/now.Sub(p.begun).Seconds(), "nodes/s")
}

// left estimates the remaining time, or returns "".
func (p *Meter) left(now time.Time) string {
	tasks := p.done.Done - p.before.Done
	if tasks == 0 {
		return ""
	}
	return format.Seconds(now.Sub(p.begun).Seconds()/float64(tasks)*float64(p.done.Tasks-p.done.Done)) + " left"
}
