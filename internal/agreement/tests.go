package agreement

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Main is the TestMain of a package whose tests rely on the generator. It compares the generator, and what else the
// package gives, with the oracle first. At a difference it runs no test: after a wrong move they fail in ways that hide
// the cause.
func Main(m *testing.M, aspects ...Aspect) {
	flag.Parse()
	if runsTests() {
		if found := firstDifference(append([]Aspect{State, List, Checks}, aspects...)); found != nil {
			fmt.Printf("%s\nNo test of this package runs before this is right.\nFAIL\n", found.Text)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// firstDifference returns the difference that says most, nil if there is none: of those by the rule that is broken in
// most positions, the one in the smallest position.
func firstDifference(aspects []Aspect) *Difference {
	type place struct {
		n     *Node
		found *Difference
	}
	const enough = 100
	c, byRule, most, total := NewChecker(aspects...), map[string][]place{}, "", 0
	for _, fen := range smallestFirst() {
		if n, found := c.Play(fen, 0); found != nil {
			rule := found.Rule()
			byRule[rule] = append(byRule[rule], place{n, found})
			if len(byRule[rule]) > len(byRule[most]) {
				most = rule
			}
			if total++; total == enough {
				break
			}
		}
	}
	if total == 0 {
		return nil
	}
	first := byRule[most][0]
	return c.Shrink(first.n, first.found)
}

// runsTests reports whether the flags ask for tests, and not for a list of them, benchmarks only, or part of fuzzing.
func runsTests() bool {
	is := func(name, value string) bool {
		f := flag.Lookup("test." + name)
		return f != nil && f.Value.String() == value
	}
	return is("list", "") && !is("run", "^$") && !is("run", "NONE") && !is("fuzzworker", "true")
}

// smallestFirst returns the positions of the suites and random ones, those with few pieces first: the shortest position
// with a difference says most.
func smallestFirst() []string {
	fens := suites.FENs()
	random := rand.New(rand.NewPCG(19, 0))
	for range 2000 {
		fens = append(fens, positions.Random(random))
	}
	if testing.Short() {
		fens = fens[:len(fens)/2]
	}
	slices.SortStableFunc(fens, func(a, b string) int { return pieces(a) - pieces(b) })
	return fens
}

// pieces returns the number of pieces in a FEN.
func pieces(fen string) (n int) {
	placement, _, _ := strings.Cut(fen, " ")
	for _, letter := range placement {
		if letter > '8' {
			n++
		}
	}
	return n
}

// Breadth returns how many inputs to compare where n is usual: ten times as many in long tests, and a fortieth with
// -short, for emulated machines.
func Breadth(n int) int {
	switch {
	case testing.Short():
		return n / 40
	case Long:
		return 10 * n
	}
	return n
}

// Must fails a test at a difference, with the same one in a smaller position.
func (c *Checker) Must(t testing.TB, n *Node, found *Difference) {
	t.Helper()
	if found != nil {
		t.Fatal(c.Shrink(n, found))
	}
}

// Games checks games of random moves until so many nodes are checked: half of them from the positions of the suites,
// Chess960 among them, the others short ones from random positions, most of which no game reaches.
func (c *Checker) Games(t testing.TB, seed uint64, nodes int) {
	t.Helper()
	fens, random := suites.FENs(), rand.New(rand.NewPCG(seed, 2))
	for limit := c.Nodes + nodes; c.Nodes < limit; {
		fen, plies := fens[random.IntN(len(fens))], 60
		if random.IntN(12) > 0 { // they are shorter
			fen, plies = positions.Random(random), 6
		}
		n, found := c.Play(fen, plies)
		c.Must(t, n, found)
	}
}

// Trees checks every node of the trees of some positions, down to depth plies below them.
func (c *Checker) Trees(t testing.TB, depth int, fens ...string) {
	t.Helper()
	for _, fen := range fens {
		budget := math.MaxInt
		n := MustRead(fen)
		c.Must(t, n, c.Tree(n, depth, &budget))
	}
}

// EachCastling checks every step-th of the positions with king, castling rook and one enemy piece on every square, and
// the same with the other side to move.
func (c *Checker) EachCastling(t testing.TB, step int) {
	t.Helper()
	total := 0
	for fen := range positions.Castlings() {
		if total++; total%step != 0 {
			continue
		}
		n, found := c.Play(fen, 0)
		c.Must(t, n, found)
		if !n.Oracle.InCheck() {
			n, found = c.Play(otherSide.Replace(fen), 0)
			c.Must(t, n, found)
		}
	}
}

var otherSide = strings.NewReplacer(" w ", " b ", " b ", " w ")

// Step returns the distance between the inputs to compare where every n-th is usual: all in long tests, and one of
// forty with -short.
func Step(n int) int {
	switch {
	case testing.Short():
		return 40 * n
	case Long:
		return 1
	}
	return n
}

// Some returns all of a list, or with -short a tenth of it.
func Some(fens []string) (some []string) {
	if !testing.Short() {
		return fens
	}
	for i := 0; i < len(fens); i += 10 {
		some = append(some, fens[i])
	}
	return some
}
