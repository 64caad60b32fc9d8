package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
)

// sameness is what two positions must share to be the same by the laws of chess: pieces, side to move, castling rights,
// and the en-passant square if the oracle has a capture on it.
func sameness(n *agreement.Node) string {
	fields := strings.Fields(n.Oracle.ShredderFEN())
	capturable := false
	for _, m := range n.Legal {
		capturable = capturable || m.To == n.Oracle.EnPassant() && m.From.File() != m.To.File() &&
			n.Oracle.PieceAt(m.From).Type() == fianchetto.Pawn
	}
	if !capturable {
		fields[3] = "-"
	}
	return strings.Join(fields[:4], " ")
}

// TestRepetitionsAgreeWithOracle plays games at random, often forth and back again, and counts every earlier position
// that is the same.
func TestRepetitionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	fens := testFENs()
	counts, upcoming := make(map[int]int), 0
	for game := range agreement.Breadth(300) {
		random := rand.New(rand.NewPCG(10, uint64(game)))
		n := agreement.MustRead(fens[random.IntN(len(fens))])
		n.Pos = withClocks(t, n.Pos, random.IntN(3)) // plies that nobody has seen
		var history fianchetto.History
		var seen []string
		var mine [2]fianchetto.Move // the last move of each side
		root := 0
		for ply := range 80 {
			if ply == 20 || ply == 40 {
				root = ply
				history.SetRoot()
			}
			now, want, since := sameness(n), 0, 0
			for i, earlier := range seen {
				if earlier == now {
					want++
					if i >= root {
						since++
					}
				}
			}
			if got := history.Repetitions(&n.Pos); got != want {
				t.Fatalf("%v has been there %d times, want %d", n.Pos, got, want)
			}
			if got := history.IsRepetition(&n.Pos); got != (since > 0 || want > 1) {
				t.Fatalf("%v has been there %d times, %d since the root: a draw %v", n.Pos, want, since, got)
			}
			if wanted := repeatsNext(&history, n); history.HasUpcomingRepetition(&n.Pos) != wanted {
				t.Fatalf("%v has an upcoming repetition: %v, want %v", n.Pos, !wanted, wanted)
			} else if wanted {
				upcoming++
			}
			counts[want]++
			if len(n.Moves) == 0 {
				break
			}
			m := n.Moves[random.IntN(len(n.Moves))]
			last := mine[n.Pos.SideToMove()]
			if back := fianchetto.NewMove(last.To(), last.From(), last.Kind()); random.IntN(4) > 0 &&
				n.Pos.IsLegal(back) {
				m = back
			}
			mine[n.Pos.SideToMove()] = m
			history.Push(&n.Pos)
			seen = append(seen, now)
			n = n.After(slices.Index(n.Moves, m))
		}
		if history.Len() != len(seen) {
			t.Fatalf("%d positions of %d", history.Len(), len(seen))
		}
	}
	t.Logf("positions by how often they have been there: %v; %d with an upcoming repetition", counts, upcoming)
	if min(counts[1], counts[2], counts[3], upcoming) < 10 {
		t.Errorf("too few repetitions: %v", counts)
	}
}

// TestTruncate goes back to earlier lengths of a game in which one position comes again and again.
func TestTruncate(t *testing.T) {
	const twice = "g1f3 g8f6 f3g1 f6g8"
	h := fianchetto.NewHistory(16)
	p := play(t, fianchetto.StartPosition(), h, twice)
	last := play(t, p, h, twice)
	h.SetRoot()
	for want, now := range map[int]fianchetto.Position{2: last, 1: p, 0: fianchetto.StartPosition()} {
		c := h.Clone()
		c.Truncate(4 * want)
		if got := c.Repetitions(&now); c.Len() != 4*want || got != want || c.IsRepetition(&now) != (want > 1) {
			t.Errorf("%d positions left, %d repetitions, want %d", c.Len(), got, want)
		}
	}
	h.Truncate(0)
	if p = play(t, fianchetto.StartPosition(), h, twice); !h.IsRepetition(&p) {
		t.Error("the root is beyond the end of an emptied history")
	}
}

// repeatsNext makes every legal move and looks for repetitions.
func repeatsNext(h *fianchetto.History, n *agreement.Node) bool {
	h.Push(&n.Pos)
	defer h.Pop()
	for _, m := range n.Moves {
		if next := n.Pos.After(m); h.IsRepetition(&next) {
			return true
		}
	}
	return false
}

// withClocks returns the position with a halfmove clock.
func withClocks(t *testing.T, p fianchetto.Position, halfmove int) fianchetto.Position {
	t.Helper()
	s := p.Setup()
	s.HalfmoveClock = halfmove
	with := must(s.Position())(t)
	return with.WithChess960(p.IsChess960())
}

// play makes moves and keeps the positions before them.
func play(t testing.TB, p fianchetto.Position, h *fianchetto.History, moves string) fianchetto.Position {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m := must(p.ParseUCI(text))(t)
		h.Push(&p)
		p = p.After(m)
	}
	return p
}

// TestRepetitionAndEnPassant has en-passant squares that count and such that do not: the position right after the
// double push comes again, without the square.
func TestRepetitionAndEnPassant(t *testing.T) {
	for _, test := range []struct {
		name, fen, moves string
		want             int
	}{
		{"a capture", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e1e2 e7e8 e2e1", 0},
		{"no pawn beside", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e1e2 e7e8 e2e1", 1},
		{"a pinned pawn beside", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4 d8c8 d1b1 c8d8 b1d1", 1},
		{"both leave the rank of the king", "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4 a4a3 e1d1 a3a4 d1e1", 1},
	} {
		var history fianchetto.History
		p := play(t, fianchetto.MustParseFEN(test.fen), &history, test.moves)
		if got := history.Repetitions(&p); got != test.want {
			t.Errorf("%s: %v has been there %d times, want %d", test.name, p, got, test.want)
		}
	}
}

func TestHistoryForgets(t *testing.T) {
	const shuffle = "b1c3 b8c6 c3b1 c6b8 "
	history := fianchetto.NewHistory(64)
	p := play(t, fianchetto.StartPosition(), history, shuffle+shuffle)
	if got := history.Repetitions(&p); got != 2 {
		t.Fatalf("%d repetitions", got)
	}
	other := history.Clone()
	for range 4 {
		history.Pop()
	}
	if got := history.Repetitions(&p); got != 1 || history.Len() != 4 {
		t.Errorf("after Pop %d repetitions, %d positions", got, history.Len())
	}
	start := fianchetto.StartPosition()
	history.Push(&start)
	if got := other.Repetitions(&p); got != 2 || other.Len() != 8 {
		t.Errorf("the clone has %d repetitions, %d positions", got, other.Len())
	}
	// What comes after a null move repeats nothing from before, even if it looks alike.
	*history = fianchetto.History{}
	p = play(t, start, history, shuffle)
	history.PushNull(&p)
	p = p.Null()
	history.PushNull(&p)
	p = p.Null()
	if got := history.Repetitions(&p); got != 0 {
		t.Errorf("after two null moves %d repetitions", got)
	}
	p = play(t, p, history, shuffle)
	if got := history.Repetitions(&p); got != 1 {
		t.Errorf("after two null moves and four moves %d repetitions", got)
	}
}

// A search takes a position that has been there once for a draw; the rules wait for the third time.
func ExampleHistory() {
	history := fianchetto.NewHistory(256)
	pos := fianchetto.StartPosition()
	for i, text := range strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8") {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		history.Push(&pos)
		pos = pos.After(m)
		fmt.Println(i+1, text, history.Repetitions(&pos), pos.Status(history))
	}
	// Output:
	// 1 g1f3 0 ongoing
	// 2 g8f6 0 ongoing
	// 3 f3g1 0 ongoing
	// 4 f6g8 1 ongoing
	// 5 g1f3 1 ongoing
	// 6 g8f6 1 ongoing
	// 7 f3g1 1 ongoing
	// 8 f6g8 2 threefold repetition
}
