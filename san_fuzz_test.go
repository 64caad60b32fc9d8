package fianchetto_test

import (
	"errors"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// FuzzParseSAN holds ParseSAN to its word: every text is refused for one of three reasons with a place in it, or is a legal
// move, which each notation spells so that it is read back. The candidates of an ambiguous text are legal, and
// each can be told from the others.
func FuzzParseSAN(f *testing.F) {
	texts := []string{
		"e4", "Nf3", "exd5", "ed6 e.p.", "bxc3", "Bb3", "B2b3+", "Bb2-b3", "R1xa3#", "Qh4e1!?", "e8=Q", "b8(N)", "axb8/♖", "♝\ufe0fb3",
		"O-O", "0-0-0+", "o-o", "e1g1", "Ke1c1", "--", "b8", "e7e8q", "Bb", "e8=", "O-O-", "P@e4", "2e4", "\xe2\x99",
	}
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], texts[i%len(texts)])
	}
	for i, c := range suites(f) {
		if i%16 == 0 {
			f.Add(c.FEN, texts[i/16%len(texts)])
		}
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.MustParseFEN("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
		}
		m, err := p.ParseSAN(text)
		if err == nil {
			checkSpelledAndRead(t, &p, m)
			return
		}
		var refusal *fianchetto.MoveError
		if !errors.As(err, &refusal) || m != fianchetto.NoMove || refusal.Offset < 0 || refusal.Offset > len(text) || refusal.Input != text {
			t.Fatalf("%v: %q: %#v", p, text, err)
		}
		var several *fianchetto.AmbiguityError
		switch ambiguous := errors.As(err, &several); {
		case ambiguous != errors.Is(err, fianchetto.ErrAmbiguousMove), ambiguous && len(several.Candidates) < 2:
			t.Fatalf("%v: %q: %#v", p, text, err)
		case ambiguous:
			for _, candidate := range several.Candidates {
				checkSpelledAndRead(t, &p, candidate)
			}
		case errors.Is(err, fianchetto.ErrMoveSyntax) == errors.Is(err, fianchetto.ErrIllegalMove):
			t.Fatalf("%v: %q: %v", p, text, err)
		}
	})
}

// checkSpelledAndRead holds a move to be legal, and to be read as what it is however it is spelled.
func checkSpelledAndRead(t *testing.T, p *fianchetto.Position, m fianchetto.Move) {
	t.Helper()
	if !p.IsLegal(m) {
		t.Fatalf("%v: %v is not legal", p, m)
	}
	for _, text := range []string{p.SAN(m), p.LAN(m), p.FigurineSAN(m), p.UCI(m)} {
		if again, err := p.ParseSAN(text); err != nil || again != m {
			t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, text, again, err)
		}
	}
}
