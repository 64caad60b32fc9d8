//go:build long

package simd_test

import "testing"

func TestLongTreesOfTheSuites(t *testing.T) { checkSuites(t, 2) }

func TestLongPlayouts(t *testing.T) { checkPlayouts(t, 500_000, 5_000_000) }

func TestLongUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 500_000, 5_000_000) }

func TestLongTreesOfPublishedPositions(t *testing.T) {
	fens := []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	}
	eachKernel(t, func(c *checker) {
		for _, fen := range fens {
			b := parse(fen)
			c.checkTree(fen, &b, 4)
		}
	})
}
