package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// TestBareSides makes each move in random positions whose mover has only a king and pawns, and
// compares the numbers of replies.
func TestBareSides(t *testing.T) {
	random := rand.New(rand.NewPCG(34, 1))
	scratch := new(core.TargetSets)
	counted := 0
	for counted < 50_000 {
		pos, err := randomBareSide(random)
		if err != nil {
			continue // the side to move could capture the king, say
		}
		counted++
		b := core.BoardOf(&pos)
		if !b.IsBare() {
			t.Fatalf("%v is no bare side", pos)
		}
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

// randomBareSide places two kings, close to each other half of the time, up to 16 pawns, and half
// of the time up to five pieces of the side that is not to move.
func randomBareSide(random *rand.Rand) (fianchetto.Position, error) {
	var board [64]byte
	white := bitboard.Square(random.IntN(64))
	black := bitboard.Square(random.IntN(64))
	if random.IntN(2) == 0 {
		black = min(white+bitboard.Square(random.IntN(20)), 63)
	}
	for range random.IntN(17) {
		board[8+random.IntN(48)] = "Pp"[random.IntN(2)]
	}
	side := random.IntN(2)
	for range random.IntN(2) * random.IntN(6) {
		board[random.IntN(64)] = [2]string{"nbrq", "NBRQ"}[side][random.IntN(4)]
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
	return fianchetto.ParseFEN(fen + [2]string{" w - - 0 1", " b - - 0 1"}[side])
}
