package main

import (
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

func TestParseGo(t *testing.T) {
	const ms = time.Millisecond
	white := fianchetto.StartPosition()
	black := white.Null()
	for _, test := range []struct {
		words string
		pos   fianchetto.Position
		want  limits
	}{
		{"", white, limits{infinite: true}},
		{"infinite", white, limits{infinite: true}},
		{"depth 7 nodes 99", white, limits{depth: 7, nodes: 99}},
		{"depth 1000", white, limits{}},
		{"mate 3", black, limits{mate: 3}},
		{"ponder movetime 250", white, limits{ponder: true, hard: 250 * ms}},
		{"movetime 0", white, limits{hard: ms}},
		{"wtime 60010 btime 1", white, limits{soft: 2000 * ms, hard: 8000 * ms}},
		{"wtime 1 btime 60010 binc 100", black, limits{soft: 2050 * ms, hard: 8200 * ms}},
		{"wtime 60010 movestogo 1", white, limits{soft: 20000 * ms, hard: 20000 * ms}},
		{"wtime 60010 movestogo 10", white, limits{soft: 6000 * ms, hard: 20000 * ms}},
		{"wtime -5", white, limits{soft: ms / 30, hard: 4 * (ms / 30)}},
	} {
		got, _, err := parseGo(strings.Fields(test.words), &test.pos, 10*ms)
		if err != nil {
			t.Errorf("%q: %v", test.words, err)
		}
		if test.want.depth == 0 {
			test.want.depth = maxPly - 1
		}
		if got != test.want {
			t.Errorf("%q: %+v, want %+v", test.words, got, test.want)
		}
	}
}

// TestNeverPlansMoreThanThereIs tries all sorts of clocks.
func TestNeverPlansMoreThanThereIs(t *testing.T) {
	const ms = time.Millisecond
	for _, left := range []time.Duration{-time.Second, 0, 1, ms, 20 * ms, time.Second, time.Hour} {
		for _, increment := range []time.Duration{0, 10 * ms, time.Minute} {
			for moves := range 50 {
				var l limits
				l.allot(left, increment, moves, 10*ms)
				most := max(left-10*ms, ms)
				if l.soft <= 0 || l.hard < l.soft || l.hard > most {
					t.Errorf("%v left, %v more each move, %d moves: it plans %v, at most %v",
						left, increment, moves, l.soft, l.hard)
				}
			}
		}
	}
}
