package job

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// counted counts all tasks of a job and returns the ledger.
func counted(t *testing.T, j *Job) *Ledger {
	t.Helper()
	c := must.Get(NewCounter(perft.Auto, 4))(t)
	l := NewLedger(j, false)
	for i := range j.Tasks {
		var task Task
		want, _ := l.Wanted(i)
		must.Do(t, Read(Line(j.Task(want)), &task))
		counted := must.Get(c.Count(t.Context(), "w", &task))(t)
		var r Result
		must.Do(t, Read(Line(counted), &r))
		if v, err := l.Add(&r); err != nil || !v || l.summary.TasksDone != want.Index+1 {
			t.Fatal(v, err)
		}
	}
	return l
}

// TestTotalAndDivide counts jobs at every split, and with several batches, and holds total and
// divide against perft.
func TestTotalAndDivide(t *testing.T) {
	defer func(before int) { partChildren = before }(partChildren)
	for _, test := range []struct {
		fen   string
		depth int
	}{
		{fianchetto.StartFEN, 5},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", 5},
		{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3},
		{"1rkr4/p5pP/8/2pPp3/8/8/PP3PPP/1RKR4 w DBdb e6 0 1", 3},
		{"k7/8/1QK5/8/8/8/8/8 w - - 0 1", 4},
		{"k7/8/1QK5/8/8/8/8/8 b - - 0 1", 3},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		want := must.Get(perft.Divide(pos, test.depth))(t)
		slices.SortFunc(want, func(a, b perft.MoveCount) int { return strings.Compare(pos.UCI(a.Move), pos.UCI(b.Move)) })
		for split := range min(test.depth+1, 5) {
			partChildren = []int{2 << 20, 1000, 64}[split%3]
			for _, batch := range []int{0, 7, MaxBatch} {
				spec := Spec{FEN: test.fen, Depth: test.depth, Split: split, Batch: batch}
				j := must.Get(New(t.Context(), spec, nil))(t)
				s := counted(t, j).Summary()
				var total uint64
				for i, m := range want {
					total += m.Nodes
					if d := s.Divide[i]; d.Move != pos.UCI(m.Move) || d.Nodes != (Count{Lo: m.Nodes}) {
						t.Errorf("%s split %d batch %d: %v, want %s: %d", test.fen, split, batch, d, pos.UCI(m.Move),
							m.Nodes)
					}
				}
				if !s.Done || s.Nodes != (Count{Lo: total}) || len(s.Divide) != len(want) {
					t.Errorf("%s split %d batch %d: %v, want %d", test.fen, split, batch, s.Nodes, total)
				}
			}
		}
	}
}

// TestCounterMethods asks counters for methods: they count by the one asked for, with a hash table
// for each that finds nothing of what another has left.
func TestCounterMethods(t *testing.T) {
	j := must.Get(New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 5, Split: 1, Batch: 20}, nil))(t)
	for _, preferred := range []perft.Method{perft.TwoPly, perft.Plain} {
		c := must.Get(NewCounter(preferred, 1))(t)
		for _, asked := range []perft.Method{perft.Auto, perft.Plain, perft.TwoPly} {
			want := cmp.Or(asked, preferred)
			r, err := c.Count(t.Context(), "w", j.Task(Want{Method: asked}))
			if err != nil || r.Method != want || r.Sum().String() != "4865609" {
				t.Fatalf("%v, preferring %v: %+v, %v", asked, preferred, r, err)
			}
		}
		if len(c.tables) != 2 || c.tables[perft.Plain] == c.tables[perft.TwoPly] {
			t.Errorf("%d tables for two methods", len(c.tables))
		}
		seed := func(m perft.Method) uint64 {
			return reflect.ValueOf(c.tables[m]).Elem().FieldByName("pairs").FieldByName("seed").Uint()
		}
		// With one seed, what one counts wrong by two keys that are equal the other would, too.
		if seed(perft.Plain) == seed(perft.TwoPly) {
			t.Error("the tables of two methods have one seed")
		}
	}
}

// TestPaths has more paths than fit into 64 bits, to one position and to several.
func TestPaths(t *testing.T) {
	const half = 1 << 63
	s := stateFrom(fianchetto.StartFEN)
	var b block
	if b.add(s, []pathCount{{1, half}}) != nil || b.add(s, []pathCount{{0, half - 1}}) != nil {
		t.Error("2^64-1 paths are refused")
	}
	if err := b.add(s, []pathCount{{2, 1}}); !errors.Is(err, ErrPaths) {
		t.Errorf("2^64 paths: %v", err)
	}
	for n, want := range map[uint64]error{half / 20: nil, half / 19: ErrPaths} {
		f := &frontier{blocks: []block{{}, {}}, size: 2}
		for i := range f.blocks {
			must.Do(t, f.blocks[i].add(s, []pathCount{{0, n}}))
		}
		if _, err := f.expand(t.Context(), math.MaxInt); !errors.Is(err, want) {
			t.Errorf("40 times %d paths: %v, want %v", n, err, want)
		}
	}
}

// TestBatchFor gives tasks about the 256th part of the run, but at least shortTask and at most
// longTask seconds, or one position.
func TestBatchFor(t *testing.T) {
	for _, test := range []struct {
		cost            float64
		positions, want int
	}{
		{100, 1, 1}, {shortTask / 4, 10, 4}, {1, 256 * 7, 7}, {4, 20000, 5}, {1e-9, 1 << 30, MaxBatch},
	} {
		if got := batchFor(test.cost, test.positions); got != test.want {
			t.Errorf("%d positions of %v s: %d, want %d", test.positions, test.cost, got, test.want)
		}
	}
}

// TestCut holds the number of tasks of jobs: their costs are estimated for the plies below the
// split.
func TestCut(t *testing.T) {
	for want, specs := range map[int][]Spec{1: {{Depth: 4, Split: 2}}, 6: {{Depth: 5, Split: 3, Batch: 1000}}, 13: {{Depth: 5, Split: 3}},
		269: {{Depth: 7, Split: 3}, {Depth: 8, Split: 3}}, 400: {{Depth: 8, Split: 2}}} {
		for _, spec := range specs {
			spec.FEN = fianchetto.StartFEN
			if j, err := New(t.Context(), spec, nil); err != nil || j.Tasks != want {
				t.Errorf("%+v: %d tasks, want %d, %v", spec, j.Tasks, want, err)
			}
		}
	}
}

// TestSplit chooses splits by the depth. They go no deeper than to where the next ply would be too
// large, unless a split is asked for.
func TestSplit(t *testing.T) {
	for depth, want := range map[int]int{1: 1, 6: 1, 7: 2, 8: 3, 10: 5, 11: 5, 12: 6, 14: 7, 20: 7} {
		if got := defaultSplit(depth); got != want {
			t.Errorf("depth %d: %d, want %d", depth, got, want)
		}
	}
	defer func(before int) { largeFrontier = before }(largeFrontier)
	for _, test := range []struct{ largest, split, want int }{
		{399, 0, 1}, {400, 0, 2}, {8901, 0, 2}, {8902, 0, 3}, {197281, 0, 3}, {100, 3, 3},
	} {
		largeFrontier = test.largest
		j, err := New(t.Context(), Spec{FEN: fianchetto.StartFEN, Depth: 8, Split: test.split}, nil)
		if err != nil || j.Spec.Split != test.want {
			t.Errorf("%+v: split %d, %v", test, j.Spec.Split, err)
		}
	}
}

// TestOrder compares two positions of which each has pieces on lower squares than the other, on one
// side.
func TestOrder(t *testing.T) {
	a, b := stateFrom("4k3/8/8/8/8/8/8/K7 w - - 0 1"), stateFrom("k7/8/8/8/8/8/8/4K3 w - - 0 1")
	for depth, want := range map[int]int{4: -1, 5: 1} { // the side to move moves two plies above the leaves, or the other
		if o := orderFor(depth); o.compare(&a, &b) != want || o.compare(&b, &a) != -want || o.compare(&a, &a) != 0 {
			t.Errorf("depth %d: %d, want %d", depth, o.compare(&a, &b), want)
		}
	}
}

// TestPublished counts the first totals, and holds that a wrong total is found and others are let
// be.
func TestPublished(t *testing.T) {
	start, _ := fianchetto.ParseFEN(fianchetto.StartFEN)
	for depth := 1; depth <= 5; depth++ {
		if n, err := perft.Count(start, depth); strconv.FormatUint(n, 10) != published[depth-1] || err != nil {
			t.Errorf("depth %d: %s is published here, counted %d, %v", depth, published[depth-1], n, err)
		}
	}
	summary := func(fen string, depth int, nodes uint64) *Summary {
		return &Summary{Job: Description{Spec: Spec{FEN: fen, Depth: depth}}, Done: true, Nodes: Count{Lo: nodes}}
	}
	for _, right := range []*Summary{summary(fianchetto.StartFEN, 3, 8902), summary("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 3, 1),
		summary("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9", 3, 8902), summary(fianchetto.StartFEN, 16, 1)} {
		if err := right.CheckPublished(); err != nil {
			t.Error(err)
		}
	}
	if err := summary(fianchetto.StartFEN, 3, 8903).CheckPublished(); !errors.Is(err, ErrPublished) {
		t.Errorf("a wrong total: %v", err)
	}
}

// startPositions counts the positions by plies from the start. Source: https://oeis.org/A083276 for
// the first seven; census.Distinct counts the eighth.
var startPositions = []float64{1, 20, 400, 5362, 72078, 822518, 9417681, 96400068, 988187354}

// inWords formats a large number with three digits that matter.
func inWords(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.0f million", n/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.0f,%03.0f", math.Floor(n/1000), math.Floor(math.Mod(n, 1000)/100)*100)
	}
	return fmt.Sprintf("%.0f", n)
}

// TestCapacityOnPaper computes the table in docs/cluster.md again: what a count from the start
// position takes, by the estimate that tasks are cut by.
func TestCapacityOnPaper(t *testing.T) {
	page := must.Get(os.ReadFile("../../../../docs/cluster.md"))(t)
	leaves := func(plies int) float64 { return must.Get(strconv.ParseFloat(published[plies-1], 64))(t) }
	for depth, split := range map[int]int{12: 6, 13: 7, 15: 8} {
		positions, below, plies := startPositions[split], leaves(depth)/leaves(split), depth-split
		breadth := math.Pow(below, 1/float64(plies))
		each := cost(int(breadth*breadth), plies)
		seconds := each * positions
		tasks := math.Ceil(max(positions/MaxBatch, seconds/min(max(shortTask, seconds/enoughTasks), max(longTask, each))))
		row := fmt.Sprintf("| %d | %d | %s | %s | %s |\n", depth, split, inWords(positions), inWords(seconds/3600), inWords(tasks))
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/cluster.md must have\n%s", row)
		}
	}
}
