package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// TestEvaluateIsFair evaluates each position, its mirror image, and the same with colours
// exchanged.
func TestEvaluateIsFair(t *testing.T) {
	for _, pos := range suite(t) {
		want := evaluateAnew(&pos)
		flipped := pos.FlipColors()
		if got := evaluateAnew(&flipped); got != want {
			t.Errorf("%v is worth %d, with colours exchanged %d", pos, want, got)
		}
		if want <= -mateInMaxPly || want >= mateInMaxPly {
			t.Errorf("%v is worth %d, which passes for a mate", pos, want)
		}
	}
}

func evaluateAnew(pos *fianchetto.Position) int {
	b := newBalance(pos)
	return evaluate(pos, &b)
}

// TestBalanceIsKept compares the balance after each move of the suites with that of the position
// from nothing.
func TestBalanceIsKept(t *testing.T) {
	for _, pos := range suite(t) {
		b := newBalance(&pos)
		for m := range pos.LegalMoves() {
			next := pos.After(m)
			if got, want := b.after(&pos, m), newBalance(&next); got != want {
				t.Fatalf("%v: after %v it is %+v, want %+v", pos, m, got, want)
			}
		}
	}
}

func TestEvaluateKnowsWhoIsAhead(t *testing.T) {
	for _, test := range []struct {
		fen  string
		lead int // at least
	}{
		{"4k3/pppppppp/8/8/8/8/PPPPPPPP/Q3K3 w - - 0 1", 800},
		{"r3k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", 400},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 50},
		{"4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 100},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		if got := evaluateAnew(&pos); got < test.lead {
			t.Errorf("%s is worth %d, want %d at least", test.fen, got, test.lead)
		}
	}
}
