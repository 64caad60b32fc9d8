package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

var names = []string{"traps", "traps960", "state", "unreachable"}

// TestTrapsHaveTheMovesTheyName reads all lists: names and positions differ within a list.
func TestTrapsHaveTheMovesTheyName(t *testing.T) {
	for _, name := range names {
		entries, err := trapEntries(list(name))
		if err != nil || len(entries) == 0 {
			t.Fatalf("%d positions, %v", len(entries), err)
		}
		names, boards := make(map[string]bool), make(map[oracle.Board]bool)
		for pair := range slices.Chunk(entries, 2) {
			trap := pair[0]
			if names[trap.name] || boards[trap.board] {
				t.Errorf("%s, %s: there twice", trap.name, trap.board.FEN())
			}
			names[trap.name], boards[trap.board] = true, true
		}
	}
}

func TestWrongTrapIsRefused(t *testing.T) {
	const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for list, want := range map[string]string{
		"x: why\n" + fen + "\nlegal e2e5":   "x: e2e5 should be legal in " + fen,
		"x: why\n" + fen + "\nillegal e2e4": "x: e2e4 should be illegal in " + fen,
		"x: why\n" + fen + "\ne2e4":         `trap x: invalid line "e2e4"`,
		"x: why":                            `trap "x: why": want NAME: REASON, then a FEN, then moves`,
		"x: why\n" + fen:                    `trap "x: why": want NAME: REASON, then a FEN, then moves`,
		"x\n" + fen + "\nlegal e2e4":        `trap "x": want NAME: REASON, then a FEN, then moves`,
		"x: why\n8/8\nlegal e2e4":           "trap x: oracle: FEN",
	} {
		if _, err := trapEntries(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", list, err, want)
		}
	}
}

// TestMirrorImagesPlayAlike counts each trap from both sides of the board.
func TestMirrorImagesPlayAlike(t *testing.T) {
	var entries []entry
	for _, name := range names {
		_, traps := listed(name)
		entries = append(entries, traps...)
	}
	for pair := range slices.Chunk(entries, 2) {
		for depth := 1; depth <= 2; depth++ {
			if a, b := pair[0].board.Perft(depth), pair[1].board.Perft(depth); a != b {
				t.Errorf("%s: %d nodes at depth %d, %d mirrored", pair[0].name, a, depth, b)
			}
		}
	}
}
