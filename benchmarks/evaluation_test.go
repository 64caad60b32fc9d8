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

// TestEvaluationsAgree compares the two evaluations at all nodes of small trees.
func TestEvaluationsAgree(t *testing.T) {
	for _, w := range shallow() {
		pos := fianchetto.MustParseFEN(w.fen)
		board := dragontoothmg.ParseFen(w.fen)
		differ, scores := 0, map[int]bool{}
		var compare func(p *fianchetto.Position, depth int)
		compare = func(p *fianchetto.Position, depth int) {
			b := dragontoothmg.ParseFen(p.FEN())
			got, want := evaluate(p), evaluateReference(&b)
			if copied := evaluateCopy(p); copied != got {
				t.Errorf("%s: %d, and of a copy of the sets %d", p.FEN(), got, copied)
			}
			scores[got] = true
			if got != want {
				differ++
				t.Logf("%s: %d, and with dragontoothmg %d", p.FEN(), got, want)
			}
			if depth == 0 || differ > 5 {
				return
			}
			for _, m := range p.AppendLegal(nil) {
				next := p.After(m)
				compare(&next, depth-1)
			}
		}
		compare(&pos, 2)
		if differ != 0 || len(scores) < 50 {
			t.Errorf("%s: %d positions differ, %d scores", w.name, differ, len(scores))
		}
		if evaluate(&pos) != evaluateReference(&board) {
			t.Errorf("%s differs", w.name)
		}
	}
}

// A position and its mirror image with colours exchanged are as good for either side.
func TestEvaluationIsSymmetric(t *testing.T) {
	for _, w := range shallow() {
		pos := fianchetto.MustParseFEN(w.fen)
		flipped := pos.FlipColors()
		if got, want := evaluate(&flipped), -evaluate(&pos); got != want {
			t.Errorf("%s with colours exchanged: %d, want %d", w.name, got, want)
		}
	}
}
