package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	written "github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestSuitesAreWhatTheGeneratorWrites makes again the suites that are made quickly;
// make verify-generate does so with all.
func TestSuitesAreWhatTheGeneratorWrites(t *testing.T) {
	for _, s := range suites {
		if s.name != "traps960" && s.name != "unreachable" {
			continue
		}
		if s.text() != string(must(os.ReadFile(directory+s.name+".epd"))) {
			t.Errorf("%s is not what the generator writes", s.name)
		}
	}
}

// TestClocksAreWithinAGame holds the suites to clocks that every program takes.
func TestClocksAreWithinAGame(t *testing.T) {
	for _, fen := range written.FENs() {
		if clock := must(strconv.Atoi(strings.Fields(fen)[4])); clock > 100 {
			t.Errorf("the halfmove clock is %d in %s", clock, fen)
		}
	}
}

func TestCountsStopBeforeTheLimit(t *testing.T) {
	b := must(oracle.Parse(fianchetto.StartFEN))
	for limit, want := range map[uint64]int{1: 1, 20: 1, 400: 2, 10_000: 3} {
		if got := counts(b, limit, 0); len(got) != want {
			t.Errorf("within %d nodes: %v, want %d depths", limit, got, want)
		}
	}
}
