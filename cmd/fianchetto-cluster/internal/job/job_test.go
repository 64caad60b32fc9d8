package job

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// counted counts all tasks of a job and returns the ledger.
func counted(t *testing.T, j *Job) *Ledger {
	t.Helper()
	memory, err := NewMemory(4)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLedger(j)
	c := memory.NewCounter("w", perft.Auto)
	for want := range l.Wants() {
		task, err := DecodeTask(j.Task(want).Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Count(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		r, err = DecodeResult(r.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := l.Add(r); err != nil || v.Standing != Accepted {
			t.Fatal(v, err)
		}
	}
	return l
}

// TestTotalAndDivide counts jobs at every split, and with several batches, and holds total and divide against perft.
func TestTotalAndDivide(t *testing.T) {
	for _, test := range []struct {
		fen   string
		depth int
	}{
		{fianchetto.StartFEN, 5},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", 5},
		{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3},
		{"k7/8/1QK5/8/8/8/8/8 w - - 0 1", 4},
		{"k7/8/1QK5/8/8/8/8/8 b - - 0 1", 3},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		want, err := perft.Divide(pos, test.depth)
		if err != nil {
			t.Fatal(err)
		}
		for split := range min(test.depth+1, 5) {
			for _, batch := range []int{0, 7, MaxBatch} {
				j, err := New(t.Context(), Spec{FEN: test.fen, Depth: test.depth, Split: split, Batch: batch}, Options{Threads: 1 + split%3})
				if err != nil {
					t.Fatal(err)
				}
				s := counted(t, j).Summary()
				var total uint64
				for i, m := range want {
					total += m.Nodes
					if d := s.Divide[i]; d.Move != pos.UCI(m.Move) || d.Nodes != (Count{Lo: m.Nodes}) {
						t.Errorf("%s split %d batch %d: %v, want %s: %d", test.fen, split, batch, d, pos.UCI(m.Move), m.Nodes)
					}
				}
				if !s.Done || *s.Nodes != (Count{Lo: total}) || len(s.Divide) != len(want) {
					t.Errorf("%s split %d batch %d: %v, want %d", test.fen, split, batch, s.Nodes, total)
				}
			}
		}
	}
}

// TestCounterMethods asks counters for methods: they count by the one asked for, with a hash table for each that finds nothing of what
// another has left.
func TestCounterMethods(t *testing.T) {
	j, err := New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 5, Split: 1, Batch: 20}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := NewMemory(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, preferred := range []perft.Method{perft.TwoPly, perft.Plain} {
		c := memory.NewCounter("w", preferred)
		for _, asked := range []perft.Method{perft.Auto, perft.Plain, perft.TwoPly} {
			want := asked
			if asked == perft.Auto {
				want = preferred
			}
			r, err := c.Count(t.Context(), j.Task(Want{Method: asked}))
			if err != nil || r.Method != want {
				t.Fatalf("%v, preferring %v: counted by %v, %v", asked, preferred, r.Method, err)
			}
			if sum, err := r.Sum(); err != nil || sum.String() != "4865609" {
				t.Errorf("%v, preferring %v: %v, %v", asked, preferred, sum, err)
			}
		}
	}
	if len(memory.tables) != 2 || memory.tables[perft.Plain] == memory.tables[perft.TwoPly] {
		t.Errorf("%d tables for two methods", len(memory.tables))
	}
}

// TestBlockOf looks for each position of a frontier of several blocks, the last of each among them.
func TestBlockOf(t *testing.T) {
	var f frontier
	for _, length := range []int{3, 0, 1, 4} {
		f.append(block{positions: make([]core.State, length)})
	}
	i := 0
	for n := range f.blocks {
		for index := range f.blocks[n].positions {
			if b, got := f.blockOf(i); b != &f.blocks[n] || got != index {
				t.Errorf("position %d is number %d of a block of %d, want number %d of %d",
					i, got, len(b.positions), index, len(f.blocks[n].positions))
			}
			i++
		}
	}
	if i != 8 || f.len != 8 {
		t.Errorf("%d positions in blocks, length %d, want 8", i, f.len)
	}
}
