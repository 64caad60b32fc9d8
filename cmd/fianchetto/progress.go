package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// patience is how long a count may take before its progress is worth showing.
const patience = time.Second

// progress is a bar that tells how far a perft is. It appears on a terminal only, and in long runs only.
type progress struct {
	terminal io.Writer // nil if there is none
	start    time.Time
	bar      *progressbar.ProgressBar
}

func newProgress(diagnostics io.Writer) *progress {
	p := &progress{start: time.Now()}
	if isTerminal(diagnostics) {
		p.terminal = diagnostics
	}
	return p
}

// update shows that some of the moves at the root have been counted.
func (p *progress) update(done []perft.MoveCount, moves int) {
	if p.terminal == nil || p.bar == nil && time.Since(p.start) < patience {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(moves,
			progressbar.OptionSetWriter(p.terminal),
			progressbar.OptionSetDescription("counting"),
			progressbar.OptionSetItsString("moves"),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
		)
	}
	// The bar's only errors are those of writing to the terminal, which a count does not depend on.
	_ = p.bar.Set(len(done))
}

// clear takes the bar off the terminal.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
