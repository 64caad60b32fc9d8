package twoply_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// Games of random moves from the positions of all suites, Chess960 among them.
func TestPlayouts(t *testing.T) {
	checkPlayouts(t, 100_000)
}

// Random positions, most of which no game reaches, and the positions of some moves from there.
func TestUnreachablePlayouts(t *testing.T) {
	checkUnreachable(t, 100_000)
}

// King, castling rook and one enemy piece on every square, with the side that may castle to move and to reply.
func TestCastlings(t *testing.T) {
	c := &checker{TB: t}
	for fen := range positions.Castlings() {
		b := parse(fen)
		c.check(fen, b)
		if b.Checkers() == 0 {
			c.check(fen, b.Flip())
		}
	}
}

func checkPlayouts(t *testing.T, nodes int) {
	c := &checker{TB: t}
	random := rand.New(rand.NewPCG(1, 2))
	fens := suites.FENs()
	for c.nodes < nodes {
		fen := fens[random.IntN(len(fens))]
		c.checkPlayout(random, fen, parse(fen), 120)
	}
}

func checkUnreachable(t *testing.T, nodes int) {
	c := &checker{TB: t}
	random := rand.New(rand.NewPCG(3, 4))
	for c.nodes < nodes {
		fen := positions.Random(random)
		c.checkPlayout(random, fen, parse(fen), 6)
	}
}

// checkPlayout plays random moves and checks every node on the way.
func (c *checker) checkPlayout(random *rand.Rand, name string, b core.Board, plies int) {
	for range plies {
		c.check(name, b)
		moves := twoply.Moves(&b)
		if len(moves) == 0 {
			return
		}
		b = after(b, moves[random.IntN(len(moves))])
	}
}
