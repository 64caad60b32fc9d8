package agreement

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Main is the TestMain of a package whose tests rely on the generator. It compares the generator, and what else the package
// gives, with the oracle first. At a difference it runs no test: after a wrong move they fail in ways that hide the cause.
func Main(m *testing.M, aspects ...Aspect) {
	flag.Parse()
	if runsTests() {
		c := NewChecker(append([]Aspect{State, List, Checks}, aspects...)...)
		for _, fen := range smallestFirst() {
			if n, found := c.Play(fen, 0); found != nil {
				fmt.Printf("%s\nNo test of this package runs before this is right.\nFAIL\n", c.Shrink(n, found).Text)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
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

// Breadth returns how many inputs to compare where n is usual: ten times as many in long tests, and a fortieth with -short,
// for emulated machines.
func Breadth(n int) int {
	switch {
	case testing.Short():
		return n / 40
	case Long:
		return 10 * n
	}
	return n
}
