package differential_test

import (
	"context"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// counter is a function that counts, and its name.
type counter struct {
	name string
	*perft.Counter
}

// newCounters returns counters by each method that this machine has, without and with a hash table. The tables are the
// smallest, so that positions are replaced in them all the time, and counters of all methods share one.
func newCounters(t testing.TB) (counters []counter) {
	t.Helper()
	shared, err := perft.NewTable(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := perft.NewTable(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		method perft.Method
		table  *perft.Table
	}{
		{"plain", perft.Plain, nil},
		{"plain with a hash table", perft.Plain, shared},
		{"two-ply", perft.TwoPly, nil},
		{"two-ply with a hash table", perft.TwoPly, shared},
		{"two-ply with another hash table", perft.TwoPly, other},
		{"SIMD", perft.SIMD, nil},
		{"SIMD with a hash table", perft.SIMD, shared},
	} {
		if !c.method.Available() {
			continue
		}
		made, err := perft.NewCounter(c.method, c.table)
		if err != nil {
			t.Fatal(err)
		}
		counters = append(counters, counter{c.name, made})
	}
	return counters
}

// Limits of the trees that are counted, in leaves: those at one ply that the oracle counts a ply deeper, and those two and
// three plies deep below which a third and a fourth are counted.
const (
	oracleLeaves   = 8
	thirdPlyLeaves = 600
	fourPlyLeaves  = 600
)

// checkCounts compares the counts of all methods, as deep as the tree is small. The oracle decides at one ply, and at
// two where it has few moves to make.
func (c *checker) checkCounts(n *node) {
	b := core.BoardOf(&n.pos)
	checkPacked(b)
	two := c.compareCounts(n, 2)
	if len(n.legal) <= oracleLeaves {
		if want := n.slow.Perft(2); two != want {
			fail("%d leaves two plies deep, the oracle has %d", two, want)
		}
	}
	for _, kernel := range c.kernels {
		if got := kernel.CountTwo(&b, &c.scratch); uint64(got) != two {
			fail("the kernel %s counts %d leaves two plies deep, want %d", kernel.Name, got, two)
		}
	}
	if two <= thirdPlyLeaves && c.compareCounts(n, 3) <= fourPlyLeaves {
		c.compareCounts(n, 4)
	}
}

// checkPacked packs a board for the hash table and unpacks it: nothing that matters is lost, so that no two boards with
// different trees share an entry.
func checkPacked(b core.Board) {
	packed := core.StateOf(&b)
	if b.EnPassantCapturers() == 0 {
		b.CastlingAndEnPassant &^= core.EnPassantRank
	}
	if again := packed.Board(); again != b {
		fail("packed for the hash table %#x is %#x", b, again)
	}
}

// compareCounts returns the number of leaves by all methods.
func (c *checker) compareCounts(n *node, depth int) uint64 {
	var want uint64
	for i, counter := range c.counters {
		got, err := counter.Count(context.Background(), n.pos, depth)
		if err != nil {
			fail("%s: %v", counter.name, err)
		}
		if i == 0 {
			want = got
		}
		if got != want {
			fail("%d leaves %d plies deep by %s, %d by %s", got, depth, counter.name, want, c.counters[0].name)
		}
	}
	return want
}
