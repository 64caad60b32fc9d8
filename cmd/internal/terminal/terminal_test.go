package terminal

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var printed bytes.Buffer
		p := NewMeter(&printed)
		p.Update(perft.Progress{Tasks: 400})
		for done := 1; done <= 30; done++ {
			time.Sleep(time.Second)
			p.Update(perft.Progress{Done: done, Tasks: 400, Nodes: uint64(done) * 5e8})
		}
		p.End()
		const want = `10 of 400 tasks (2.5%), 5,000,000,000 nodes, 500 M nodes/s, 6m30s left
20 of 400 tasks (5.0%), 10,000,000,000 nodes, 500 M nodes/s, 6m20s left
30 of 400 tasks (7.5%), 15,000,000,000 nodes, 500 M nodes/s, 6m10s left
`
		if printed.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", printed.String(), want)
		}
	})
}

// TestProgressAfterJournal leaves out of speed and time left what an earlier run has counted.
func TestProgressAfterJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var printed bytes.Buffer
		p := NewMeter(&printed)
		p.Update(perft.Progress{Done: 300, Tasks: 400, Nodes: 3e12})
		time.Sleep(24 * time.Hour)
		p.Update(perft.Progress{Done: 300, Tasks: 400, Nodes: 3e12})
		time.Sleep(24 * time.Hour)
		p.Update(perft.Progress{Done: 320, Tasks: 400, Nodes: 3e12 + 172800e6})
		const want = `going on from the journal: 300 of 400 tasks are done, 3,000,000,000,000 nodes
300 of 400 tasks (75.0%)
320 of 400 tasks (80.0%), 3,172,800,000,000 nodes, 1.00 M nodes/s, 8.0 days left
`
		if printed.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", printed.String(), want)
		}
	})
}

// TestProgressOfDepths starts again at each depth: none goes on from the one before.
func TestProgressOfDepths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var printed bytes.Buffer
		p := NewMeter(&printed)
		for range 3 {
			p.Update(perft.Progress{Tasks: 20})
			for done := 1; done <= 15; done++ {
				time.Sleep(time.Second)
				p.Update(perft.Progress{Done: done, Tasks: 20, Nodes: uint64(done) * 5e8})
			}
		}
		p.End()
		const want = `10 of 20 tasks (50.0%), 5,000,000,000 nodes, 500 M nodes/s, 10s left
`
		if printed.String() != want+want+want {
			t.Errorf("printed\n%s\nwant three times\n%s", printed.String(), want)
		}
	})
}

// terminalMeter returns a progress that draws as on a terminal of a width that may be changed.
func terminalMeter(screen *bytes.Buffer, width *int) *Meter {
	p := NewMeter(screen)
	p.terminal, p.width = true, func() int { return *width }
	return p
}

func TestProgressOfShortCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		width := 80
		p := terminalMeter(&screen, &width)
		p.Update(perft.Progress{Tasks: 20})
		time.Sleep(900 * time.Millisecond)
		p.Update(perft.Progress{Done: 5, Tasks: 20, Nodes: 20e6})
		p.End()
		if screen.Len() > 0 {
			t.Errorf("a short count draws %q", screen.String())
		}
	})
}

// TestProgressFits draws at every width. The line is never as wide as the terminal, begins where it
// is erased, and is drawn again while nothing is counted.
func TestProgressFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		width := 80
		p := terminalMeter(&screen, &width)
		p.Describe("", "traps:12 double check")
		p.Update(perft.Progress{Tasks: 20})
		p.Update(perft.Progress{Done: 5, Tasks: 20, Nodes: 20e6})
		time.Sleep(19*time.Second + barInterval/2)
		for columns := 1; columns <= 200; columns++ {
			p.mutex.Lock()
			width = columns
			screen.Reset()
			p.mutex.Unlock()
			time.Sleep(barInterval)
			synctest.Wait()
			p.mutex.Lock()
			drawn := screen.String()
			p.mutex.Unlock()
			erase := eraseLine
			switch columns {
			case 1: // the line before was wider
				erase = eraseLines
			case 2: // there was no line before
				erase = ""
			}
			line, ok := strings.CutPrefix(drawn, erase+wrapOff)
			line, back := strings.CutSuffix(line, wrapOn+"\r")
			if !ok || !back || strings.Contains(line, "\n") || utf8.RuneCountInString(line) >= columns {
				t.Errorf("width %d: %q", columns, drawn)
			}
			for least, want := range map[int]string{
				7: `25\.0%`, 40: `^\|█+ +\| 25\.0%, .*s left`, 65: `s left, .* nodes/s`,
				100: `s left, .* nodes/s, traps:12 double check, 20,000,000 nodes$`,
			} {
				if columns >= least && !regexp.MustCompile(want).MatchString(line) {
					t.Errorf("width %d: %q, want %q", columns, line, want)
				}
			}
		}
		p.End()
		if !strings.HasSuffix(screen.String(), "\r"+eraseLine) {
			t.Errorf("the end draws %q", screen.String())
		}
		screen.Reset()
		p.End()
		time.Sleep(time.Second)
		if screen.Len() > 0 {
			t.Errorf("after the end %q is drawn", screen.String())
		}
	})
}

// TestLineWithOthersBelow draws lines below the bar, and erases all of them.
func TestLineWithOthersBelow(t *testing.T) {
	var screen bytes.Buffer
	l := NewLine(&screen)
	l.width = func() int { return 40 }
	l.Draw(0.5, "  one\n  two\n", "", "2m left")
	l.Notice("notice")
	const want = wrapOff + "|██████████          | 50.0%, 2m left" + wrapOn + "\r" +
		wrapOff + "\n  one\n  two\n" + wrapOn + "\r\x1b[3A" + eraseLines + "notice\n"
	if screen.String() != want {
		t.Errorf("drawn %q, want %q", screen.String(), want)
	}
}

// TestProgressGivesWay erases the line before anything else is printed.
func TestProgressGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		width := 80
		p := terminalMeter(&screen, &width)
		defer p.End()
		p.Update(perft.Progress{Tasks: 20})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for range 2 { // the second time there is no line
			err := p.Print(func() error { _, err := fmt.Fprintln(&screen, "notice"); return err })
			if err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasSuffix(screen.String(), "\r"+eraseLine+"notice\nnotice\n") {
			t.Errorf("drawn %q", screen.String())
		}
	})
}
