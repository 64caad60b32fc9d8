package main

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

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
