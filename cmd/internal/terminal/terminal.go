// Package terminal answers what a writer leads to: whether to a terminal, how wide it is, and which
// colours it has. Its Meter shows on stderr how far a count is.
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

// fileOf returns the file of the terminal that what is written to w goes to, nil if it does not go
// to one.
func fileOf(w io.Writer) *os.File {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Is reports whether what is written to w goes to a terminal.
func Is(w io.Writer) bool { return fileOf(w) != nil }

// Width returns the columns of the terminal that what is written to w goes to.
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

// IsDumb reports whether the terminal cannot move its cursor, nor show colours.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }

// Colors returns the colours that a board is drawn with that is written to w: none unless w goes to
// a terminal that has some, and if the user asked for none. Source of NO_COLOR:
// https://no-color.org
func Colors(w io.Writer) *drawing.Palette {
	name := os.Getenv("TERM")
	switch {
	case os.Getenv("NO_COLOR") != "", IsDumb(), !Is(w):
		return nil
	case strings.Contains(name, "256color"), strings.Contains(name, "direct"), os.Getenv("COLORTERM") != "",
		os.Getenv("WT_SESSION") != "":
		return &drawing.Colors256
	}
	return &drawing.Colors16
}

const (
	Patience     = time.Second      // how long a count may take before a terminal shows its progress
	LineInterval = 10 * time.Second // how often a line is written where there is no terminal

	barInterval = 100 * time.Millisecond
)

// Meter shows how far a count is, how fast it goes, and how long it will take: on a terminal in a
// line that stays in its place, elsewhere with a line now and then.
type Meter struct {
	diagnostics io.Writer
	terminal    bool
	width       func() int // of the terminal, which may change

	mutex  sync.Mutex  // guards all below
	ticks  *time.Timer // draws the line on a terminal; nil if that has not begun or has ended
	doing  []string    // shown after the rest on a terminal
	begun  time.Time
	before perft.Progress // what was done when the count began
	done   perft.Progress // what is done
	due    time.Time      // when to write another line where there is no terminal
	drawn  int            // columns of the line that is on the terminal
}

// NewMeter returns a meter that shows nothing before the first Update.
func NewMeter(diagnostics io.Writer) *Meter {
	return &Meter{
		diagnostics: diagnostics,
		terminal:    Is(diagnostics) && !IsDumb(),
		width:       func() int { return Width(diagnostics) },
	}
}

// Describe sets what a terminal shows after the rest.
func (p *Meter) Describe(doing ...string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = doing
}

// OnTerminal reports whether the progress is shown on a terminal.
func (p *Meter) OnTerminal() bool { return p.terminal }

// Update takes note of how far the count is, and shows it if it is time. At another depth it is
// another count.
func (p *Meter) Update(done perft.Progress) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	begins := p.begun.IsZero() || done.Depth > p.done.Depth
	p.done = done
	now := time.Now()
	switch {
	case begins:
		p.begin(now)
	case p.terminal || now.Before(p.due): // the line on a terminal is drawn all the time
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

// tick draws the line, and sees to it that it is drawn again: time passes, and the terminal may be
// resized, while nothing is counted to the end.
func (p *Meter) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.ticks != nil {
		p.draw(time.Now())
		p.ticks.Reset(barInterval)
	}
}

// Print erases the line, and calls a function that prints something in its place.
func (p *Meter) Print(write func() error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.erase()
	return write()
}

// End takes the line off the terminal for good. It returns what was done when the count began, and
// what is done.
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

	// All lines below, too, from the second column on: tmux keeps a screen that is erased from the
	// first.
	eraseLines = eraseLine + "\x1b[C\x1b[J\r"

	// A line that is too wide, as the terminal has just become narrower, is cut and not wrapped.
	wrapOff, wrapOn = "\x1b[?7l", "\x1b[?7h"
)

// draw draws the line. It leaves the cursor at the beginning: there it stays if the terminal
// becomes narrower and makes several lines of it.
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

// line describes how far the count is, for a line that stays.
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

// bar describes how far the count is in at most width columns: a bar, and as much as there is room
// for of the rest, the most important first.
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

// share returns what part of the tasks is done, 0 to 1.
func (p *Meter) share() float64 { return float64(p.done.Done) / float64(max(1, p.done.Tasks)) }

func (p *Meter) percent() string { return fmt.Sprintf("%.1f%%", 100*p.share()) }

// speed formats the nodes per second since the count began, "" if there are none.
func (p *Meter) speed(now time.Time) string {
	nodes := p.done.Nodes - p.before.Nodes
	if nodes == 0 {
		return ""
	}
	return format.Rate(float64(nodes)/now.Sub(p.begun).Seconds(), "nodes/s")
}

// left formats the time that the rest takes if it goes on like this, "" if that is not known.
func (p *Meter) left(now time.Time) string {
	tasks := p.done.Done - p.before.Done
	if tasks == 0 {
		return ""
	}
	return format.Seconds(now.Sub(p.begun).Seconds()/float64(tasks)*float64(p.done.Tasks-p.done.Done)) + " left"
}
