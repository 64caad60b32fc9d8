package perft_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Boards with many queens, where most moves check, pin or interpose: every method agrees with the
// oracle.
func TestManyQueens(t *testing.T) {
	random := rand.New(rand.NewPCG(34, 2))
	for counted := 0; counted < difftest.Breadth(2000); {
		fen := manyQueens(random)
		slow, err := oracle.Parse(fen)
		if err != nil {
			continue // the side to move could capture the king, say
		}
		counted++
		want := slow.Perft(2)
		for method := perft.Plain; method <= perft.SIMD; method++ {
			c, err := perft.NewCounter(method, nil)
			if err != nil {
				continue // this machine lacks the instructions
			}
			if got, err := c.Count(context.Background(), fianchetto.MustParseFEN(fen), 2); got != want || err != nil {
				t.Fatalf("%v counts %d leaves in two plies of %s, %v, want %d", method, got, fen, err, want)
			}
		}
	}
}

// manyQueens returns a FEN of two kings, four to nine queens and up to ten other pieces.
func manyQueens(random *rand.Rand) string {
	var board [64]byte
	for range random.IntN(11) {
		board[8+random.IntN(48)] = "PpNnBbRr"[random.IntN(8)]
	}
	squares := random.Perm(64)
	for _, s := range squares[:4+random.IntN(6)] {
		board[s] = "Qq"[random.IntN(2)]
	}
	board[squares[62]], board[squares[63]] = 'K', 'k'
	fen := ""
	for s, piece := range board {
		if piece == 0 {
			piece = '1'
		}
		fen += string(piece)
		if s%8 == 7 && s < 63 {
			fen += "/"
		}
	}
	return fen + [2]string{" w - - 0 1", " b - - 0 1"}[random.IntN(2)]
}
