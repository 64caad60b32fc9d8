package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// positions are those of the suites and of random games from them.
func positions(t *testing.T) []fianchetto.Position {
	t.Helper()
	var all []fianchetto.Position
	random := rand.New(rand.NewPCG(6, 0))
	for _, fen := range suites.FENs() {
		pos := fianchetto.MustParseFEN(fen)
		for range 10 {
			all = append(all, pos)
			moves := pos.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			pos = pos.After(moves[random.IntN(len(moves))])
		}
	}
	return all
}

// TestMakeAgreesWithPosition holds the two that make moves, one for counting and one for engines, to the same board.
func TestMakeAgreesWithPosition(t *testing.T) {
	made := 0
	for _, pos := range positions(t) {
		board := core.BoardOf(&pos)
		flip := uint16(0)
		if pos.SideToMove() == fianchetto.Black {
			flip = core.FlipMove
		}
		for _, m := range pos.AppendLegal(nil) {
			var next core.Board
			from, to, kind := core.Decode(uint16(m) ^ flip)
			board.Make(&next, from, to, kind)
			after := pos.After(m)
			if want := core.BoardOf(&after); next != want {
				t.Fatalf("%v: %v gives %+v, want %+v", pos, m, next, want)
			}
			made++
		}
	}
	t.Logf("%d moves made", made)
}

// TestCountTwoMakesEveryMove compares the count of two plies with its definition.
func TestCountTwoMakesEveryMove(t *testing.T) {
	var scratch core.TargetSets
	for _, pos := range positions(t) {
		board := core.BoardOf(&pos)
		want := 0
		for _, m := range pos.AppendLegal(nil) {
			next := pos.After(m)
			want += next.CountLegal()
		}
		if got := board.CountTwo(&scratch); got != want {
			t.Fatalf("%v: %d replies, want %d", pos, got, want)
		}
	}
}

// TestFlip turns boards around and back.
func TestFlip(t *testing.T) {
	for _, pos := range positions(t) {
		board := core.BoardOf(&pos)
		once := board.Flip()
		twice := once.Flip()
		board.CastlingAndEnPassant = board.CastlingRooks()
		if twice != board || once.Us != board.Them.FlipVertical() || once.EnPassant() != 0 {
			t.Fatalf("%v: turned around %+v, and back %+v", pos, once, twice)
		}
	}
}

func TestDecodeUndoesEncode(t *testing.T) {
	for from := bitboard.A1; from <= bitboard.H8; from++ {
		for to := bitboard.A1; to <= bitboard.H8; to++ {
			for kind := core.Kind(0); kind < 16; kind++ {
				if f, o, k := core.Decode(core.Encode(from, to, kind)); f != from || o != to || k != kind {
					t.Fatalf("%v %v %d comes back as %v %v %d", from, to, kind, f, o, k)
				}
				if f, o, k := core.Decode(core.Encode(from, to, kind) ^ core.FlipMove); f != from.FlipRank() || o != to.FlipRank() || k != kind {
					t.Fatalf("%v %v %d flips to %v %v %d", from, to, kind, f, o, k)
				}
			}
		}
	}
}
