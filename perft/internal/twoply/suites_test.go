package twoply_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Every node of the trees of all suites, as deep as a second allows.
func TestTreesOfTheSuites(t *testing.T) {
	checkSuites(t, 1)
}

func checkSuites(t *testing.T, depth int) {
	c := &checker{TB: t}
	fens := suites.FENs()
	for _, fen := range fens {
		c.checkTree(fen, parse(fen), depth)
	}
	t.Logf("%d positions, %d nodes", len(fens), c.nodes)
	if len(fens) < 100 || c.nodes < 10*len(fens) {
		t.Errorf("only %d nodes of %d positions compared", c.nodes, len(fens))
	}
}

func TestTreesOfPublishedPositions(t *testing.T) {
	c := &checker{TB: t}
	for _, fen := range suites.FENs("published") {
		c.checkTree(fen, parse(fen), 2)
	}
	t.Logf("%d nodes", c.nodes)
}
