package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
)

// session is a conversation in UCI. One goroutine reads the commands, one obeys them, and one searches, so that a command
// is read whatever the others do.
// Source: https://www.chessprogramming.org/UCI
type session struct {
	game     *fianchetto.Game // nil after a position that was refused
	table    *table
	hash     int // MiB
	overhead int // ms
	chess960 bool

	search  *search       // the search that runs; nil if none does
	done    chan struct{} // closed when its answer may be printed
	pending []command     // what waits for its end
	ended   bool          // the input has ended

	mutex  sync.Mutex // two goroutines print
	out    io.Writer
	broken error // of the output
}

// command is a line of input in words.
type command struct {
	words   []string
	stopped bool // a later stop ends the search that it starts
}

const (
	defaultHash, maxHash         = 16, 4096
	defaultOverhead, maxOverhead = 50, 5000
	maxLine                      = 1 << 20 // bytes of a command; a game of any length fits
	maxPending                   = 1000    // commands; more than these stop the search that they wait for
)

func newSession(out io.Writer) *session {
	start := fianchetto.NewGame(fianchetto.StartPosition())
	return &session{game: start, table: newTable(defaultHash), hash: defaultHash, overhead: defaultOverhead, out: out}
}

// run obeys commands until quit, or until the input has ended and every go has its answer.
func (s *session) run(in io.Reader) error {
	reader := newLineReader(in)
	defer reader.close()
	for !s.ended || s.search != nil {
		lines := reader.lines
		if s.ended || len(s.pending) > maxPending {
			lines = nil
		}
		select {
		case line, ok := <-lines:
			s.ended = !ok
			if words := strings.Fields(line); len(words) > 0 {
				if words[0] == "quit" {
					s.quit()
					return s.broken
				}
				s.accept(words)
			}
		case <-s.done:
			s.answer()
		}
		s.proceed()
	}
	if reader.err != nil {
		return fmt.Errorf("reading commands: %w", reader.err)
	}
	return s.broken
}

// lineReader reads lines in a goroutine of its own.
type lineReader struct {
	lines  chan string   // closed at the end of the input
	err    error         // why it ended; read it after that
	closed chan struct{} // nobody wants more lines
}

func newLineReader(in io.Reader) *lineReader {
	r := &lineReader{lines: make(chan string), closed: make(chan struct{})}
	go func() {
		defer close(r.lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case r.lines <- scanner.Text():
			case <-r.closed:
				return
			}
		}
		r.err = scanner.Err()
	}()
	return r
}

func (r *lineReader) close() { close(r.closed) }

// accept obeys what a running search allows; every other command waits for the answer of the search.
func (s *session) accept(words []string) {
	switch words[0] {
	case "uci":
		s.introduce()
	case "isready":
		s.print("readyok")
	case "stop":
		s.stop()
	case "ponderhit":
		if s.search != nil {
			s.search.ponderHit()
		}
	default:
		s.pending = append(s.pending, command{words: words})
	}
}

// proceed obeys the commands that wait, up to the next that starts a search. A search that needs a command to end ends when
// something waits for it, and at the end of the input one without a limit ends, too.
func (s *session) proceed() {
	for s.search == nil && len(s.pending) > 0 {
		c := s.pending[0]
		s.pending = s.pending[1:]
		if err := s.obey(c); err != nil {
			s.print("info string %v", err)
		}
	}
	switch {
	case s.search == nil:
	case len(s.pending) > maxPending:
		s.stop()
	case s.search.waitsForCommand() && (s.ended || len(s.pending) > 0), s.ended && !s.search.limits.isBounded():
		s.search.stop()
	}
}

// stop ends the search that runs, and those that were asked for and have not begun.
func (s *session) stop() {
	for i := range s.pending {
		s.pending[i].stopped = true
	}
	if s.search != nil {
		s.search.stop()
	}
}

// quit ends the search that runs. What waits for it is dropped.
func (s *session) quit() {
	if s.search != nil {
		s.search.stop()
		<-s.done
		s.answer()
	}
}

// print prints lines.
func (s *session) print(format string, args ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.broken == nil {
		_, s.broken = fmt.Fprintf(s.out, format+"\n", args...)
	}
}
