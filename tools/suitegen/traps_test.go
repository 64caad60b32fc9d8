package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

var allTraps = slices.Concat(traps, traps960, unreachable)

func TestTrapsHaveTheMovesTheyName(t *testing.T) {
	for _, trap := range allTraps {
		b, err := oracle.Parse(trap.fen)
		if err != nil {
			t.Errorf("%s: %v", trap.name, err)
		} else if err := trap.check(b); err != nil {
			t.Error(err)
		}
	}
}

func TestTrapsHaveDifferentNames(t *testing.T) {
	for _, list := range [][]trap{traps, traps960, unreachable} {
		names, fens := make(map[string]bool), make(map[string]bool)
		for _, trap := range list {
			if names[trap.name] || fens[trap.fen] {
				t.Errorf("%s, %s: there twice", trap.name, trap.fen)
			}
			names[trap.name], fens[trap.fen] = true, true
			if strings.TrimSpace(trap.legal+trap.illegal) == "" {
				t.Errorf("%s names no move", trap.name)
			}
		}
	}
}

func TestTrapWithAWrongMoveIsRefused(t *testing.T) {
	fen := startFEN(standardArray, standardArray)
	for _, wrong := range []trap{{name: "x", fen: fen, legal: "e2e5"}, {name: "x", fen: fen, illegal: "e2e4"}} {
		if entries, err := trapEntries([]trap{wrong}, oracle.Board.FEN); err == nil {
			t.Errorf("%+v was taken: %v", wrong, entries)
		}
	}
}

// TestMirrorImagesPlayAlike counts each trap from both sides of the board.
func TestMirrorImagesPlayAlike(t *testing.T) {
	for _, trap := range allTraps {
		if got := mirror(mirror(trap.fen)); got != trap.fen {
			t.Errorf("%s: mirrored twice %s, was %s", trap.name, got, trap.fen)
		}
		here, err := oracle.Parse(trap.fen)
		if err != nil {
			t.Fatal(err)
		}
		there, err := oracle.Parse(mirror(trap.fen))
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth <= 2; depth++ {
			if a, b := here.Perft(depth), there.Perft(depth); a != b {
				t.Errorf("%s: %d nodes at depth %d, %d mirrored", trap.name, a, depth, b)
			}
		}
	}
}
