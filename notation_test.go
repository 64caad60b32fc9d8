package fianchetto_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestSAN writes moves each way.
func TestSAN(t *testing.T) {
	for _, test := range []struct{ fen, uci, san, lan string }{
		{fianchetto.StartFEN, "e2e4", "e4", "e2-e4"},
		{fianchetto.StartFEN, "g1f3", "Nf3", "Ng1-f3"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5e6", "e6", "e5-e6"},
		{"3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q", "e7xd8=Q"},
		{"3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8r", "exd8=R+", "e7xd8=R+"},
		{"7k/4P3/6K1/8/8/8/8/8 w - - 0 1", "e7e8q", "e8=Q#", "e7-e8=Q#"},
		{"4k3/8/8/8/8/8/3p2K1/8 b - - 0 1", "d2d1n", "d1=N", "d2-d1=N"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+"},
		{"8/8/8/8/8/8/7R/2kbK2R w K - 0 1", "e1g1", "O-O", "O-O"},
		{"2R5/8/8/8/8/8/4R3/R3K1k1 w Q - 0 1", "e1c1", "O-O-O#", "O-O-O#"},
		{"4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "e1g1", "O-O", "O-O"}, // Chess960
		{"4k3/8/8/8/8/8/8/1RK3R1 w BG - 0 1", "c1b1", "O-O-O", "O-O-O"},
		{"4k3/8/8/8/8/8/8/1RK3R1 w BG - 0 1", "c1d1", "Kd1", "Kc1-d1"},
		{"6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1", "Ra1-d1"},
		{"6k1/4R3/8/8/8/8/8/4R1K1 w - - 0 1", "e1e4", "R1e4", "Re1-e4"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "e4e1", "Qee1", "Qe4-e1"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "h1e1", "Q1e1", "Qh1-e1"},
		{"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2", "Ng1-e2"}, // the knight on c3 is pinned
		{"rnb1kbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "a7a6", "a6", "a7-a6"},
		{"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#", "Qd8-h4#"},
		{"8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6+", "e5xd6+"}, // both pawns leave the rank
		{fianchetto.StartFEN, "0000", "--", "--"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m := fianchetto.NoMove
		if test.uci != "0000" {
			m = mustParseUCI(t, &p, test.uci)
		}
		if san, lan := p.SAN(m), p.LAN(m); san != test.san || lan != test.lan {
			t.Errorf("%v: %v is %s, %s; want %s, %s", p, m, san, lan, test.san, test.lan)
		}
		if got := string(p.AppendSAN([]byte("1. "), m)); got != "1. "+test.san {
			t.Errorf("%v: %v appended is %q", p, m, got)
		}
		if got := p.LAN(m); got != test.lan {
			t.Errorf("%v: %v appended is %q", p, m, got)
		}
	}
}

func mustParseUCI(t testing.TB, p *fianchetto.Position, text string) fianchetto.Move {
	t.Helper()
	m, err := p.ParseUCI(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The tests of this file find the bishop of Bb3 as "Finding Bishop Moves" sets out to: by the colour of the square, by
// the squares passed over, and with two bishops on squares of one colour.

// TestBishopIsFoundByTheColorOfItsSquare has b3, a light square, for a target: the bishop on dark squares is not meant,
// however near it stands.
func TestBishopIsFoundByTheColorOfItsSquare(t *testing.T) {
	for _, test := range []struct {
		fen  string
		from fianchetto.Square
	}{
		{"2k5/3pp3/3bb3/8/8/8/8/4K3 b - - 0 1", bitboard.E6}, // Black's queen's bishop is the one on light squares
		{"4k3/8/8/8/8/2B5/B7/4K3 w - - 0 1", bitboard.A2},    // as is White's king's bishop
		{"4k3/8/8/8/B7/1B6/8/4K3 b - - 0 1", bitboard.NoSquare},
		{"4k3/8/8/8/8/2B5/1B6/4K3 w - - 0 1", bitboard.NoSquare}, // both on dark squares
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m, err := p.ParseSAN("Bb3")
		if test.from == bitboard.NoSquare {
			if !errors.Is(err, fianchetto.ErrIllegalMove) {
				t.Errorf("%v: Bb3 is read as %v, %v", p, m, err)
			}
			continue
		}
		if err != nil || m.From() != test.from || p.SAN(m) != "Bb3" {
			t.Errorf("%v: Bb3 is read as %v, %v, and written %s", p, m, err, p.SAN(m))
		}
		if bishops := p.Pieces(p.SideToMove(),
			fianchetto.Bishop) & bitboard.LightSquares; bishops != test.from.Bitboard() {
			t.Errorf("%v: the bishops on the colour of b3 are\n%v", p, bishops)
		}
	}
}

// TestBishopsOfOneColorAfterUnderpromotion promotes to a second bishop on light squares, and to a third: what the
// colour does not distinguish, the file does, or the rank, or only both.
func TestBishopsOfOneColorAfterUnderpromotion(t *testing.T) {
	p := mustPlay(t, fianchetto.MustParseFEN("7k/P1P5/8/8/8/8/8/K4B2 w - - 0 1"), "c8=B", "Kg7")
	checkNotations(t, &p, "Bb5", "Bb7", "Bc4", "Bca6", "Bch3", "Bd3", "Bd7", "Be2", "Be6", "Bf5", "Bfa6", "Bfh3", "Bg2",
		"Bg4")
	checkAmbiguous(t, &p, "Ba6", "c8a6", "f1a6")
	checkAmbiguous(t, &p, "Bxh3+", "c8h3", "f1h3")

	p = mustPlay(t, p, "a8=B", "Kh8", "Bfa6", "Kg7") // the three of them see b7
	checkNotations(t, &p, "B6b7", "Ba8b7", "Bcb7", "Bb5", "Bc4", "Bc6", "Bd3", "Bd5", "Bd7", "Be2", "Be4", "Be6", "Bf1",
		"Bf3",
		"Bf5", "Bg2", "Bg4", "Bh1", "Bh3")
	checkAmbiguous(t, &p, "Bb7", "a6b7", "a8b7", "c8b7")
	checkAmbiguous(t, &p, "Bab7", "a6b7", "a8b7")
	checkAmbiguous(t, &p, "B8b7", "a8b7", "c8b7")
}

// mustPlay plays moves.
func mustPlay(t *testing.T, p fianchetto.Position, texts ...string) fianchetto.Position {
	t.Helper()
	for _, text := range texts {
		m, err := p.ParseSAN(text)
		if err != nil {
			t.Fatal(err)
		}
		p = p.After(m)
	}
	return p
}

// checkNotations holds the bishops' moves to these notations.
func checkNotations(t *testing.T, p *fianchetto.Position, want ...string) {
	t.Helper()
	var got []string
	for m := range p.LegalMoves() {
		if m.Piece() == fianchetto.Bishop {
			got = append(got, p.SAN(m))
		}
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("%v: the bishops' moves are %v, want %v", p, got, want)
	}
}

// checkAmbiguous holds a text to fitting two moves or more, given as UCI writes them.
func checkAmbiguous(t *testing.T, p *fianchetto.Position, text string, want ...string) {
	t.Helper()
	m, err := p.ParseSAN(text)
	var several *fianchetto.MoveError
	if m != fianchetto.NoMove || !errors.As(err, &several) || !errors.Is(err, fianchetto.ErrAmbiguousMove) {
		t.Fatalf("%v: %q is read as %v, %v", p, text, m, err)
	}
	var got []string
	for _, candidate := range several.Candidates {
		got = append(got, p.UCI(candidate))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%v: %q may be %v, want %v", p, text, got, want)
	}
}

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
	p := fianchetto.MustParseFEN("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
	checkRefusals(t, &p, p.ParseUCI, fianchetto.ErrMoveSyntax, ":0 e:1 e1:2 e1e:3 i1e2:0 e0e2:1 e1x2:2 e1e9:3 E1E2:0 "+
		"b7b8k:4 b7b8Q:4 b7b8=q:4 b7b8qq:5 e1e2|:4 |e1e2:0 e1–e2:2 O-O:0 \x00\x00\x00\x00:0")
	// An empty square, the opponent's king, and moves that are none.
	checkRefusals(t, &p, p.ParseUCI, fianchetto.ErrIllegalMove, "0000:0 e3e4:0 e8e7:0 a1a1:2 e1e3:2 e1b1:2 a1h1:2 b7b8:4 "+
		"e1e2q:4")
}

// checkRefusals holds the refusals of some texts, each with its offset, to their problem and what the message must
// name. A | stands for a space.
func checkRefusals(t *testing.T, p *fianchetto.Position, parse func(string) (fianchetto.Move, error),
	problem fianchetto.Problem, texts string) {
	t.Helper()
	for _, text := range strings.Fields(texts) {
		colon := strings.LastIndexByte(text, ':')
		offset, err := strconv.Atoi(text[colon+1:])
		if err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text[:colon], "|", " ")
		m, err := parse(text)
		var refusal *fianchetto.MoveError
		if m != fianchetto.NoMove || !errors.As(err, &refusal) || !errors.Is(err, problem) {
			t.Errorf("%v: %q is read as %v, %v; want %q", p, text, m, err, problem)
			continue
		}
		if refusal.Offset != offset || refusal.Input != text || refusal.FEN != p.FEN() {
			t.Errorf("%q: offset %d, want %d: %v", text, refusal.Offset, offset, err)
		}
		for _, part := range []string{strconv.Quote(text), "offset " + strconv.Itoa(offset), p.FEN()} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v\ndoes not say %s", err, part)
			}
		}
		for _, other := range []error{fianchetto.ErrMoveSyntax, fianchetto.ErrIllegalMove, fianchetto.ErrAmbiguousMove} {
			if errors.Is(err, other) != (other == problem) {
				t.Errorf("%v has another cause, %v", err, other)
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
		m := mustParseUCI(t, &p, test.chess960)
		standard, chess960 := p.WithChess960(false), p.WithChess960(true)
		if a, b := standard.UCI(m), chess960.UCI(m); a != test.standard || b != test.chess960 {
			t.Errorf("%v: %v is %s, in Chess960 %s, want %s and %s", p, m, a, b, test.standard, test.chess960)
		}
	}
	if p := fianchetto.StartPosition(); p.UCI(fianchetto.NoMove) != "0000" {
		t.Errorf("no move is %s", p.UCI(fianchetto.NoMove))
	}
}
