package fianchetto_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The tests of this file find the bishop of Bb3 as "Finding Bishop Moves" sets out to: by the colour of the square, by the
// squares passed over, and with two bishops on squares of one colour.

// TestBishopIsFoundByTheColorOfItsSquare has b3, a light square, for a target: the bishop on dark squares is not meant, however
// near it stands.
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
			t.Errorf("%v: Bb3 is read as %v, %v, and spelled %s", p, m, err, p.SAN(m))
		}
		if bishops := p.Pieces(p.SideToMove(), fianchetto.Bishop) & bitboard.LightSquares; bishops != test.from.Bitboard() {
			t.Errorf("%v: the bishops on the colour of b3 are\n%v", p, bishops)
		}
	}
}

// TestBishopsKeepTheColorOfTheirSquare looks at all bishops' moves of the suites, and at all squares they pass over.
func TestBishopsKeepTheColorOfTheirSquare(t *testing.T) {
	squaresOf := [2]fianchetto.Bitboard{fianchetto.White: bitboard.LightSquares, fianchetto.Black: bitboard.DarkSquares}
	moves := 0
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for m := range p.LegalMoves() {
			if m.Piece() != fianchetto.Bishop {
				continue
			}
			passed := m.Path().With(m.From()).With(m.To())
			if !passed.IsSubset(squaresOf[m.To().Color()]) {
				t.Errorf("%v: %v passes over\n%v", p, m, passed)
			}
			moves++
		}
	}
	if moves == 0 {
		t.Error("no bishop moves")
	}
}

// TestPath has the squares that are passed over, those from a8 to h1 among them.
func TestPath(t *testing.T) {
	for _, test := range []struct {
		fen, uci string
		want     fianchetto.Bitboard
	}{
		{"B2k4/8/8/8/8/8/8/3K4 w - - 0 1", "a8h1", bitboard.BitboardOf(bitboard.B7, bitboard.C6, bitboard.D5, bitboard.E4, bitboard.F3, bitboard.G2)},
		{"B2k4/8/8/8/8/8/8/3K4 w - - 0 1", "a8b7", bitboard.Empty},
		{"3k4/8/8/8/1b6/8/8/3K4 b - - 0 1", "b4f8", bitboard.BitboardOf(bitboard.C5, bitboard.D6, bitboard.E7)},
		{fianchetto.StartFEN, "e2e4", bitboard.E3.Bitboard()},
		{fianchetto.StartFEN, "e2e3", bitboard.Empty},
		{fianchetto.StartFEN, "b1c3", bitboard.Empty},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", bitboard.BitboardOf(bitboard.B1, bitboard.C1, bitboard.D1)},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m := mustParseUCI(t, &p, test.uci)
		if got := m.Path(); got != test.want {
			t.Errorf("%v: %v passes over\n%v", p, m, got)
		}
	}
}

// TestPathIsEmptyOfMen holds all moves of the suites to it: who passes over a square finds nobody there.
func TestPathIsEmptyOfMen(t *testing.T) {
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for m := range p.LegalMoves() {
			distance := bitboard.Distance(m.From(), m.To())
			switch {
			case m.Piece() == fianchetto.Knight && !m.Path().IsEmpty(),
				m.Piece() != fianchetto.Knight && m.Path().Len() != distance-1,
				m.Kind() != fianchetto.Castling && !m.Path().IsDisjoint(p.Occupancy()):
				t.Fatalf("%v: %v passes over\n%v", p, m, m.Path())
			}
		}
	}
}

// TestBishopsOfOneColorAfterUnderpromotion promotes to a second bishop on light squares, and to a third: what the colour
// does not tell apart the file does, or the rank, or only the square.
func TestBishopsOfOneColorAfterUnderpromotion(t *testing.T) {
	p := mustPlay(t, fianchetto.MustParseFEN("7k/P1P5/8/8/8/8/8/K4B2 w - - 0 1"), "c8=B", "Kg7")
	checkSpellings(t, &p, "Bb5", "Bb7", "Bc4", "Bca6", "Bch3", "Bd3", "Bd7", "Be2", "Be6", "Bf5", "Bfa6", "Bfh3", "Bg2", "Bg4")
	checkAmbiguous(t, &p, "Ba6", "c8a6", "f1a6")
	checkAmbiguous(t, &p, "Bxh3+", "c8h3", "f1h3")

	p = mustPlay(t, p, "a8=B", "Kh8", "Bfa6", "Kg7") // the three of them see b7
	checkSpellings(t, &p, "B6b7", "Ba8b7", "Bcb7", "Bb5", "Bc4", "Bc6", "Bd3", "Bd5", "Bd7", "Be2", "Be4", "Be6", "Bf1", "Bf3",
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

// checkSpellings holds the bishops' moves to these spellings.
func checkSpellings(t *testing.T, p *fianchetto.Position, want ...string) {
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

// checkAmbiguous holds a text to fitting two moves or more, given as UCI spells them.
func checkAmbiguous(t *testing.T, p *fianchetto.Position, text string, want ...string) {
	t.Helper()
	m, err := p.ParseSAN(text)
	var several *fianchetto.AmbiguityError
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

// TestPinnedBishopIsNoCandidate has two bishops on squares of one colour, one of them pinned: where the pin keeps it from, the
// other is not told from it, and along the pin it is.
func TestPinnedBishopIsNoCandidate(t *testing.T) {
	free := fianchetto.MustParseFEN("7k/8/4B3/8/4B3/8/8/7K w - - 0 1")
	checkSpellings(t, &free, "B4d5", "B4f5", "B6d5", "B6f5", "Ba2", "Ba8", "Bb1", "Bb3", "Bb7", "Bc2", "Bc4", "Bc6", "Bc8", "Bd3",
		"Bd7", "Bf3", "Bf7", "Bg2", "Bg4", "Bg6", "Bg8", "Bh3", "Bh7")
	checkAmbiguous(t, &free, "Bf5", "e4f5", "e6f5")

	along := fianchetto.MustParseFEN("b6k/8/4B3/8/4B3/8/8/7K w - - 0 1") // e4 may go along the diagonal, to d5 but not to f5
	checkSpellings(t, &along, "B4d5", "B6d5", "Ba2", "Bb3", "Bb7", "Bc4", "Bc6", "Bc8", "Bd7", "Bf3", "Bf5", "Bf7", "Bg2", "Bg4",
		"Bg8", "Bh3", "Bxa8")
	checkAmbiguous(t, &along, "Bd5", "e4d5", "e6d5")
	checkRead(t, &along, "Bf5", "e6f5")
	checkRefusal(t, &along, "B4f5", 2, fianchetto.ErrIllegalMove)

	across := fianchetto.MustParseFEN("4r2k/8/8/8/8/8/2B1B3/4K3 w - - 0 1") // e2 may go nowhere
	checkSpellings(t, &across, "Ba4", "Bb1", "Bb3", "Bd1", "Bd3", "Be4", "Bf5", "Bg6", "Bh7")
	checkRead(t, &across, "Bd3", "c2d3")
	checkRead(t, &across, "Bcd3", "c2d3")
	checkRefusal(t, &across, "Bed3", 2, fianchetto.ErrIllegalMove)
}

func checkRead(t *testing.T, p *fianchetto.Position, text, want string) {
	t.Helper()
	if m, err := p.ParseSAN(text); err != nil || p.UCI(m) != want {
		t.Errorf("%v: %q is read as %v, %v; want %s", p, text, m, err, want)
	}
}
