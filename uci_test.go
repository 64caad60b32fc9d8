package fianchetto_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func TestParseUCI(t *testing.T) {
	const (
		corners  = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
		black    = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
		shredder = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"
		beside   = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1" // the king on f1 may step to g1, or castle to it
		stays    = "4k3/8/8/8/8/8/8/6KR w H - 0 1"    // castling leaves the king on g1
		onTarget = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"  // the rook is where the king goes
	)
	for _, test := range []struct {
		fen, text string
		from, to  fianchetto.Square
		kind      fianchetto.MoveKind
	}{
		{fianchetto.StartFEN, "e2e4", bitboard.E2, bitboard.E4, fianchetto.DoublePush},
		{fianchetto.StartFEN, "g1f3", bitboard.G1, bitboard.F3, fianchetto.KnightMove},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", bitboard.E5, bitboard.D6, fianchetto.EnPassant},
		{"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", bitboard.A7, bitboard.A8, fianchetto.PromoteQueen},
		{"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", bitboard.A7, bitboard.B8, fianchetto.PromoteKnight},
		{corners, "e1g1", bitboard.E1, bitboard.H1, fianchetto.Castling},
		{corners, "e1h1", bitboard.E1, bitboard.H1, fianchetto.Castling},
		{corners, "e1c1", bitboard.E1, bitboard.A1, fianchetto.Castling},
		{corners, "e1f1", bitboard.E1, bitboard.F1, fianchetto.KingMove},
		{black, "e8g8", bitboard.E8, bitboard.H8, fianchetto.Castling},
		{black, "e8a8", bitboard.E8, bitboard.A8, fianchetto.Castling},
		{shredder, "e1g1", bitboard.E1, bitboard.H1, fianchetto.Castling},
		{shredder, "e1a1", bitboard.E1, bitboard.A1, fianchetto.Castling},
		{beside, "f1g1", bitboard.F1, bitboard.G1, fianchetto.KingMove},
		{beside, "f1h1", bitboard.F1, bitboard.H1, fianchetto.Castling},
		{beside, "f1c1", bitboard.F1, bitboard.A1, fianchetto.Castling},
		{stays, "g1h1", bitboard.G1, bitboard.H1, fianchetto.Castling},
		{onTarget, "e1g1", bitboard.E1, bitboard.G1, fianchetto.Castling},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m, err := p.ParseUCI(test.text)
		if want := fianchetto.NewMove(test.from, test.to, test.kind); err != nil || m != want {
			t.Errorf("%v: %q is %v, kind %d, %v; want %v, kind %d", p, test.text, m, m.Kind(), err, want, want.Kind())
		}
	}
}

func TestParseUCIRefuses(t *testing.T) {
	const corners = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, test := range []struct {
		text    string
		offset  int
		problem fianchetto.Problem
	}{
		{"", 0, fianchetto.ErrMoveSyntax},
		{"e", 1, fianchetto.ErrMoveSyntax},
		{"e1", 2, fianchetto.ErrMoveSyntax},
		{"e1e", 3, fianchetto.ErrMoveSyntax},
		{"i1e2", 0, fianchetto.ErrMoveSyntax},
		{"e0e2", 1, fianchetto.ErrMoveSyntax},
		{"e1x2", 2, fianchetto.ErrMoveSyntax},
		{"e1e9", 3, fianchetto.ErrMoveSyntax},
		{"E1E2", 0, fianchetto.ErrMoveSyntax},
		{"b7b8k", 4, fianchetto.ErrMoveSyntax},
		{"b7b8Q", 4, fianchetto.ErrMoveSyntax},
		{"b7b8=q", 4, fianchetto.ErrMoveSyntax},
		{"b7b8qq", 5, fianchetto.ErrMoveSyntax},
		{"e1e2 ", 4, fianchetto.ErrMoveSyntax},
		{" e1e2", 0, fianchetto.ErrMoveSyntax},
		{"e1–e2", 2, fianchetto.ErrMoveSyntax},
		{"O-O", 0, fianchetto.ErrMoveSyntax},
		{"\x00\x00\x00\x00", 0, fianchetto.ErrMoveSyntax},
		{"0000", 0, fianchetto.ErrIllegalMove},
		{"a1a1", 2, fianchetto.ErrIllegalMove},
		{"e3e4", 0, fianchetto.ErrIllegalMove}, // empty square
		{"e8e7", 0, fianchetto.ErrIllegalMove}, // the opponent's king
		{"e1e3", 2, fianchetto.ErrIllegalMove},
		{"e1b1", 2, fianchetto.ErrIllegalMove},
		{"a1h1", 2, fianchetto.ErrIllegalMove},
		{"b7b8", 4, fianchetto.ErrIllegalMove},
		{"e1e2q", 4, fianchetto.ErrIllegalMove},
	} {
		p := fianchetto.MustParseFEN(corners)
		m, err := p.ParseUCI(test.text)
		var refusal *fianchetto.MoveError
		if m != fianchetto.NoMove || !errors.As(err, &refusal) || !errors.Is(err, test.problem) {
			t.Errorf("%q: %v, %v; want %q", test.text, m, err, test.problem)
			continue
		}
		if refusal.Offset != test.offset || refusal.Input != test.text || refusal.FEN != corners {
			t.Errorf("%q: offset %d, want %d: %v", test.text, refusal.Offset, test.offset, err)
		}
		for _, part := range []string{strconv.Quote(test.text), "offset " + strconv.Itoa(test.offset), corners} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v\ndoes not say %s", err, part)
			}
		}
	}
}

func TestUCIWritesCastling(t *testing.T) {
	for _, test := range []struct{ fen, standard, chess960 string }{
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1h1"},
		{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "e8a8"},
		{"4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "g1h1"}, // standard chess has no such castling
		{"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1", "e1b1"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		for m := range p.LegalMoves() {
			if m.Kind() != fianchetto.Castling {
				continue
			}
			standard, chess960 := p.WithChess960(false), p.WithChess960(true)
			if got := standard.UCI(m); got != test.standard {
				t.Errorf("%v: %s, want %s", standard, got, test.standard)
			}
			if got := chess960.UCI(m); got != test.chess960 {
				t.Errorf("%v: %s, want %s", chess960, got, test.chess960)
			}
			test.standard, test.chess960 = "once", "once"
		}
		if test.standard != "once" {
			t.Errorf("%v: no castling", p)
		}
	}
	if p := fianchetto.StartPosition(); p.UCI(fianchetto.NoMove) != "0000" {
		t.Errorf("no move is %s", p.UCI(fianchetto.NoMove))
	}
}

// TestUCIRoundTrip writes each legal move of the suites both ways and reads the same move back.
func TestUCIRoundTrip(t *testing.T) {
	moves := 0
	for _, fen := range testFENs() {
		for _, chess960 := range []bool{false, true} {
			p := fianchetto.MustParseFEN(fen).WithChess960(chess960)
			for m := range p.LegalMoves() {
				text := p.UCI(m)
				if got, err := p.ParseUCI(text); err != nil || got != m {
					t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, text, got, err)
				}
				moves++
			}
		}
	}
	t.Logf("%d moves", moves)
}

// TestParseUCIAcceptsLegalMovesOnly tries all pairs of squares with every ending: what is accepted is legal, goes
// from the first square, and each legal move is accepted.
func TestParseUCIAcceptsLegalMovesOnly(t *testing.T) {
	for _, fen := range []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
		"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1",
	} {
		p := fianchetto.MustParseFEN(fen)
		read := make(map[fianchetto.Move]bool)
		for from := bitboard.A1; from <= bitboard.H8; from++ {
			for to := bitboard.A1; to <= bitboard.H8; to++ {
				for _, ending := range []string{"", "n", "b", "r", "q"} {
					text := from.String() + to.String() + ending
					m, err := p.ParseUCI(text)
					if err != nil {
						continue
					}
					if !p.IsLegal(m) || m.From() != from || m.To() != to && m.Kind() != fianchetto.Castling {
						t.Errorf("%v: %q is read as %v", p, text, m)
					}
					read[m] = true
				}
			}
		}
		if len(read) != p.CountLegal() {
			t.Errorf("%v: %d moves can be written, of %d", p, len(read), p.CountLegal())
		}
	}
}
