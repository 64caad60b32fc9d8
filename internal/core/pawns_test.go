package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Counting the replies in random pawn endings agrees with making each move and counting.
func TestPawnEndings(t *testing.T) {
	random := rand.New(rand.NewPCG(34, 1))
	scratch := new(core.TargetSets)
	counted := 0
	for counted < 20_000 {
		pos, err := randomPawnEnding(random)
		if err != nil {
			continue // the side to move could capture the king, say
		}
		counted++
		b := core.BoardOf(&pos)
		want := 0
		for _, m := range core.AppendLegal(nil, &b, 0) {
			var next core.Board
			from, to, kind := core.Decode(m)
			b.Make(&next, from, to, kind)
			want += next.CountMoves()
		}
		if got := b.CountTwo(scratch); got != want {
			t.Fatalf("CountTwo is %d in %v, want %d", got, pos, want)
		}
	}
}

// randomPawnEnding places two kings, close to each other half of the time, and up to 16 pawns.
func randomPawnEnding(random *rand.Rand) (fianchetto.Position, error) {
	var board [64]byte
	white := bitboard.Square(random.IntN(64))
	black := bitboard.Square(random.IntN(64))
	if random.IntN(2) == 0 {
		black = min(white+bitboard.Square(random.IntN(20)), 63)
	}
	for range random.IntN(17) {
		board[8+random.IntN(48)] = "Pp"[random.IntN(2)]
	}
	board[white], board[black] = 'K', 'k'
	fen := ""
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			if piece := board[rank*8+file]; piece != 0 {
				fen += string(piece)
			} else {
				fen += "1"
			}
		}
		if rank > 0 {
			fen += "/"
		}
	}
	return fianchetto.ParseFEN(fen + [2]string{" w - - 0 1", " b - - 0 1"}[random.IntN(2)])
}
