package perft

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

func randomState(random *rand.Rand) core.State {
	return core.State{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
}

// TestSeedsSpreadDifferently holds tables with different seeds to keeping positions in different
// places.
func TestSeedsSpreadDifferently(t *testing.T) {
	a, b, random := newTable(1, 1), newTable(1, 2), rand.New(rand.NewPCG(1, 2))
	same := 0
	for i := range 32 {
		s, depth := randomState(random), 2+i%8
		if a.find(&s, depth).index == b.find(&s, depth).index {
			same++
		}
	}
	if same > 2 {
		t.Errorf("%d of 32 positions are in the same place with both seeds", same)
	}
}

// tinyTable returns a table with one bucket for greater depths, and so few lines for pairs that
// most are taken after a short count.
func tinyTable() *Table {
	return &Table{pairs: newPairTable(1<<12, 0), deep: deepTable{buckets: make([]bucket, 1)}}
}

// TestTableFullOfNonsense asks a table for positions that are not in it: the entries belong to
// others.
func TestTableFullOfNonsense(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	table := tinyTable()
	load := func(s *core.State, depth int) (uint64, bool) { return table.load(table.find(s, depth), s, depth) }
	for range 20000 {
		s := randomState(random)
		depth, count := pairDepth, random.Uint64N(1<<11)
		if random.IntN(2) == 0 {
			depth, count = 3+random.IntN(maxHashed-2), random.Uint64N(maxCount+1)
		}
		table.store(table.find(&s, depth), &s, depth, count)
		for plane := range s {
			other := s
			other[plane] ^= 1 << random.IntN(64)
			if count, ok := load(&other, depth); ok {
				t.Fatalf("a position one bit away is there, with %d", count)
			}
		}
		if count, ok := load(&s, depth+1); ok {
			t.Fatalf("a depth that was not stored is there, with %d", count)
		}
		if got, ok := load(&s, depth); ok && got != count {
			t.Fatalf("depth %d: %d is there, want %d", depth, got, count)
		}
	}
}

// TestPairTableHoldsWholePositions restores positions from what a table has of them: line, key and
// three planes. So no two positions share an entry, for any number of lines.
func TestPairTableHoldsWholePositions(t *testing.T) {
	const inverse = 0xf1de83e19937733d // of the odd number in find
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		lines := 1<<12 + random.IntN(1<<16)
		table := newPairTable(lines, random.Uint64())
		for range 500 {
			s := core.State{random.Uint64() >> random.IntN(64), random.Uint64(), random.Uint64(), random.Uint64()}
			p := table.find(&s)
			x, _ := bits.Div64(p.index, p.key|table.notInKey, uint64(lines))
			others := core.State{0, s[1], s[2], s[3]}
			if plane := x*inverse ^ others.Hash(table.seed); plane != s[0] {
				t.Fatalf("%d lines: plane 0 is %x, want %x", lines, plane, s[0])
			}
		}
	}
}

// sharingLine returns n states of one line of a table.
func sharingLine(table *pairTable, n int) (states []core.State, places []place) {
	random := rand.New(rand.NewPCG(7, 8))
	for len(states) < n {
		s := randomState(random)
		if p := table.find(&s); p.index == 0 && p.key>>62 != 0 {
			states, places = append(states, s), append(places, p)
		}
	}
	return states, places
}

// TestLineKeepsTwo stores states in one line: it has the first and the newest, until one comes that
// replaces the first.
func TestLineKeepsTwo(t *testing.T) {
	table := newPairTable(1<<12, 0)
	states, places := sharingLine(&table, 3)
	for i := range states {
		table.store(places[i], &states[i], uint64(10+i))
	}
	for i, want := range []bool{true, false, true} {
		if count, ok := table.load(places[i], &states[i]); ok != want || ok && count != uint64(10+i) {
			t.Errorf("position %d is there: %v, with %d", i, ok, count)
		}
	}
	table.store(place{index: 0, key: 0}, &states[1], 20)
	if _, ok := table.load(places[0], &states[0]); ok {
		t.Error("the first stays for ever")
	}
}

// TestBucketKeepsTwoOfOneDepth stores positions of one depth in one bucket: it has the first and
// the newest.
func TestBucketKeepsTwoOfOneDepth(t *testing.T) {
	b := new(bucket)
	states := []core.State{{1}, {2}, {3}}
	for i := range states {
		b.store(&states[i], 3, uint64(10+i), 0)
	}
	for i, want := range []bool{true, false, true} {
		if count, ok := b.load(&states[i], 3); ok != want || ok && count != uint64(10+i) {
			t.Errorf("position %d is there: %v, with %d", i, ok, count)
		}
	}
	deeper := core.State{4}
	b.store(&deeper, 4, 20, 0)
	if _, ok := b.load(&states[0], 3); ok {
		t.Error("a deeper position does not replace the first")
	}
	b.store(&states[1], 3, 11, 1)
	if _, ok := b.load(&deeper, 4); ok {
		t.Error("a position of an earlier run stays")
	}
}

// TestEntryHoldsWhatFits keeps out of an entry what does not fit.
func TestEntryHoldsWhatFits(t *testing.T) {
	table := newTable(1, 0)
	s := core.State{1, 2, 3, 4}
	maxPairs := table.pairs.notInKey >> 1
	for _, test := range []struct {
		depth int
		count uint64
		fits  bool
	}{{2, 0, true}, {2, maxPairs, true}, {2, maxPairs + 1, false}, {5, maxCount, true}, {6, maxCount + 1,
		false}, {maxHashed, 7, true}, {maxHashed + 1, 7, false}} {
		clear(table.pairs.lines)
		place := table.find(&s, test.depth)
		table.store(place, &s, test.depth, test.count)
		count, ok := table.load(place, &s, test.depth)
		if ok != test.fits || ok && count != test.count {
			t.Errorf("depth %d: %d is there: %v, as %d", test.depth, test.count, ok, count)
		}
	}
}

// TestThreadsShareEntries has threads write and read the same few entries: a reader may miss, and
// never sees a count that is not the position's.
func TestThreadsShareEntries(t *testing.T) {
	table := tinyTable()
	states, _ := sharingLine(&table.pairs, 6)
	countOf := func(s *core.State) uint64 { return (s[0] ^ s[1]*3 ^ s[2]*5 ^ s[3]*7) & (1<<11 - 1) }
	for _, depth := range []int{pairDepth, 3} {
		var all sync.WaitGroup
		var hits [4]int
		for thread := range hits {
			all.Go(func() {
				random := rand.New(rand.NewPCG(5, uint64(thread)))
				for range 200000 {
					s := &states[random.IntN(len(states))]
					place := table.find(s, depth)
					if count, ok := table.load(place, s, depth); ok {
						hits[thread]++
						if count != countOf(s) {
							t.Errorf("%d read for a position with %d", count, countOf(s))
							return
						}
					}
					table.store(place, s, depth, countOf(s))
				}
			})
		}
		all.Wait()
		t.Logf("depth %d: hits %v", depth, hits)
		if slices.Max(hits[:]) == 0 {
			t.Errorf("depth %d: nothing is found", depth)
		}
	}
}

// TestDistinctPositions compares the guess with the numbers of perft --unique.
func TestDistinctPositions(t *testing.T) {
	for _, test := range []struct {
		fen   string
		plies int
		truth float64
	}{
		{fianchetto.StartFEN, 4, 72078},
		{fianchetto.StartFEN, 5, 822518},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 57548},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 49377},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 126911},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 248212}, // in check
	} {
		guess := distinctPositions(fianchetto.MustParseFEN(test.fen), test.plies)
		t.Logf("%s, %d plies: %.0f guessed of %.0f", test.fen, test.plies, guess, test.truth)
		if guess < test.truth/3 || guess > test.truth*3 {
			t.Errorf("%s, %d plies: %.0f positions guessed, and there are %.0f", test.fen, test.plies, guess, test.truth)
		}
	}
}

func TestAutoHashMB(t *testing.T) {
	pos := fianchetto.StartPosition()
	const enough = 1 << 50
	for _, test := range []struct {
		depth     int
		available uint64
		least     int
		most      int
	}{
		{3, enough, 0, 0},
		{4, enough, 0, 0},
		{5, enough, 1, 1},
		{7, enough, 12, 32},
		{8, enough, 150, 350},
		{9, enough, 1500, 5000},
		{8, 1 << 28, 128, 128}, // half of the memory
		{8, 1 << 20, 0, 0},     // there is none
		{9, 0, 0, 0},
		{14, enough, MaxHashMB, MaxHashMB},
		{MaxDepth, enough, MaxHashMB, MaxHashMB}, // the guess is infinite
	} {
		if got := autoHashMB(pos, test.depth, test.available); got < test.least || got > test.most {
			t.Errorf("depth %d, %d bytes available: %d MiB, want %d to %d", test.depth, test.available, got,
				test.least, test.most)
		}
	}
	mated := fianchetto.MustParseFEN("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
	for depth := range 9 {
		if got := autoHashMB(mated, depth, enough); got != 0 {
			t.Errorf("depth %d: %d MiB for a position without moves", depth, got)
		}
	}
	for _, depth := range []int{-1, 0, 3, 4, MaxDepth + 1} {
		if got := AutoHashMB(pos, depth); got != 0 {
			t.Errorf("depth %d: %d MiB", depth, got)
		}
	}
	if size := AutoHashMB(pos, 12); checkHashMB(size) != nil || uint64(size) > availableMemory()>>20 {
		t.Errorf("%d MiB, of %d that are available", size, availableMemory()>>20)
	}
}
