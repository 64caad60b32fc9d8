package fianchetto_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// TestSAN spells moves each way.
func TestSAN(t *testing.T) {
	for _, test := range []struct{ fen, uci, san, lan, figurine string }{
		{fianchetto.StartFEN, "e2e4", "e4", "e2-e4", "e4"},
		{fianchetto.StartFEN, "g1f3", "Nf3", "Ng1-f3", "♘f3"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6", "exd6"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5e6", "e6", "e5-e6", "e6"},
		{"3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q", "e7xd8=Q", "exd8=♕"},
		{"3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8r", "exd8=R+", "e7xd8=R+", "exd8=♖+"},
		{"7k/4P3/6K1/8/8/8/8/8 w - - 0 1", "e7e8q", "e8=Q#", "e7-e8=Q#", "e8=♕#"},
		{"4k3/8/8/8/8/8/3p2K1/8 b - - 0 1", "d2d1n", "d1=N", "d2-d1=N", "d1=♞"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "O-O", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O", "O-O-O", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+", "O-O+"},
		{"8/8/8/8/8/8/7R/2kbK2R w K - 0 1", "e1g1", "O-O", "O-O", "O-O"},
		{"2R5/8/8/8/8/8/4R3/R3K1k1 w Q - 0 1", "e1c1", "O-O-O#", "O-O-O#", "O-O-O#"},
		{"4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "e1g1", "O-O", "O-O", "O-O"}, // Chess960
		{"4k3/8/8/8/8/8/8/1RK3R1 w BG - 0 1", "c1b1", "O-O-O", "O-O-O", "O-O-O"},
		{"4k3/8/8/8/8/8/8/1RK3R1 w BG - 0 1", "c1d1", "Kd1", "Kc1-d1", "♔d1"},
		{"6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1", "Ra1-d1", "♖ad1"},
		{"6k1/4R3/8/8/8/8/8/4R1K1 w - - 0 1", "e1e4", "R1e4", "Re1-e4", "♖1e4"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1", "♕h4e1"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "e4e1", "Qee1", "Qe4-e1", "♕ee1"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "h1e1", "Q1e1", "Qh1-e1", "♕1e1"},
		{"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2", "Ng1-e2", "♘e2"}, // the knight on c3 is pinned
		{"rnb1kbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "a7a6", "a6", "a7-a6", "a6"},
		{"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#", "Qd8-h4#", "♛h4#"},
		{"8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6+", "e5xd6+", "exd6+"}, // both pawns leave the rank
		{fianchetto.StartFEN, "0000", "--", "--", "--"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m := fianchetto.NoMove
		if test.uci != "0000" {
			m = mustParseUCI(t, &p, test.uci)
		}
		if san, lan, figurine := p.SAN(m), p.LAN(m), p.FigurineSAN(m); san != test.san || lan != test.lan || figurine != test.figurine {
			t.Errorf("%v: %v is %s, %s, %s; want %s, %s, %s", p, m, san, lan, figurine, test.san, test.lan, test.figurine)
		}
		if got := string(p.AppendSAN([]byte("1. "), m)); got != "1. "+test.san {
			t.Errorf("%v: %v appended is %q", p, m, got)
		}
		if got := string(p.AppendLAN([]byte("1. "), m)); got != "1. "+test.lan {
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

// slowSAN spells a move from the list of the oracle's legal moves, as the FIDE Laws of Chess say in appendix C.
func slowSAN(board oracle.Board, legal []oracle.Move, m oracle.Move) string {
	man := board.PieceAt(m.From)
	text := ""
	switch captured := board.PieceAt(m.To); {
	case captured != bitboard.NoPiece && captured.Color() == man.Color():
		text = "O-O"
		if m.To < m.From {
			text = "O-O-O"
		}
	case man.Type() == bitboard.Pawn:
		if m.From.File() != m.To.File() {
			text = m.From.File().String() + "x"
		}
		text += m.To.String()
		if m.Promotion != bitboard.NoPieceType {
			text += "=" + strings.ToUpper(bitboard.PieceOf(bitboard.Black, m.Promotion).String())
		}
	default:
		text = strings.ToUpper(man.String()) + slowOrigin(board, legal, m)
		if captured != bitboard.NoPiece {
			text += "x"
		}
		text += m.To.String()
	}
	switch after := board.Apply(m); {
	case after.IsCheckmate():
		text += "#"
	case after.InCheck():
		text += "+"
	}
	return text
}

// slowOrigin returns the shortest of nothing, file, rank and square that only this one of the men that may go there has.
func slowOrigin(board oracle.Board, legal []oracle.Move, m oracle.Move) string {
	rivals, onFile, onRank := 0, 0, 0
	for _, other := range legal {
		if other.To != m.To || other.From == m.From || board.PieceAt(other.From) != board.PieceAt(m.From) {
			continue
		}
		rivals++
		if other.From.File() == m.From.File() {
			onFile++
		}
		if other.From.Rank() == m.From.Rank() {
			onRank++
		}
	}
	switch {
	case rivals == 0:
		return ""
	case onFile == 0:
		return m.From.File().String()
	case onRank == 0:
		return m.From.Rank().String()
	}
	return m.From.String()
}

// checkNotation spells every legal move of a node and reads it back: as the oracle spells it, no two alike, the same
// move again.
func (n *node) checkNotation(t *testing.T) {
	t.Helper()
	legal := n.slow.LegalMoves()
	seen := make(map[string]fianchetto.Move, len(n.moves))
	for _, m := range n.moves {
		san := n.pos.SAN(m)
		if want := slowSAN(n.slow, legal, slowMove(m)); san != want {
			t.Fatalf("%v: %v is spelled %s, the oracle says %s", n.pos, m, san, want)
		}
		if other, taken := seen[san]; taken {
			t.Fatalf("%v: %v and %v are both spelled %s", n.pos, m, other, san)
		}
		seen[san] = m
		for _, text := range []string{san, n.pos.LAN(m), n.pos.FigurineSAN(m), slowMove(m).String()} {
			if got, err := n.pos.ParseSAN(text); err != nil || got != m {
				t.Fatalf("%v: %v is spelled %q and read as %v, %v", n.pos, m, text, got, err)
			}
			if got, err := n.pos.ParseSANBytes([]byte(text)); err != nil || got != m {
				t.Fatalf("%v: %v is spelled %q and read from bytes as %v, %v", n.pos, m, text, got, err)
			}
		}
	}
}

// TestSANInTrees spells and reads the moves of every position of the suites, and of some that follow.
func TestSANInTrees(t *testing.T) {
	t.Parallel()
	nodes := 0
	for i, c := range suites(t) {
		root := newNode(t, c.FEN)
		root.checkNotation(t)
		random := rand.New(rand.NewPCG(6, uint64(i)))
		for _, j := range random.Perm(len(root.moves))[:min(2*thoroughness, len(root.moves))] {
			next := root.after(root.moves[j])
			next.checkNotation(t)
			nodes++
		}
		nodes++
	}
	t.Logf("%d nodes", nodes)
}

// TestSANInPlayouts spells and reads the moves of random games, of Chess960 too.
func TestSANInPlayouts(t *testing.T) {
	t.Parallel()
	const games, plies = 40 * thoroughness, 120
	cases := suites(t)
	nodes := 0
	for game := range games {
		random := rand.New(rand.NewPCG(7, uint64(game)))
		n := newNode(t, cases[random.IntN(len(cases))].FEN)
		for range plies {
			n.checkNotation(t)
			nodes++
			if len(n.moves) == 0 {
				break
			}
			n = n.after(n.moves[random.IntN(len(n.moves))])
		}
	}
	t.Logf("%d nodes of %d games", nodes, games)
}

// TestSANRoundTrip reads back what is spelled at every node one move below every position of the suites, two in the long
// tests. A move that is read back is spelled like no other.
func TestSANRoundTrip(t *testing.T) {
	t.Parallel()
	moves := 0
	var text [16]byte
	var walk func(p *fianchetto.Position, depth int)
	walk = func(p *fianchetto.Position, depth int) {
		for _, m := range p.AppendLegal(nil) {
			san := p.AppendSAN(text[:0], m)
			if got, err := p.ParseSANBytes(san); err != nil || got != m {
				t.Fatalf("%v: %v is spelled %q and read as %v, %v", p, m, san, got, err)
			}
			lan := p.AppendLAN(text[:0], m)
			if got, err := p.ParseSANBytes(lan); err != nil || got != m {
				t.Fatalf("%v: %v is spelled %q and read as %v, %v", p, m, lan, got, err)
			}
			moves++
			if depth > 0 {
				next := p.After(m)
				walk(&next, depth-1)
			}
		}
	}
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		walk(&p, 1+thoroughness/10)
	}
	t.Logf("%d moves", moves)
}
