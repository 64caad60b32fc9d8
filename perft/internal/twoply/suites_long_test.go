//go:build long

package twoply_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func TestLongTreesOfTheSuites(t *testing.T) { checkSuites(t, 2) }

func TestLongTreesOfPublishedPositions(t *testing.T) {
	c := &checker{TB: t}
	for _, fen := range suites.FENs("published") {
		c.checkTree(fen, parse(fen), 3)
	}
	t.Logf("%d nodes", c.nodes)
}

func TestLongPlayouts(t *testing.T) { checkPlayouts(t, 10_000_000) }

func TestLongUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 10_000_000) }
