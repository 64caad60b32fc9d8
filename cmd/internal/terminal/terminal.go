// Package terminal detects a terminal behind a writer, its width and colours, and shows the
// progress of a count.
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

	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/perft"
)

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
	if file := fileOf(w); file != nil {
		width, _, err := term.GetSize(int(file.Fd()))
		if err == nil && width > 0 { // a serial line has no size
			return width
		}
	}
	return 80
}

func isDumb() bool { return os.Getenv("TERM") == "dumb" }

// Style returns the style of boards written to w, without colours if w does not lead to a colour
// terminal or the user set NO_COLOR (https://no-color.org).
func Style(w io.Writer) (style drawing.Style) {
	name := os.Getenv("TERM")
	switch {
	case os.Getenv("NO_COLOR") != "", isDumb(), !Is(w):
	case strings.Contains(name, "256color"), strings.Contains(name, "direct"), os.Getenv("COLORTERM") != "",
		os.Getenv("WT_SESSION") != "":
		style.Colors = &drawing.Colors256
	default:
		style.Colors = &drawing.Colors16
	}
	return style
}

const (
	Patience     = time.Second      // the time before a terminal shows progress
	LineInterval = 10 * time.Second // the time between lines without a terminal

	barInterval = 100 * time.Millisecond
)

// Line is a line of progress that a terminal redraws in place.
type Line struct {
	diagnostics io.Writer
	terminal    bool
	width       func() int // users resize a terminal

	mutex    sync.Mutex
	drawn    int  // columns
	hasBelow bool // there are lines below
}

// NewLine returns a line, which is not drawn yet.
func NewLine(diagnostics io.Writer) *Line {
	return &Line{
		diagnostics: diagnostics,
		terminal:    Is(diagnostics) && !isDumb(),
		width:       func() int { return Width(diagnostics) },
	}
}

// OnTerminal reports whether a terminal shows the line.
func (l *Line) OnTerminal() bool { return l.terminal }

// Draw draws a bar of the completed share, 0 to 1, as many of the parts that are not empty as fit,
// the most important first, and further lines below.
func (l *Line) Draw(share float64, below string, parts ...string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.draw(share, parts)
	if n := strings.Count(below, "\n"); n > 0 {
		fmt.Fprintf(l.diagnostics, "%s\n%s%s\r\x1b[%dA", wrapOff, below, wrapOn, n+1)
		l.hasBelow = true
	}
}

// Print calls write, which prints in place of the line.
func (l *Line) Print(write func() error) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.erase()
	return write()
}

// Notice prints a text in place of the line.
func (l *Line) Notice(text string) {
	_ = l.Print(func() error { // an error of writing diagnostics cannot be shown
		_, err := fmt.Fprintln(l.diagnostics, text)
		return err
	})
}

// Erase erases the line.
func (l *Line) Erase() { _ = l.Print(func() error { return nil }) }

const (
	eraseLine = "\r\x1b[K"

	// It starts in the second column, because tmux keeps a screen erased from the first.
	eraseLines = eraseLine + "\x1b[C\x1b[J\r"

	// The terminal cuts a line that is too wide.
	wrapOff, wrapOn = "\x1b[?7l", "\x1b[?7h"
)

// draw leaves the cursor at the beginning of the line, even if a narrower terminal wraps it.
func (l *Line) draw(share float64, parts []string) {
	l.erase()
	line := bar(share, parts, l.width()-1)
	fmt.Fprint(l.diagnostics, wrapOff, line, wrapOn, "\r")
	l.drawn = utf8.RuneCountInString(line)
}

func (l *Line) erase() {
	switch {
	case l.drawn == 0:
	case l.hasBelow, l.drawn > l.width():
		fmt.Fprint(l.diagnostics, eraseLines)
	default:
		fmt.Fprint(l.diagnostics, eraseLine)
	}
	l.drawn, l.hasBelow = 0, false
}

func bar(share float64, parts []string, width int) string {
	const narrow, wide = 5, 20 // a bar
	text := percent(share)
	for _, part := range parts {
		if longer := text + ", " + part; part != "" && utf8.RuneCountInString(longer)+narrow+3 <= width {
			text = longer
		}
	}
	columns := min(wide, width-utf8.RuneCountInString(text)-3)
	if columns < narrow {
		return text[:max(0, min(len(text), width))]
	}
	full := int(float64(columns) * share)
	return "|" + strings.Repeat("█", full) + strings.Repeat(" ", columns-full) + "| " + text
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// Meter shows the progress, speed and remaining time of a count, on a terminal in a line, otherwise
// in a line at intervals.
type Meter struct {
	*Line              // its mutex guards the fields
	ticks  *time.Timer // redraws the line; nil before and after
	doing  []string    // shown last on a terminal
	begun  time.Time
	before perft.Progress // done when the count began
	done   perft.Progress // done now
	due    time.Time      // of the next line without a terminal
}

// NewMeter returns a meter, which shows nothing before the first Update.
func NewMeter(diagnostics io.Writer) *Meter { return &Meter{Line: NewLine(diagnostics)} }

// Describe sets the text that a terminal shows last.
func (p *Meter) Describe(doing ...string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = doing
}

// Update records the progress and shows it when a line is due. Less progress than before begins
// another count.
func (p *Meter) Update(done perft.Progress) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	begins := p.begun.IsZero() || done.Done < p.done.Done
	p.done = done
	now := time.Now()
	switch {
	case begins:
		p.begin(now)
	case p.terminal || now.Before(p.due): // a timer redraws the line on a terminal
	default:
		p.due = now.Add(LineInterval)
		nodes, speed, left := p.pace(now)
		fmt.Fprintln(p.diagnostics, format.List(fmt.Sprintf("%s of %s (%s)", format.Count(done.Done),
			format.Things(done.Tasks, "task"), percent(p.share())), nodes, speed, left))
	}
}

func (p *Meter) begin(now time.Time) {
	p.begun, p.before, p.due = now, p.done, now.Add(LineInterval)
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

// tick draws the line and schedules the next tick, because times and the terminal's width change
// even if no task ends.
func (p *Meter) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.ticks != nil {
		nodes, speed, left := p.pace(time.Now())
		p.draw(p.share(), append(append([]string{left, speed}, p.doing...), nodes))
		p.ticks.Reset(barInterval)
	}
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

func (p *Meter) share() float64 { return float64(p.done.Done) / float64(max(1, p.done.Tasks)) }

// pace formats the counted nodes, their rate, and the remaining time, "" if unknown.
func (p *Meter) pace(now time.Time) (nodes, speed, left string) {
	elapsed := now.Sub(p.begun).Seconds()
	if n := p.done.Nodes - p.before.Nodes; n > 0 {
		nodes, speed = format.Count(p.done.Nodes)+" nodes", format.Rate(float64(n)/elapsed, "nodes/s")
	}
	if n := p.done.Done - p.before.Done; n > 0 {
		left = format.Seconds(elapsed/float64(n)*float64(p.done.Tasks-p.done.Done)) + " left"
	}
	return nodes, speed, left
}
