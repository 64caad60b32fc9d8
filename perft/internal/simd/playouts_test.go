package simd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// Games of random moves from the positions of all suites, Chess960 among them.
func TestPlayouts(t *testing.T) { checkPlayouts(t, 10_000, 50_000) }

// Random positions, most of which no game reaches, and the positions of some moves from there.
func TestUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 5_000, 50_000) }

// King, castling rook and one enemy piece on every square, with the side that may castle to move and to reply.
func TestCastlings(t *testing.T) {
	eachKernel(t, func(c *checker) {
		for fen := range positions.Castlings() {
			b := parse(fen)
			c.checkTotal(fen, &b)
			if flipped := b.Flip(); b.Checkers() == 0 {
				c.checkTotal(fen, &flipped)
			}
		}
	})
}

// checkPlayouts checks every lane at the first nodes, as many as lanes, and then only totals, until it has checked totals nodes.
func checkPlayouts(t *testing.T, lanes, totals int) {
	fens := suites.FENs()
	eachKernel(t, func(c *checker) {
		random := rand.New(rand.NewPCG(8, 64))
		for c.nodes < totals {
			fen := fens[random.IntN(len(fens))]
			c.checkPlayout(random, fen, parse(fen), 120, lanes)
		}
	})
}

func checkUnreachable(t *testing.T, lanes, totals int) {
	eachKernel(t, func(c *checker) {
		random := rand.New(rand.NewPCG(8, 512))
		for c.nodes < totals {
			fen := positions.Random(random)
			c.checkPlayout(random, fen, parse(fen), 6, lanes)
		}
	})
}

// checkPlayout plays random moves and checks every node on the way.
func (c *checker) checkPlayout(random *rand.Rand, name string, b core.Board, plies, lanes int) {
	for range plies {
		if c.nodes < lanes {
			c.checkLanes(name, &b)
		} else {
			c.checkTotal(name, &b)
		}
		children := simd.Children(&b)
		if len(children) == 0 {
			return
		}
		b = children[random.IntN(len(children))]
	}
}
