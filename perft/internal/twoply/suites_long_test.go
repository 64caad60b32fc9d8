//go:build long

package twoply_test

import "testing"

func TestLongTreesOfTheSuites(t *testing.T) { checkSuites(t, 2) }

func TestLongTreesOfPublishedPositions(t *testing.T) {
	c := &checker{TB: t}
	for _, fen := range suite(t, "published.epd") {
		c.checkTree(fen, parse(t, fen), 3)
	}
	t.Logf("%d nodes", c.nodes)
}

func TestLongPlayouts(t *testing.T) { checkPlayouts(t, 10_000_000) }

func TestLongUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 10_000_000) }
