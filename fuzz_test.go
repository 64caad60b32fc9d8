package fianchetto_test

import (
	"errors"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// FuzzParseFEN holds ParseFEN to its word: every text is refused with a place in it, or is a position that is
// written so that it is read back, and that can be played from.
func FuzzParseFEN(f *testing.F) {
	for _, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0])
	}
	for _, line := range fenLines(f, "invalid.fen", 4) {
		f.Add(line[3])
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			var refusal *fianchetto.FENError
			if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(fen) || refusal.Input != fen {
				t.Fatalf("%q: %#v", fen, err)
			}
			return
		}
		again, err := fianchetto.ParseFEN(p.FEN())
		if err != nil || again != p || again.FEN() != p.FEN() {
			t.Fatalf("%q is written %q and read as %v, %v", fen, p.FEN(), again, err)
		}
		n := newNode(t, p.FEN())
		n.check(t)
		_, _ = p.Unreachable(), p.Draw()
		for m := range p.LegalMoves() {
			next := p.After(m)
			read, err := fianchetto.ParseFEN(next.FEN())
			if err != nil || read.WithChess960(next.IsChess960()) != next {
				t.Fatalf("%v after %v is %v, read as %v, %v", p, m, next, read, err)
			}
		}
	})
}

// FuzzParseUCI holds ParseUCI to its word: every text is refused with a place in it, or is a legal move that is
// written so that it is read back.
func FuzzParseUCI(f *testing.F) {
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], []string{"e2e4", "e1g1", "e8a8", "b7b8q", "0000", "e1e", "e5d6", "a7a8k"}[i%8])
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.StartPosition()
		}
		m, err := p.ParseUCI(text)
		if err != nil {
			var refusal *fianchetto.MoveError
			if !errors.As(err, &refusal) || m != fianchetto.NoMove || refusal.Offset < 0 || refusal.Offset > len(text) || refusal.Input != text {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if !p.IsLegal(m) {
			t.Fatalf("%v: %q is read as %v, which is not legal", p, text, m)
		}
		if again, err := p.ParseUCI(p.UCI(m)); err != nil || again != m {
			t.Fatalf("%v: %q is written %q and read as %v, %v", p, text, p.UCI(m), again, err)
		}
	})
}
