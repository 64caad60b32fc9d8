package perft

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

func boardFrom(fen string) core.State {
	pos := fianchetto.MustParseFEN(fen)
	b := core.BoardOf(&pos)
	return core.StateOf(&b)
}

// TestStatesDistinguishPositions has pairs that count differently, though each pair's pieces are the same, and pairs
// that count alike.
func TestStatesDistinguishPositions(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"clocks", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 9 30", true},
		{"side to move", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 b - - 0 1", false},
		{"castling right", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", false},
		{"castling rook", "4k3/8/8/8/8/8/8/1RR1K3 w B - 0 1", "4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1", false},
		{"their castling rook", "1rr1k3/8/8/8/8/8/8/4K3 w b - 0 1", "1rr1k3/8/8/8/8/8/8/4K3 w c - 0 1", false},
		{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", false},
		{"en passant that nobody can capture", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", true},
		{"en passant that a pin forbids", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2", "8/8/8/K2pP2r/8/8/8/7k w - - 0 2", true},
		{"two pawns to capture", "4k3/8/8/2PpPp2/8/8/8/4K3 w - d6 0 1", "4k3/8/8/2PpPp2/8/8/8/4K3 w - f6 0 1", false},
		{"queen for bishop", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false},
		{"rook for knight", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", false},
		{"colours", "4k3/8/8/n7/N7/8/8/4K3 w - - 0 1", "4k3/8/8/N7/n7/8/8/4K3 w - - 0 1", false},
	} {
		if got := boardFrom(test.a) == boardFrom(test.b); got != test.same {
			t.Errorf("%s: same state: %v, want %v", test.name, got, test.same)
		}
	}
}

// TestEqualKeysDifferentRooks counts two positions with the same Polyglot key and different castling rooks in one
// table too small for more than a few positions, one after the other and again.
func TestEqualKeysDifferentRooks(t *testing.T) {
	a := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/1RR1K3 w B - 0 1")
	b := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1")
	if a.Key() != b.Key() {
		t.Fatalf("keys %x and %x differ", a.Key(), b.Key())
	}
	const depth = 4
	table := &Table{buckets: make([]bucket, 3)}
	var counts []uint64
	for _, pos := range []fianchetto.Position{a, b, a, b} {
		want, err := Count(pos, depth)
		if err != nil {
			t.Fatal(err)
		}
		board := core.BoardOf(&pos)
		got, err := newCounter(context.Background(), Plain, depth, table).count(&board, depth)
		if err != nil || got != want {
			t.Errorf("%v: %d leaves, %v, want %d", pos, got, err, want)
		}
		counts = append(counts, got)
	}
	if counts[0] == counts[1] {
		t.Errorf("both have %d leaves: the test proves nothing", counts[0])
	}
}

// TestTableFullOfNonsense asks a table for positions that are not in it: whatever is there is not theirs.
func TestTableFullOfNonsense(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	table := &Table{buckets: make([]bucket, 64)}
	for range 10000 {
		s := core.State{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
		depth := 2 + random.IntN(maxHashed-1)
		bucket := table.bucket(&s, depth)
		bucket.store(&s, depth, random.Uint64()&maxCount)
		for plane := range s {
			other := s
			other[plane] ^= 1 << random.IntN(64)
			if count, ok := bucket.load(&other, depth); ok {
				t.Fatalf("a position one bit away is there, with %d", count)
			}
		}
		if count, ok := bucket.load(&s, depth-1); ok {
			t.Fatalf("a depth that was not stored is there, with %d", count)
		}
	}
}

// TestBucketKeepsTwoOfOneDepth stores positions of one depth in one bucket: it has the first and the newest.
func TestBucketKeepsTwoOfOneDepth(t *testing.T) {
	b := new(bucket)
	states := []core.State{{1}, {2}, {3}}
	for i := range states {
		b.store(&states[i], 3, uint64(10+i))
	}
	for i, want := range []bool{true, false, true} {
		if count, ok := b.load(&states[i], 3); ok != want || ok && count != uint64(10+i) {
			t.Errorf("position %d is there: %v, with %d", i, ok, count)
		}
	}
	deeper := core.State{4}
	b.store(&deeper, 4, 20)
	if _, ok := b.load(&states[0], 3); ok {
		t.Error("a deeper position does not replace the first")
	}
}

// TestEntryHoldsWhatFits keeps out of an entry what does not fit.
func TestEntryHoldsWhatFits(t *testing.T) {
	table := newTable(1, 0)
	s := core.State{1, 2, 3, 4}
	for _, test := range []struct {
		depth int
		count uint64
		fits  bool
	}{{2, 0, true}, {5, maxCount, true}, {6, maxCount + 1, false}, {maxHashed, 7, true}, {maxHashed + 1, 7, false}} {
		bucket := table.bucket(&s, test.depth)
		bucket.store(&s, test.depth, test.count)
		count, ok := bucket.load(&s, test.depth)
		if ok != test.fits || ok && count != test.count {
			t.Errorf("depth %d: %d is there: %v, as %d", test.depth, test.count, ok, count)
		}
	}
}

// TestThreadsShareEntries has threads write and read the same few entries: a reader may miss, and never sees a count that
// is not the position's.
func TestThreadsShareEntries(t *testing.T) {
	table := &Table{buckets: make([]bucket, 1)}
	countOf := func(s core.State) uint64 { return (s[0] ^ s[1]*3 ^ s[2]*5 ^ s[3]*7) & maxCount }
	var all sync.WaitGroup
	var hits [4]int
	for thread := range hits {
		all.Go(func() {
			random := rand.New(rand.NewPCG(5, uint64(thread)))
			for range 200000 {
				n := random.Uint64N(6)
				s := core.State{n, n * n, ^n, n << 40}
				if count, ok := table.buckets[0].load(&s, 3); ok {
					hits[thread]++
					if count != countOf(s) {
						t.Errorf("%d read for a position with %d", count, countOf(s))
						return
					}
				}
				table.buckets[0].store(&s, 3, countOf(s))
			}
		})
	}
	all.Wait()
	t.Log("hits:", hits)
}
