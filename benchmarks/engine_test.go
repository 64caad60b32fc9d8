package main

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

// An engine as first ported takes more time for the same score. The hash table finds moves, and they
// are legal.
func TestPortedEngineAgrees(t *testing.T) {
	for _, w := range shallow() {
		var sums []int
		for _, ported := range []bool{false, true} {
			e := newEngine(ported, true)
			e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
			if made := e.visit(w.depth); made != w.moves(w.depth) || e.sum == 0 || e.found == 0 {
				t.Fatalf("%s, ported %v: %d moves made, want %d; sum %d, %d found", w.name, ported, made,
					w.moves(w.depth), e.sum, e.found)
			}
			sums = append(sums, e.sum)
		}
		if sums[0] != sums[1] {
			t.Errorf("%s: sums %d, want equal ones", w.name, sums)
		}
	}
}

// The same work on both libraries gives the same scores.
func TestEnginesAgree(t *testing.T) {
	for _, w := range shallow() {
		e, reference := newEngine(false, false), newReferenceEngine()
		e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
		board := dragontoothmg.ParseFen(w.fen)
		made, madeByReference := e.visit(w.depth), reference.visitReference(&board, w.depth)
		if made != madeByReference || e.sum != reference.sum {
			t.Errorf("%s: %d moves and a sum of %d, and with dragontoothmg %d and %d",
				w.name, made, e.sum, madeByReference, reference.sum)
		}
	}
}
