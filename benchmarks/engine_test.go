package main

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

// A second visit finds the positions of the first, and the moves stored with them are legal.
func TestEngineFindsStoredPositions(t *testing.T) {
	for _, w := range shallow() {
		e := newEngine(true)
		e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
		e.visit(w.depth)
		if made := e.visit(w.depth); made != w.moves(w.depth) || e.sum == 0 || e.found == 0 {
			t.Errorf("%s: %d moves made, want %d; sum %d, %d found", w.name, made, w.moves(w.depth), e.sum, e.found)
		}
	}
}

// The same work on both libraries gives the same scores.
func TestEnginesAgree(t *testing.T) {
	for _, w := range shallow() {
		e, reference := newEngine(false), newEngine(false)
		e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
		board := dragontoothmg.ParseFen(w.fen)
		made, madeByReference := e.visit(w.depth), reference.visitReference(&board, w.depth)
		if made != madeByReference || e.sum != reference.sum {
			t.Errorf("%s: %d moves and a sum of %d, and with dragontoothmg %d and %d",
				w.name, made, e.sum, madeByReference, reference.sum)
		}
	}
}
