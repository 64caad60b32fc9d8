package fianchetto_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestNoMove writes the move that is none; agreement_test.go has all others.
func TestNoMove(t *testing.T) {
	p := fianchetto.StartPosition()
	san, lan, uci := p.SAN(fianchetto.NoMove), p.LAN(fianchetto.NoMove), p.UCI(fianchetto.NoMove)
	if san != "--" || lan != "--" || uci != "0000" || fianchetto.NoMove.String() != "0000" {
		t.Errorf("no move is %s, %s, %s, %v", san, lan, uci, fianchetto.NoMove)
	}
}

// TestBishopIsFoundByTheColorOfItsSquare finds the bishop of Bb3 as "Finding Bishop Moves" sets out to: b3 is a light
// square, so that the bishop on dark squares is not meant, however near it stands.
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

// TestParseUCI reads castlings by the king's target, in Chess960 too, unless the king may step there.
func TestParseUCI(t *testing.T) {
	const beside = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1" // the king on f1 may step to g1, or castle to it
	for _, test := range []struct {
		fen, text string
		from, to  fianchetto.Square
		kind      fianchetto.MoveKind
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", bitboard.E1, bitboard.H1, fianchetto.Castling},
		{"r3k2r/8/8/8/8/8/8/R3K2R b HAha - 0 1", "e8c8", bitboard.E8, bitboard.A8, fianchetto.Castling},
		{beside, "f1g1", bitboard.F1, bitboard.G1, fianchetto.KingMove},
		{beside, "f1c1", bitboard.F1, bitboard.A1, fianchetto.Castling},
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
		offset := must(strconv.Atoi(text[colon+1:]))(t)
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
		m := must(p.ParseUCI(test.chess960))(t)
		standard, chess960 := p.WithChess960(false), p.WithChess960(true)
		if a, b := standard.UCI(m), chess960.UCI(m); a != test.standard || b != test.chess960 {
			t.Errorf("%v: %v is %s, in Chess960 %s, want %s and %s", p, m, a, b, test.standard, test.chess960)
		}
	}
}
