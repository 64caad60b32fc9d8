package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// How long a count may take before its progress is worth showing, and how often it is shown.
const (
	barPatience  = time.Second
	barInterval  = 100 * time.Millisecond
	lineInterval = 10 * time.Second
)

// progress tells how far a count is, how fast it goes, and how long it will take: on a terminal with a bar,
// elsewhere with a line now and then.
type progress struct {
	diagnostics io.Writer
	terminal    bool
	now         func() time.Time
	doing       string // before the bar

	begun  time.Time
	before perft.Progress // what was done when the count began
	done   perft.Progress // what is done
	due    time.Time      // when to tell more
	bar    *progressbar.ProgressBar
}

func newProgress(diagnostics io.Writer) *progress {
	return &progress{diagnostics: diagnostics, terminal: isTerminal(diagnostics), now: time.Now, doing: "counting"}
}

// update takes note of how far the count is, and tells it if it is time.
func (p *progress) update(done perft.Progress) {
	now := p.now()
	p.done = done
	switch {
	case p.begun.IsZero():
		p.begin(now, done)
	case now.Before(p.due):
	case p.terminal:
		p.due = now.Add(barInterval)
		p.draw(done, p.outlook(now, done))
	default:
		p.due = now.Add(lineInterval)
		fmt.Fprintf(p.diagnostics, "%d of %d tasks (%.1f%%)%s\n", done.Done, done.Tasks, 100*share(done), p.outlook(now, done))
	}
}

func (p *progress) begin(now time.Time, done perft.Progress) {
	p.begun, p.before = now, done
	p.due = now.Add(lineInterval)
	if p.terminal {
		p.due = now.Add(barPatience)
	}
	if done.Done > 0 {
		fmt.Fprintf(p.diagnostics, "going on from the journal: %d of %d tasks are done, %d nodes\n", done.Done, done.Tasks, done.Nodes)
	}
}

// outlook tells nodes, speed and the time left, as far as they are known.
func (p *progress) outlook(now time.Time, done perft.Progress) string {
	elapsed := now.Sub(p.begun).Seconds()
	text := ""
	if nodes := done.Nodes - p.before.Nodes; nodes > 0 {
		text = fmt.Sprintf(", %d nodes, %.1f million nodes/s", done.Nodes, float64(nodes)/elapsed/1e6)
	}
	if tasks := done.Done - p.before.Done; tasks > 0 {
		text += ", " + figures.Seconds(elapsed/float64(tasks)*float64(done.Tasks-done.Done)) + " left"
	}
	return text
}

// share returns what part of the tasks is done, 0 to 1.
func share(done perft.Progress) float64 { return float64(done.Done) / float64(max(1, done.Tasks)) }

func (p *progress) draw(done perft.Progress, outlook string) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(done.Tasks,
			progressbar.OptionSetWriter(p.diagnostics),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false), // ours knows what the journal had
			progressbar.OptionSetWidth(20),
			progressbar.OptionClearOnFinish(),
		)
	}
	// The bar's only errors are those of writing to the terminal, which a count does not depend on.
	p.bar.Describe(p.doing + outlook)
	_ = p.bar.Set(done.Done)
}

// clear takes the bar off the terminal.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
