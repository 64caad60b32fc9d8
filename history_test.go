package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestRepetitionsAgreeWithOracle plays games at random, often forth and back again, and counts
// every earlier position since the last null move that is the same. Now and then a clone of the
// history takes over, while the original is overwritten.
func TestRepetitionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	fens := difftest.FENs(difftest.Breadth(500), 11)
	counts, upcoming := make(map[int]int), 0
	for game := range difftest.Breadth(300) {
		random := rand.New(rand.NewPCG(10, uint64(game)))
		n := difftest.MustRead(fens[random.IntN(len(fens))])
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
			now, want, since := n.Oracle.Identity(), 0, 0
			if random.IntN(10) == 0 {
				original, p := history, fianchetto.StartPosition()
				history = *original.Clone()
				for range seen {
					original.Pop()
				}
				for range seen {
					original.Push(&p)
					p = p.Null()
				}
			}
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
			seen = append(seen, now)
			if game%4 == 0 && random.IntN(20) == 0 && !n.Pos.InCheck() {
				history.PushNull(&n.Pos)
				clear(seen)
				n = difftest.MustRead(n.Pos.Null().FEN())
				continue
			}
			m := n.Moves[random.IntN(len(n.Moves))]
			last := mine[n.Pos.SideToMove()]
			if back := fianchetto.NewMove(last.To(), last.From(), last.Kind()); random.IntN(4) > 0 &&
				n.Pos.IsLegal(back) {
				m = back
			}
			mine[n.Pos.SideToMove()] = m
			history.Push(&n.Pos)
			n = n.After(slices.Index(n.Moves, m))
		}
	}
	t.Logf("positions by how often they have been there: %v; %d with an upcoming repetition", counts, upcoming)
	if min(counts[1], counts[2], counts[3], upcoming) < 10 {
		t.Errorf("too few repetitions: %v", counts)
	}
}

// repeatsNext makes every legal move and looks for repetitions.
func repeatsNext(h *fianchetto.History, n *difftest.Node) bool {
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
	with := must.Get(s.Position())(t)
	return with.WithChess960(p.IsChess960())
}

// play makes moves and keeps the positions before them.
func play(t testing.TB, p fianchetto.Position, h *fianchetto.History, moves string) fianchetto.Position {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m := must.Get(p.ParseUCI(text))(t)
		h.Push(&p)
		p = p.After(m)
	}
	return p
}

// A search takes a position that has been there once for a draw; the rules wait for the third time.
func ExampleHistory() {
	history := new(fianchetto.History)
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

// For a search, a position that repeats one of its own is a draw at once; one that repeats a
// position of the game is not.
func ExampleHistory_SetRoot() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves g1f3 g8f6 f3g1 f6g8", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	history, pos := game.History(), game.Position()
	history.SetRoot()
	fmt.Println("before the search:", history.IsRepetition(&pos))
	for _, text := range []string{"b1c3", "b8c6", "c3b1", "c6b8"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		history.Push(&pos)
		pos = pos.After(m)
	}
	fmt.Println("repeated within the search:", history.IsRepetition(&pos))
	// Output:
	// before the search: false
	// repeated within the search: true
}
