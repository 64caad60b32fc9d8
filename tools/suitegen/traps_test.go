package main

import (
	"slices"
	"strings"
	"testing"
)

var lists = []string{standardTraps, chess960Traps, unreachableTraps}

// TestTrapsHaveTheMovesTheyName reads all lists: each trap names moves, and names and positions differ within a list.
func TestTrapsHaveTheMovesTheyName(t *testing.T) {
	for _, list := range lists {
		if _, err := trapEntries(list); err != nil {
			t.Fatal(err)
		}
		traps, _ := readTraps(list)
		names, fens := make(map[string]bool), make(map[string]bool)
		for _, trap := range traps {
			if names[trap.name] || fens[trap.fen] {
				t.Errorf("%s, %s: there twice", trap.name, trap.fen)
			}
			names[trap.name], fens[trap.fen] = true, true
			if len(trap.moves) == 0 {
				t.Errorf("%s names no move", trap.name)
			}
		}
	}
}

func TestWrongTrapIsRefused(t *testing.T) {
	const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for list, want := range map[string]string{
		"x: why\n" + fen + "\nlegal e2e5":   "x: e2e5 should be legal in " + fen,
		"x: why\n" + fen + "\nillegal e2e4": "x: e2e4 should be illegal in " + fen,
		"x: why\n" + fen + "\ne2e4":         `trap x: invalid line "e2e4"`,
		"x: why":                            `trap "x: why": want NAME: REASON, then a FEN`,
		"x\n" + fen:                         `trap "x": want NAME: REASON, then a FEN`,
		"x: why\n8/8":                       "x: ",
	} {
		if _, err := trapEntries(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", list, err, want)
		}
	}
}

// TestMirrorImagesPlayAlike counts each trap from both sides of the board.
func TestMirrorImagesPlayAlike(t *testing.T) {
	entries := must(trapEntries(strings.Join(lists, "\n")))
	for pair := range slices.Chunk(entries, 2) {
		for depth := 1; depth <= 2; depth++ {
			if a, b := pair[0].board.Perft(depth), pair[1].board.Perft(depth); a != b {
				t.Errorf("%s: %d nodes at depth %d, %d mirrored", pair[0].name, a, depth, b)
			}
		}
	}
}
