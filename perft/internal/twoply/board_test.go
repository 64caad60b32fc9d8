package twoply_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

func parse(fen string) core.Board {
	p := fianchetto.MustParseFEN(fen)
	return core.BoardOf(&p)
}

// after returns the board after a move.
func after(b core.Board, move uint16) core.Board {
	var next core.Board
	from, to, kind := core.Decode(move)
	b.Make(&next, from, to, kind)
	return next
}

// checker compares counts and tallies the nodes compared.
type checker struct {
	testing.TB
	scratch twoply.Scratch
	nodes   int
}

// check fails if two-ply and plain counting differ on a board.
func (c *checker) check(name string, b core.Board) {
	c.nodes++
	if report := twoply.Mismatch(&b, &c.scratch); report != "" {
		c.Helper()
		c.Fatalf("%s, node %d: %s", name, c.nodes, report)
	}
}

// checkTree checks every node of a tree, down to depth plies below b.
func (c *checker) checkTree(name string, b core.Board, depth int) {
	c.check(name, b)
	if depth == 0 {
		return
	}
	for _, move := range twoply.Moves(&b) {
		c.checkTree(name, after(b, move), depth-1)
	}
}
