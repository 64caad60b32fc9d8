// Engine is a small chess engine that shows how to embed Fianchetto: it plays standard chess and Chess960 under any
// program that speaks UCI. It is made to be read; README.md gives the order.
//
// Commands come from stdin, answers go to stdout. The exit code is 0, 2 for wrong usage, 3 if reading or writing
// failed.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "engine: %q: it takes no arguments, it reads UCI commands from stdin\n", os.Args[1])
		os.Exit(2)
	}
	if err := newSession(os.Stdout).run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(3)
	}
}

// session is a conversation in UCI. One goroutine reads the commands, one obeys them, and one searches, so that
// commands are read at any time.
// Source: https://www.chessprogramming.org/UCI
type session struct {
	game     *fianchetto.Game // nil after a position that was refused
	table    *table
	hash     int // MiB
	overhead int // ms
	chess960 bool
	now      func() time.Time

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
	return &session{
		game: start, table: newTable(defaultHash), hash: defaultHash, overhead: defaultOverhead,
		now: time.Now, out: out,
	}
}

// run obeys commands until quit, or until the input has ended and every go has its answer.
func (s *session) run(in io.Reader) error {
	input, finished := make(chan string), make(chan struct{})
	defer close(finished)
	var inputError error // read it after the end of the input
	go func() {
		defer close(input)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case input <- scanner.Text():
			case <-finished:
				return
			}
		}
		inputError = scanner.Err()
	}()
	for !s.ended || s.search != nil {
		lines := input
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
	if inputError != nil {
		return fmt.Errorf("reading commands: %w", inputError)
	}
	return s.broken
}

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

// proceed obeys the commands that wait, up to the next that starts a search. A search that only a command can end is
// stopped when another command waits for it; at the end of the input, so is a search without a limit.
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

// stop ends the running search, and those that wait to begin.
func (s *session) stop() {
	for i := range s.pending {
		s.pending[i].stopped = true
	}
	if s.search != nil {
		s.search.stop()
	}
}

// quit ends the running search and drops the commands that wait for it.
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

// obey executes a command while no search runs.
func (s *session) obey(c command) error {
	switch arguments := c.words[1:]; c.words[0] {
	case "setoption":
		return s.setOption(arguments)
	case "ucinewgame":
		s.table = newTable(s.hash)
	case "position":
		g, err := fianchetto.ParseUCIPosition(strings.Join(arguments, " "), s.chess960)
		s.game = g
		return err
	case "go":
		if err := s.start(arguments, c.stopped); err != nil {
			s.print("info string %v\nbestmove %s", err, fianchetto.NoMove) // every go has an answer
		}
	case "d":
		if s.game == nil {
			return errNoPosition
		}
		s.print("%s", strings.TrimSpace(s.game.Position().Draw()))
	}
	return nil // UCI wants unknown commands to be ignored
}

func (s *session) introduce() {
	s.print(`id name Fianchetto example engine
id author the Fianchetto authors
option name Hash type spin default %d min 1 max %d
option name Move Overhead type spin default %d min 0 max %d
option name Ponder type check default false
option name UCI_Chess960 type check default false
uciok`, defaultHash, maxHash, defaultOverhead, maxOverhead)
}

// setOption reads "name NAME value VALUE".
func (s *session) setOption(words []string) (err error) {
	name, value, _ := strings.Cut(strings.TrimPrefix(strings.Join(words, " "), "name "), " value ")
	switch strings.ToLower(name) {
	case "hash":
		if s.hash, err = parseNumber(value, 1, maxHash, s.hash); err == nil {
			s.table = newTable(s.hash)
		}
	case "move overhead":
		s.overhead, err = parseNumber(value, 0, maxOverhead, s.overhead)
	case "ponder": // whether it is allowed to; go ponder is what makes it ponder
		_, err = strconv.ParseBool(value)
	case "uci_chess960":
		s.chess960, err = strconv.ParseBool(value)
	default:
		err = errors.New("there is no such option")
	}
	if err != nil {
		return fmt.Errorf("option %q: %w", name, err)
	}
	return nil
}

// parseNumber returns the number in text, or the number before it and an error.
func parseNumber(text string, least, most, before int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return before, fmt.Errorf("%q is not a number from %d to %d", text, least, most)
	}
	return n, nil
}

var errNoPosition = errors.New("no position: the last one was refused")

// start begins a search in its own goroutine.
func (s *session) start(words []string, stopped bool) error {
	if s.game == nil {
		return errNoPosition
	}
	pos := s.game.Position()
	l, moves, err := parseGo(words, &pos, time.Duration(s.overhead)*time.Millisecond)
	if err != nil {
		return err
	}
	l.began = s.now()
	search := newSearch(s.game, s.table, l)
	search.rootMoves, search.report, search.now = moves, s.report, s.now
	if stopped {
		search.stop()
	}
	done := make(chan struct{})
	s.search, s.done = search, done
	go func() {
		defer close(done)
		search.run()
		search.wait()
	}()
	return nil
}

// answer prints the best move of a search that has ended, and the reply that the engine would like to ponder on. It
// leaves the session free for the next search.
func (s *session) answer() {
	moves := formatLine(s.search.plies[0].pos, s.search.line[:min(2, len(s.search.line))])
	if len(moves) == 0 {
		moves = []string{fianchetto.NoMove.String()}
	}
	s.print("bestmove %s", strings.Join(moves, " ponder "))
	s.search, s.done = nil, nil
}

// formatLine formats the moves of a line from a position.
func formatLine(pos fianchetto.Position, line []fianchetto.Move) (moves []string) {
	for _, m := range line {
		moves = append(moves, pos.UCI(m))
		pos = pos.After(m)
	}
	return moves
}

// report prints the best line so far.
func (s *session) report(found *search) {
	spent := s.now().Sub(found.limits.began)
	perSecond := float64(found.nodes) / max(spent.Seconds(), 1e-6)
	pv := ""
	if len(found.line) > 0 {
		pv = " pv " + strings.Join(formatLine(found.plies[0].pos, found.line), " ")
	}
	s.print("info depth %d score %s nodes %d nps %.0f time %d%s", found.depth, formatScore(found.score),
		found.nodes, perSecond, spent.Milliseconds(), pv)
}

// formatScore formats a score as UCI wants it: centipawns, or moves, not plies, to mate.
func formatScore(score int) string {
	switch {
	case score > mateInMaxPly:
		return fmt.Sprintf("mate %d", (mateScore-score+1)/2)
	case score < -mateInMaxPly:
		return fmt.Sprintf("mate %d", -(mateScore+score)/2)
	}
	return fmt.Sprintf("cp %d", score)
}
