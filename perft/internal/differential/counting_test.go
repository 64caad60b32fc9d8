package differential_test

import (
	"context"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// counts compares the counts of all methods and kernels.
type counts struct {
	counters []counter
	kernels  []simd.Kernel
	scratch  simd.Scratch
}

// counter is a counter by one method, and its name.
type counter struct {
	name string
	*perft.Counter
}

// newCounts has counters by each method that this machine has, without and with a hash table. The tables are the
// smallest, so that positions are replaced in them all the time, and counters of all methods share one.
func newCounts(t testing.TB) *counts {
	t.Helper()
	all := &counts{kernels: simd.Kernels()}
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
		all.counters = append(all.counters, counter{c.name, made})
	}
	return all
}

// Limits of the trees that are counted, in leaves: those at one ply that the oracle counts a ply deeper, and those two
// and three plies deep below which a third and a fourth are counted.
const (
	oracleLeaves   = 8
	thirdPlyLeaves = 600
	fourPlyLeaves  = 600
)

// check compares the counts of all methods, as deep as the tree is small. The oracle decides at one ply, and at two
// where it has few moves to make.
func (c *counts) check(_ *agreement.Checker, n *agreement.Node) {
	b := core.BoardOf(&n.Pos)
	checkPacked(b, n)
	two := c.compare(n, 2)
	if len(n.Legal) <= oracleLeaves {
		if want := n.Oracle.Perft(2); two != want {
			agreement.Fail("%d leaves two plies below %s, want %d", two, n.FEN(), want)
		}
	}
	for _, kernel := range c.kernels {
		if got := kernel.CountTwo(&b, &c.scratch); uint64(got) != two {
			agreement.Fail("kernel %s counts %d leaves two plies below %s, want %d", kernel.Name, got, n.FEN(), two)
		}
	}
	if two <= thirdPlyLeaves && c.compare(n, 3) <= fourPlyLeaves {
		c.compare(n, 4)
	}
}

// checkPacked packs a board for the hash table and unpacks it: nothing that matters is lost, so that no two boards with
// different trees share an entry.
func checkPacked(b core.Board, n *agreement.Node) {
	packed := core.StateOf(&b)
	if b.EnPassantCapturers() == 0 {
		b.CastlingAndEnPassant &^= core.EnPassantRank
	}
	if again := packed.Board(); again != b {
		agreement.Fail("the board of %s, packed for the hash table, is unpacked as another one", n.FEN())
	}
}

// compare returns the number of leaves by all methods.
func (c *counts) compare(n *agreement.Node, depth int) uint64 {
	var want uint64
	for i, counter := range c.counters {
		got, err := counter.Count(context.Background(), n.Pos, depth)
		if err != nil {
			agreement.Fail("%s: %v", counter.name, err)
		}
		if i == 0 {
			want = got
		}
		if got != want {
			agreement.Fail("%s counts %d leaves %d plies below %s, %s counts %d",
				counter.name, got, depth, n.FEN(), c.counters[0].name, want)
		}
	}
	return want
}
