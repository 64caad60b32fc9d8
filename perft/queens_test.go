package perft_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// TestManyQueens compares every method with the oracle on boards with four to nine queens, where
// most moves check, pin or interpose, and up to ten other pieces.
func TestManyQueens(t *testing.T) {
	random := rand.New(rand.NewPCG(34, 2))
	c := difftest.NewChecker(newCounts(1000))
	for c.Nodes < difftest.Breadth(2000) {
		var pieces [64]byte
		for range random.IntN(11) {
			pieces[8+random.IntN(48)] = "PpNnBbRr"[random.IntN(8)]
		}
		squares := random.Perm(64)
		for _, s := range squares[:4+random.IntN(6)] {
			pieces[s] = "Qq"[random.IntN(2)]
		}
		pieces[squares[62]], pieces[squares[63]] = 'K', 'k'
		for _, fen := range positions.Playable(pieces, 0, fianchetto.NoSquare) {
			c.Game(t, fen, 0)
		}
	}
}
