package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

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
	s.print("id name Fianchetto example engine\nid author the Fianchetto authors")
	s.print("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	s.print("option name Move Overhead type spin default %d min 0 max %d", defaultOverhead, maxOverhead)
	s.print("option name Ponder type check default false")
	s.print("option name UCI_Chess960 type check default false")
	s.print("uciok")
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

// start begins a search in a goroutine of its own.
func (s *session) start(words []string, stopped bool) error {
	if s.game == nil {
		return errNoPosition
	}
	pos := s.game.Position()
	l, err := parseLimits(words, pos.SideToMove(), time.Duration(s.overhead)*time.Millisecond)
	if err != nil {
		return err
	}
	moves, err := parseSearchMoves(words, &pos)
	if err != nil {
		return err
	}
	search := newSearch(s.game, s.table, l)
	search.rootMoves, search.report = moves, s.report
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

// answer prints the best move of a search that has ended, and leaves the session free for the next.
func (s *session) answer() {
	s.print("bestmove %s", formatAnswer(s.search))
	s.search, s.done = nil, nil
}

// formatAnswer returns the best move, and the reply that the engine would like to ponder on.
func formatAnswer(found *search) string {
	moves := formatLine(found.plies[0].pos, found.line[:min(2, len(found.line))])
	switch len(moves) {
	case 0:
		return fianchetto.NoMove.String()
	case 1:
		return moves[0]
	}
	return moves[0] + " ponder " + moves[1]
}

// formatLine formats the moves of a line from a position.
func formatLine(pos fianchetto.Position, line []fianchetto.Move) (moves []string) {
	for _, m := range line {
		moves = append(moves, pos.UCI(m))
		pos = pos.After(m)
	}
	return moves
}

// report prints the best line that is known.
func (s *session) report(found *search) {
	spent := time.Since(found.limits.began)
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
