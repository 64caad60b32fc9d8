package fianchetto_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// figurines has the chess symbols of Unicode for the letters of the pieces, which are read, too.
var figurines = strings.NewReplacer("K", "♔", "Q", "♕", "R", "♜", "B", "♗", "N", "♞")

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

// checkNotation writes every legal move of a node and reads it back: as the oracle writes it, no two alike, the same
// move again.
func (n *node) checkNotation(t *testing.T) {
	t.Helper()
	seen := make(map[string]fianchetto.Move, len(n.moves))
	for _, m := range n.moves {
		san := n.pos.SAN(m)
		if want := n.slow.SAN(slowMove(m)); san != want {
			t.Fatalf("%v: %v is written %s, the oracle says %s", n.pos, m, san, want)
		}
		if other, taken := seen[san]; taken {
			t.Fatalf("%v: %v and %v are both written %s", n.pos, m, other, san)
		}
		seen[san] = m
		for _, text := range []string{san, n.pos.LAN(m), figurines.Replace(san), slowMove(m).String()} {
			if got, err := n.pos.ParseSAN(text); err != nil || got != m {
				t.Fatalf("%v: %v is written %q and read as %v, %v", n.pos, m, text, got, err)
			}
			if got, err := n.pos.ParseSANBytes([]byte(text)); err != nil || got != m {
				t.Fatalf("%v: %v is written %q and read from bytes as %v, %v", n.pos, m, text, got, err)
			}
		}
	}
}

// TestSANInTrees writes and reads the moves of every position of the suites, and of some that follow.
func TestSANInTrees(t *testing.T) {
	t.Parallel()
	nodes := 0
	for i, fen := range testFENs() {
		root := newNode(t, fen)
		root.checkNotation(t)
		random := rand.New(rand.NewPCG(6, uint64(i)))
		for _, j := range random.Perm(len(root.moves))[:min(2*testScale, len(root.moves))] {
			next := root.after(root.moves[j])
			next.checkNotation(t)
			nodes++
		}
		nodes++
	}
	t.Logf("%d nodes", nodes)
}

// TestSANInPlayouts writes and reads the moves of random games, of Chess960 too.
func TestSANInPlayouts(t *testing.T) {
	t.Parallel()
	playouts(t, 7, 40*testScale, 120, func(n *node) { n.checkNotation(t) })
}

// TestSANRoundTrip reads back what is written at every node one move below every position of the suites, two in the long
// tests. A move that is read back is written like no other.
func TestSANRoundTrip(t *testing.T) {
	t.Parallel()
	moves := 0
	var text [16]byte
	var walk func(p *fianchetto.Position, depth int)
	walk = func(p *fianchetto.Position, depth int) {
		for _, m := range p.AppendLegal(nil) {
			san := p.AppendSAN(text[:0], m)
			if got, err := p.ParseSANBytes(san); err != nil || got != m {
				t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, san, got, err)
			}
			lan := []byte(p.LAN(m))
			if got, err := p.ParseSANBytes(lan); err != nil || got != m {
				t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, lan, got, err)
			}
			moves++
			if depth > 0 {
				next := p.After(m)
				walk(&next, depth-1)
			}
		}
	}
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		walk(&p, 1+testScale/10)
	}
	t.Logf("%d moves", moves)
}

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
			t.Errorf("%v: Bb3 is read as %v, %v, and written %s", p, m, err, p.SAN(m))
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
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		for m := range p.LegalMoves() {
			if m.Piece() != fianchetto.Bishop {
				continue
			}
			passed := bitboard.Between(m.From(), m.To()).With(m.From()).With(m.To())
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

// TestBishopsOfOneColorAfterUnderpromotion promotes to a second bishop on light squares, and to a third: what the colour
// does not distinguish, the file does, or the rank, or only both.
func TestBishopsOfOneColorAfterUnderpromotion(t *testing.T) {
	p := mustPlay(t, fianchetto.MustParseFEN("7k/P1P5/8/8/8/8/8/K4B2 w - - 0 1"), "c8=B", "Kg7")
	checkNotations(t, &p, "Bb5", "Bb7", "Bc4", "Bca6", "Bch3", "Bd3", "Bd7", "Be2", "Be6", "Bf5", "Bfa6", "Bfh3", "Bg2", "Bg4")
	checkAmbiguous(t, &p, "Ba6", "c8a6", "f1a6")
	checkAmbiguous(t, &p, "Bxh3+", "c8h3", "f1h3")

	p = mustPlay(t, p, "a8=B", "Kh8", "Bfa6", "Kg7") // the three of them see b7
	checkNotations(t, &p, "B6b7", "Ba8b7", "Bcb7", "Bb5", "Bc4", "Bc6", "Bd3", "Bd5", "Bd7", "Be2", "Be4", "Be6", "Bf1", "Bf3",
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

// TestPinnedBishopIsNoCandidate has two bishops on squares of one colour, one of them pinned: where the pin keeps it from, the
// other needs no distinction from it, and along the pin it does.
func TestPinnedBishopIsNoCandidate(t *testing.T) {
	free := fianchetto.MustParseFEN("7k/8/4B3/8/4B3/8/8/7K w - - 0 1")
	checkNotations(t, &free, "B4d5", "B4f5", "B6d5", "B6f5", "Ba2", "Ba8", "Bb1", "Bb3", "Bb7", "Bc2", "Bc4", "Bc6", "Bc8", "Bd3",
		"Bd7", "Bf3", "Bf7", "Bg2", "Bg4", "Bg6", "Bg8", "Bh3", "Bh7")
	checkAmbiguous(t, &free, "Bf5", "e4f5", "e6f5")

	along := fianchetto.MustParseFEN("b6k/8/4B3/8/4B3/8/8/7K w - - 0 1") // e4 may go along the diagonal, to d5 but not to f5
	checkNotations(t, &along, "B4d5", "B6d5", "Ba2", "Bb3", "Bb7", "Bc4", "Bc6", "Bc8", "Bd7", "Bf3", "Bf5", "Bf7", "Bg2", "Bg4",
		"Bg8", "Bh3", "Bxa8")
	checkAmbiguous(t, &along, "Bd5", "e4d5", "e6d5")
	checkRead(t, &along, "Bf5", "e6f5")
	checkRefusal(t, &along, "B4f5", 2, fianchetto.ErrIllegalMove)

	across := fianchetto.MustParseFEN("4r2k/8/8/8/8/8/2B1B3/4K3 w - - 0 1") // e2 may go nowhere
	checkNotations(t, &across, "Ba4", "Bb1", "Bb3", "Bd1", "Bd3", "Be4", "Bf5", "Bg6", "Bh7")
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
