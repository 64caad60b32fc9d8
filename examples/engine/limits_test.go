package main

import (
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

func TestParseLimits(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		words []string
		us    fianchetto.Color
		want  limits
	}{
		{[]string{}, fianchetto.White, limits{depth: maxPly - 1, infinite: true}},
		{[]string{"infinite"}, fianchetto.White, limits{depth: maxPly - 1, infinite: true}},
		{[]string{"depth", "7", "nodes", "99"}, fianchetto.White, limits{depth: 7, nodes: 99}},
		{[]string{"depth", "1000"}, fianchetto.White, limits{depth: maxPly - 1}},
		{[]string{"mate", "3"}, fianchetto.Black, limits{depth: maxPly - 1, mate: 3}},
		{[]string{"movetime", "250"}, fianchetto.White, limits{depth: maxPly - 1, hard: 250 * ms}},
		{[]string{"movetime", "0"}, fianchetto.White, limits{depth: maxPly - 1, hard: ms}},
		{[]string{"wtime", "60010", "btime", "1"}, fianchetto.White, limits{depth: maxPly - 1, soft: 2000 * ms, hard: 8000 * ms}},
		{[]string{"wtime", "1", "btime", "60010", "binc", "100"}, fianchetto.Black, limits{depth: maxPly - 1, soft: 2050 * ms, hard: 8200 * ms}},
		{[]string{"wtime", "60010", "movestogo", "1"}, fianchetto.White, limits{depth: maxPly - 1, soft: 20000 * ms, hard: 20000 * ms}},
		{[]string{"wtime", "60010", "movestogo", "10"}, fianchetto.White, limits{depth: maxPly - 1, soft: 6000 * ms, hard: 20000 * ms}},
		{[]string{"wtime", "-5"}, fianchetto.White, limits{depth: maxPly - 1, soft: ms / 30, hard: 4 * (ms / 30)}},
	} {
		got, err := parseLimits(test.words, test.us, 10*ms)
		if err != nil {
			t.Errorf("%q: %v", test.words, err)
		}
		if got.began = (time.Time{}); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.words, got, test.want)
		}
	}
}

// TestNeverPlansMoreThanThereIs tries all sorts of clocks.
func TestNeverPlansMoreThanThereIs(t *testing.T) {
	for _, left := range []time.Duration{-time.Second, 0, 1, time.Millisecond, 20 * time.Millisecond, time.Second, time.Hour} {
		for _, increment := range []time.Duration{0, 10 * time.Millisecond, time.Minute} {
			for moves := range 50 {
				var l limits
				l.allot(left, increment, moves, 10*time.Millisecond)
				most := max(left-10*time.Millisecond, time.Millisecond)
				if l.soft <= 0 || l.hard < l.soft || l.hard > most {
					t.Errorf("%v left, %v more each move, %d moves: it plans %v, at most %v", left, increment, moves, l.soft, l.hard)
				}
			}
		}
	}
}
