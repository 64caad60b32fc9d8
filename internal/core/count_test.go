package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// TestBareSides makes each move in random positions whose mover has only a king and pawns, and
// compares the numbers of replies. The kings are close to each other half of the time, and half of
// the time the other side has up to five pieces.
func TestBareSides(t *testing.T) {
	random := rand.New(rand.NewPCG(34, 1))
	scratch := new(core.TargetSets)
	for counted := 0; counted < 50_000; {
		var pieces [64]byte
		ours, theirs := random.IntN(64), random.IntN(64)
		if random.IntN(2) == 0 {
			theirs = min(ours+random.IntN(20), 63)
		}
		for range random.IntN(17) {
			pieces[8+random.IntN(48)] = "Pp"[random.IntN(2)]
		}
		for range random.IntN(2) * random.IntN(6) {
			pieces[random.IntN(64)] = "nbrq"[random.IntN(4)]
		}
		pieces[ours], pieces[theirs] = 'K', 'k'
		for _, fen := range positions.Playable(pieces, 0, fianchetto.NoSquare) {
			counted++
			pos := fianchetto.MustParseFEN(fen)
			b := core.BoardOf(&pos)
			if !b.IsBare() {
				t.Fatalf("%v is no bare side", pos)
			}
			if got, want := b.CountTwo(scratch), countTwo(&b); got != want {
				t.Fatalf("CountTwo is %d in %v, want %d", got, pos, want)
			}
		}
	}
}
