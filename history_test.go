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
// every earlier position since the last null move that is the same.
func TestRepetitionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	fens := difftest.FENs(difftest.Breadth(500), 11)
	counts, upcoming := make(map[int]int), 0
	for game := range difftest.Breadth(300) {
		random := rand.New(rand.NewPCG(10, uint64(game)))
		w := &wandering{Node: difftest.MustRead(fens[random.IntN(len(fens))]), random: random}
		w.Pos = withClocks(t, w.Pos, random.IntN(3)) // plies before the history
		for ply := range 80 {
			if ply == 20 || ply == 40 {
				w.root = ply
				w.history.SetRoot()
			}
			if random.IntN(10) == 0 {
				w.clone()
			}
			want, since := w.repetitions()
			if got := w.history.Repetitions(&w.Pos); got != want {
				t.Fatalf("%v has been there %d times, want %d", w.Pos, got, want)
			}
			if got := w.history.IsRepetition(&w.Pos); got != (since > 0 || want > 1) {
				t.Fatalf("%v has been there %d times, %d since the root: a draw %v", w.Pos, want, since, got)
			}
			if wanted := repeatsNext(&w.history, w.Node); w.history.HasUpcomingRepetition(&w.Pos) != wanted {
				t.Fatalf("%v has an upcoming repetition: %v, want %v", w.Pos, !wanted, wanted)
			} else if wanted {
				upcoming++
			}
			counts[want]++
			if len(w.Moves) == 0 {
				break
			}
			w.move(game%4 == 0 && random.IntN(20) == 0)
		}
	}
	t.Logf("positions by how often they have been there: %v; %d with an upcoming repetition", counts, upcoming)
	if min(counts[1], counts[2], counts[3], upcoming) < 10 {
		t.Errorf("too few repetitions: %v", counts)
	}
}

// wandering is a random game, its history, and the positions that it has seen since the last null
// move.
type wandering struct {
	*difftest.Node
	random  *rand.Rand
	history fianchetto.History
	seen    []string // "" before a null move
	root    int
	mine    [2]fianchetto.Move // the last move of each side
}

// repetitions counts the seen positions that are the same: all, and those since the root.
func (w *wandering) repetitions() (all, since int) {
	for i, earlier := range w.seen {
		if earlier == w.Oracle.Identity() {
			if all++; i >= w.root {
				since++
			}
		}
	}
	return all, since
}

// clone lets a clone of the history take over, and overwrites the original.
func (w *wandering) clone() {
	original, p := w.history, fianchetto.StartPosition()
	w.history = *original.Clone()
	for range w.seen {
		original.Pop()
	}
	for range w.seen {
		original.Push(&p)
		p = p.Null()
	}
}

// move makes a null move, if it is asked for and possible, or any move, often one back.
func (w *wandering) move(null bool) {
	w.seen = append(w.seen, w.Oracle.Identity())
	side := w.Pos.SideToMove()
	if null && !w.Pos.InCheck() {
		w.history.PushNull(&w.Pos)
		clear(w.seen)
		w.Node = difftest.MustRead(w.Pos.Null().FEN())
		return
	}
	m, last := w.Moves[w.random.IntN(len(w.Moves))], w.mine[side]
	if back := fianchetto.NewMove(last.To(), last.From(), last.Kind()); w.random.IntN(4) > 0 && w.Pos.IsLegal(back) {
		m = back
	}
	w.mine[side] = m
	w.history.Push(&w.Pos)
	w.Node = w.After(slices.Index(w.Moves, m))
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
