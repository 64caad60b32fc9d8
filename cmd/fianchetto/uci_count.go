package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// uciCount is a perft under way.
type uciCount struct {
	begun   time.Time
	stop    context.CancelFunc
	answers chan string // what is to be said of it, until it is closed
}

// answer returns the channel of what a count has to say; nil, on which nothing ever comes, if there is no count.
func (c *uciCount) answer() <-chan string {
	if c == nil {
		return nil
	}
	return c.answers
}

// abandon ends the count, if there is one, without a word.
func (s *uciSession) abandon() {
	if s.counting == nil {
		return
	}
	s.counting.stop()
	for range s.counting.answers {
	}
}

// start begins what a go command asks for: to count. Who asks to search gets the move that says there is none, so as not
// to wait for it.
func (s *uciSession) start(ctx context.Context, words []string) error {
	if len(words) == 0 || words[0] != "perft" {
		s.say("info string fianchetto counts and does not search: go perft N\nbestmove %v\n", fianchetto.NoMove)
		return nil
	}
	depth, err := strconv.Atoi(strings.Join(words[1:], " "))
	switch {
	case err != nil || depth < 0 || depth > perft.MaxDepth:
		return fmt.Errorf("go perft %s: want a depth from 0 to %d", quote.Text(strings.Join(words[1:], " "), 0), perft.MaxDepth)
	case s.refused:
		return errNoPosition
	}
	ctx, stop := context.WithCancel(ctx)
	s.counting = &uciCount{time.Now(), stop, make(chan string)}
	go s.counting.run(ctx, s.position.WithChess960(s.chess960), depth, perft.Options{Threads: s.threads, HashMB: s.hash})
	return nil
}

// run counts, and says each root move as soon as it is counted.
func (c *uciCount) run(ctx context.Context, pos fianchetto.Position, depth int, options perft.Options) {
	defer c.stop()
	defer close(c.answers)
	options.Counted = func(done []perft.MoveCount, _ int) {
		last := done[len(done)-1]
		c.answers <- fmt.Sprintf("%s: %d\n", pos.UCI(last.Move), last.Nodes)
	}
	result, err := perft.Run(ctx, pos, depth, options)
	switch {
	case errors.Is(err, context.Canceled):
		c.answers <- fmt.Sprintf("info string perft stopped with %d of %d moves counted\n", len(result.Moves), pos.CountLegal())
	case err != nil:
		c.answers <- fmt.Sprintf("info string %v\n", err)
	default:
		c.answers <- fmt.Sprintf("\nNodes searched: %d\n\n", result.Nodes)
	}
}
