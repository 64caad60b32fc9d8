package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// session is a conversation in UCI: one goroutine hears commands, another searches, so that stop is heard.
// Source: https://www.chessprogramming.org/UCI
type session struct {
	game     *game
	table    *table
	hash     int // MiB
	overhead int // ms
	chess960 bool

	search *search       // the one under way, nil if there is none
	done   chan struct{} // closed at its end
	stop   chan struct{} // closed to have it answer

	mutex   sync.Mutex // both goroutines talk
	out     io.Writer
	failure error // of writing
}

const maxHash, maxOverhead = 4096, 5000

func newSession(out io.Writer) *session {
	const hash, overhead = 16, 50
	start := newGame(fianchetto.StartPosition())
	return &session{game: start, table: newTable(hash), hash: hash, overhead: overhead, out: out}
}

// run obeys commands until quit or the end of the input.
func (s *session) run(in io.Reader) error {
	const longest = 1 << 20 // bytes of a command: a game of any length
	commands := bufio.NewScanner(in)
	commands.Buffer(nil, longest)
	for commands.Scan() {
		words := strings.Fields(commands.Text())
		if len(words) > 0 && words[0] == "quit" {
			break
		}
		if err := s.obey(words); err != nil {
			s.say("info string %v", err)
		}
	}
	s.finish(true)
	if err := commands.Err(); err != nil {
		return fmt.Errorf("reading commands: %w", err)
	}
	return s.failure
}

// obey does what a command says. While a search is under way only stop and isready are obeyed at once: all others wait for
// its end.
func (s *session) obey(words []string) error {
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "isready":
		s.say("readyok")
		return nil
	case "stop":
		s.finish(true)
		return nil
	}
	s.finish(false)
	switch words[0] {
	case "uci":
		s.introduce()
	case "setoption":
		return s.setOption(words[1:])
	case "ucinewgame":
		s.table = newTable(s.hash)
	case "position":
		g, err := parseGame(words[1:], s.chess960)
		if err != nil {
			return err
		}
		s.game = g
	case "go":
		return s.start(words[1:])
	case "d":
		s.say("%s", strings.TrimSpace(s.game.pos.Draw()))
	}
	return nil // UCI wants unknown commands to be ignored
}

func (s *session) introduce() {
	s.say("id name Fianchetto example engine\nid author the Fianchetto authors")
	s.say("option name Hash type spin default %d min 1 max %d", s.hash, maxHash)
	s.say("option name Move Overhead type spin default %d min 0 max %d", s.overhead, maxOverhead)
	s.say("option name UCI_Chess960 type check default false")
	s.say("uciok")
}

// setOption reads name, the name of an option, value, and its value.
func (s *session) setOption(words []string) (err error) {
	name, value, _ := strings.Cut(strings.TrimPrefix(strings.Join(words, " "), "name "), " value ")
	switch strings.ToLower(name) {
	case "hash":
		if s.hash, err = parseNumber(value, 1, maxHash, s.hash); err == nil {
			s.table = newTable(s.hash)
		}
	case "move overhead":
		s.overhead, err = parseNumber(value, 0, maxOverhead, s.overhead)
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

// parseNumber returns the number that text says, or an error and what was before.
func parseNumber(text string, least, most, before int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return before, fmt.Errorf("%q is no number from %d to %d", text, least, most)
	}
	return n, nil
}

// start begins a search in a goroutine of its own, which answers with the best move.
func (s *session) start(words []string) error {
	l, err := parseLimits(words, s.game.pos.SideToMove(), time.Duration(s.overhead)*time.Millisecond)
	if err != nil {
		return err
	}
	s.search = newSearch(s.game, s.table, l)
	s.search.report = s.report
	s.done, s.stop = make(chan struct{}), make(chan struct{})
	go s.think(s.search, s.done, s.stop)
	return nil
}

// think searches and answers. In an infinite search the answer waits until it is asked for.
func (s *session) think(search *search, done, stop chan struct{}) {
	defer close(done)
	best := search.run()
	if search.limits.infinite {
		<-stop
	}
	s.say("bestmove %s", search.plies[0].pos.UCI(best))
}

// finish waits for the answer of the search that is under way, if there is one. It is told to end if that is to be at once, or
// if it would not end by itself.
func (s *session) finish(atOnce bool) {
	if s.search == nil {
		return
	}
	if atOnce || s.search.limits.infinite {
		s.search.halt.Store(true)
		close(s.stop)
	}
	<-s.done
	s.search = nil
}

// report tells what an iteration has found.
func (s *session) report(found *search) {
	spent := time.Since(found.limits.began)
	perSecond := float64(found.nodes) / max(spent.Seconds(), 1e-6)
	var line strings.Builder
	pos := found.plies[0].pos
	for _, m := range found.line {
		line.WriteString(" " + pos.UCI(m))
		pos = pos.After(m)
	}
	s.say("info depth %d score %s nodes %d nps %.0f time %d pv%s", found.depth, spellScore(found.score),
		found.nodes, perSecond, spent.Milliseconds(), line.String())
}

// spellScore spells a score as UCI does: centipawns, or moves, not plies, to mate.
func spellScore(score int) string {
	switch {
	case score > mateInMaxPly:
		return fmt.Sprintf("mate %d", (mateScore-score+1)/2)
	case score < -mateInMaxPly:
		return fmt.Sprintf("mate %d", -(mateScore+score)/2)
	}
	return fmt.Sprintf("cp %d", score)
}

// say writes to the other side.
func (s *session) say(format string, args ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failure == nil {
		_, s.failure = fmt.Fprintf(s.out, format+"\n", args...)
	}
}
