package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// TestTraps reads all lists, which panics if a trap lacks the moves it names. Names and positions
// differ within a list, and each trap has as many moves from both sides of the board.
func TestTraps(t *testing.T) {
	for _, name := range []string{"traps", "traps960", "state", "unreachable"} {
		_, entries := listed(name)
		names, boards := make(map[string]bool), make(map[oracle.Board]bool)
		for pair := range slices.Chunk(entries, 2) {
			trap, mirrored := pair[0], pair[1]
			if names[trap.name] || boards[trap.board] {
				t.Errorf("%s, %s: there twice", trap.name, trap.board.FEN())
			}
			names[trap.name], boards[trap.board] = true, true
			for depth := 1; depth <= 2; depth++ {
				if a, b := trap.board.Perft(depth), mirrored.board.Perft(depth); a != b {
					t.Errorf("%s: %d nodes at depth %d, %d mirrored", trap.name, a, depth, b)
				}
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
