package twoply_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

func TestCountAllocatesNothing(t *testing.T) {
	b := parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	s := new(twoply.Scratch)
	if n := testing.AllocsPerRun(100, func() { twoply.Count(&b, s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What a scratch has of one node may not matter to another.
func TestScratchIsForgotten(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	used := new(twoply.Scratch)
	for range 2000 {
		b := parse(positions.Random(random))
		if got, want := twoply.Count(&b, used), twoply.Count(&b, new(twoply.Scratch)); got != want {
			t.Fatalf("used scratch gives %d, new scratch %d on %#x", got, want, b)
		}
	}
}

// FuzzCount takes any playable position and the moves to play from it.
func FuzzCount(f *testing.F) {
	for i, fen := range suites.FENs() {
		if i%25 == 0 {
			f.Add(fen, []byte{3, 200, 17})
		}
	}
	random := rand.New(rand.NewPCG(9, 11))
	for range 50 {
		f.Add(positions.Random(random), []byte{0, 0, 255})
	}
	f.Fuzz(func(t *testing.T, fen string, choices []byte) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			return
		}
		c := &checker{TB: t}
		b := core.BoardOf(&p)
		c.check(fen, b)
		for _, choice := range choices {
			moves := twoply.Moves(&b)
			if len(moves) == 0 {
				return
			}
			b = after(b, moves[int(choice)%len(moves)])
			c.check(fen, b)
		}
	})
}
