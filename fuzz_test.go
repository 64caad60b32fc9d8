package fianchetto_test

import (
	"errors"
	"slices"
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
			var refusal *fianchetto.PositionError
			if !errors.As(err, &refusal) || refusal.Input != fen || slices.ContainsFunc(refusal.Problems, func(p *fianchetto.PositionProblem) bool {
				return p.Offset < 0 || p.Offset > len(fen)
			}) {
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

// FuzzMakeUnmake plays any moves below any position, null moves among them, by each of the three ways to make a move, takes
// them all back, and reads every position again from its FEN, which computes its key from nothing.
func FuzzMakeUnmake(f *testing.F) {
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], []byte{byte(i), byte(i * i), 255, byte(7 * i), 31, 255, 0, 254, byte(i >> 1)})
	}
	f.Fuzz(func(t *testing.T, fen string, choices []byte) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.StartPosition()
		}
		playAndTakeBack(t, &p, choices)
	})
}

// playAndTakeBack plays a line of moves, each chosen by a byte, of which 255 is the null move where there may be one.
func playAndTakeBack(t *testing.T, p *fianchetto.Position, choices []byte) {
	t.Helper()
	checkFromScratch(t, p)
	moves := p.AppendLegal(nil)
	switch {
	case len(choices) == 0:
	case choices[0] == 255 && !p.InCheck():
		next := p.Null()
		playAndTakeBack(t, &next, choices[1:])
	case len(moves) > 0:
		before := *p
		undo := makeEveryWay(t, p, moves[int(choices[0])%len(moves)])
		playAndTakeBack(t, p, choices[1:])
		if p.Unmake(undo); *p != before {
			t.Fatalf("%v is taken back to %v", before, p)
		}
	}
}

// makeEveryWay plays a move in p and compares the three ways to do so.
func makeEveryWay(t *testing.T, p *fianchetto.Position, m fianchetto.Move) fianchetto.Undo {
	t.Helper()
	before := *p
	copied := fianchetto.MustParseFEN("7k/7p/8/8/8/8/P7/K7 b - - 77 99") // nothing of it may be left
	before.CopyMake(&copied, m)
	undo := p.Make(m)
	if after := before.After(m); *p != after || copied != after {
		t.Fatalf("%v: %v gives %v by After, %v by Make, %v by CopyMake", before, m, after, *p, copied)
	}
	return undo
}

// checkFromScratch reads p again from its FEN.
func checkFromScratch(t *testing.T, p *fianchetto.Position) {
	t.Helper()
	again, err := fianchetto.ParseFEN(p.FEN())
	if err != nil || again.WithChess960(p.IsChess960()) != *p || again.Key() != p.Key() {
		t.Fatalf("%v with key %016x is read as %v with key %016x, %v", p, p.Key(), again, again.Key(), err)
	}
}
