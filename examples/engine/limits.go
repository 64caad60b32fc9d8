package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// limits define when a search ends.
type limits struct {
	depth    int    // plies, at most maxPly-1
	nodes    uint64 // 0: any number
	mate     int    // moves within which a mate is good enough; 0: none is
	infinite bool   // the answer waits for stop
	ponder   bool   // the clock starts with ponderhit, and the answer waits for that or for stop
	began    time.Time
	soft     time.Duration // no further iteration after it; 0: there is no clock
	hard     time.Duration // the search is broken off; 0: there is no clock
}

// isTimeUp reports whether the search has to stop at once.
func (l *limits) isTimeUp(spent time.Duration) bool { return l.hard > 0 && spent >= l.hard }

// satisfied reports whether another iteration is pointless: one begun after half the time would hardly finish.
func (l *limits) satisfied(spent time.Duration, score int) bool {
	if l.mate > 0 && score > mateInMaxPly && mateScore-score <= 2*l.mate {
		return true
	}
	return l.soft > 0 && spent >= l.soft/2
}

// isBounded reports whether a number ends the search, not only a mate or a command.
func (l *limits) isBounded() bool { return l.depth < maxPly-1 || l.nodes > 0 || l.hard > 0 }

// allot divides the remaining time among a number of moves, 0 for the rest of the game. Overhead is the time lost
// between the engine and the clock on each move.
// Source: https://www.chessprogramming.org/Time_Management
func (l *limits) allot(left, increment time.Duration, movesToGo int, overhead time.Duration) {
	const expected = 30 // moves that a game still has
	moves := expected
	if movesToGo > 0 {
		moves = min(movesToGo, expected)
	}
	left = max(left-overhead, time.Millisecond)
	l.soft = left/time.Duration(moves) + increment/2
	l.hard = min(4*l.soft, left/3)
	l.soft = min(l.soft, l.hard)
}

// numbers are the words of a go command that a number follows.
var numbers = []string{"depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo"}

// parseGo reads what follows a go command: the limits, and the moves after searchmoves, nil if all are allowed. It
// skips words that it does not know, as UCI wants it.
func parseGo(words []string, pos *fianchetto.Position, overhead time.Duration) (
	l limits, moves []fianchetto.Move, err error,
) {
	given := map[string]int{}
	inMoves := false
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "infinite":
			l.infinite, inMoves = true, false
		case word == "ponder":
			l.ponder, inMoves = true, false
		case slices.Contains(numbers, word):
			inMoves = false
			if i++; i == len(words) {
				return l, nil, fmt.Errorf("go %s: the number is missing", word)
			}
			if given[word], err = strconv.Atoi(words[i]); err != nil {
				return l, nil, fmt.Errorf("go %s: %q is not a number", word, words[i])
			}
		case inMoves:
			m, err := pos.ParseUCI(word)
			if err != nil {
				return l, nil, fmt.Errorf("go searchmoves: %w", err)
			}
			moves = append(moves, m)
		case word == "searchmoves":
			inMoves = true
		}
	}
	l.infinite = l.infinite || len(given) == 0
	l.set(given, pos.SideToMove(), overhead)
	return l, moves, nil
}

// set turns the numbers of a go command into limits.
func (l *limits) set(given map[string]int, us fianchetto.Color, overhead time.Duration) {
	milliseconds := func(word string) time.Duration { return time.Duration(given[word]) * time.Millisecond }
	l.depth, l.nodes, l.mate = maxPly-1, uint64(max(given["nodes"], 0)), given["mate"]
	if depth := given["depth"]; depth > 0 {
		l.depth = min(depth, l.depth)
	}
	left, increment := "wtime", "winc"
	if us == fianchetto.Black {
		left, increment = "btime", "binc"
	}
	if _, ok := given[left]; ok {
		l.allot(milliseconds(left), milliseconds(increment), given["movestogo"], overhead)
	}
	if _, ok := given["movetime"]; ok {
		l.soft, l.hard = 0, max(milliseconds("movetime"), time.Millisecond)
	}
}

const stillPondering = -1

// stop makes the search end as soon as it can.
func (s *search) stop() {
	s.halt.Store(true)
	s.release()
}

// ponderHit starts the clock of a search that ponders.
func (s *search) ponderHit() {
	s.pondered.CompareAndSwap(stillPondering, int64(s.now().Sub(s.limits.began)))
	if !s.limits.infinite {
		s.release()
	}
}

// waitsForCommand reports whether there is no answer without another command.
func (s *search) waitsForCommand() bool {
	return s.limits.infinite || s.pondered.Load() == stillPondering
}

// wait waits until the answer may be given.
func (s *search) wait() {
	if s.limits.infinite || s.limits.ponder {
		<-s.released
	}
}

// spent returns the time on the clock: none before ponderhit.
func (s *search) spent() time.Duration {
	pondered := s.pondered.Load()
	if pondered == stillPondering {
		return 0
	}
	return s.now().Sub(s.limits.began) - time.Duration(pondered)
}
