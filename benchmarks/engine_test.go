package main

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

// Habits cost time and change no score; the hash table finds moves, and they are legal.
func TestHabitsChangeNoScore(t *testing.T) {
	for _, w := range shallow() {
		want := 0
		for i := range len(lessons) + 2 {
			habits := habit(1<<i) >> 1 & everyHabit // none, one of them
			if i > len(lessons) {
				habits = everyHabit
			}
			e := newEngine(habits, true)
			e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
			if made := e.visit(w.depth); made != w.moves(w.depth) {
				t.Fatalf("%s, habits %07b: %d moves made, want %d", w.name, habits, made, w.moves(w.depth))
			}
			if habits == 0 {
				want = e.sum
			}
			if e.sum != want || e.sum == 0 || e.found == 0 {
				t.Fatalf("%s, habits %07b: sum %d, want %d; %d found", w.name, habits, e.sum, want, e.found)
			}
		}
	}
}

// The same work on both libraries gives the same scores.
func TestEnginesAgree(t *testing.T) {
	for _, w := range shallow() {
		e, reference := newEngine(0, false), newReferenceEngine()
		e.plies[w.depth].pos = fianchetto.MustParseFEN(w.fen)
		board := dragontoothmg.ParseFen(w.fen)
		made, madeByReference := e.visit(w.depth), reference.visitReference(&board, w.depth)
		if made != madeByReference || e.sum != reference.sum {
			t.Errorf("%s: %d moves and a sum of %d, and with dragontoothmg %d and %d",
				w.name, made, e.sum, madeByReference, reference.sum)
		}
	}
}
