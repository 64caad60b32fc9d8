package perft

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// TestStateSetOfEqualHashes gives all states one hash: the set compares the states themselves.
func TestStateSetOfEqualHashes(t *testing.T) {
	const one = 12345
	set := stateSet{slots: make([]core.State, 1024)}
	for range 2 {
		for i := range uint64(500) {
			set.add(&core.State{0, 0, i, 1}, one)
		}
	}
	if got := len(set.appendTo(nil)); set.len != 500 || got != 500 {
		t.Errorf("%d states, %d in the list, want 500", set.len, got)
	}
}

func TestStateSet(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	var set stateSet
	want := map[core.State]bool{}
	for round := range 3 {
		set.clear()
		clear(want)
		for range 20000 {
			s := core.State{0, random.Uint64N(100), random.Uint64N(100), 1}
			want[s] = true
			set.add(&s, s.Hash(0))
		}
		for _, s := range set.appendTo(nil) {
			delete(want, s)
		}
		if len(want) != 0 {
			t.Errorf("round %d: %d states are missing", round, len(want))
		}
	}
}

// TestStateBoard packs and unpacks positions: what a count depends on comes back.
func TestStateBoard(t *testing.T) {
	for _, fen := range []string{
		start,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
		"4k3/8/8/8/2pPp3/8/8/4K3 b - d3 0 2",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1",
	} {
		pos := fianchetto.MustParseFEN(fen)
		b := core.BoardOf(&pos)
		s := core.StateOf(&b)
		if again := s.Board(); again != b {
			t.Errorf("%s\n got %+v\nwant %+v", fen, again, b)
		}
	}
	pos := fianchetto.MustParseFEN("8/8/8/K2pP2r/8/8/8/7k w - d6 0 2")
	pinned := core.BoardOf(&pos)
	s := core.StateOf(&pinned)
	if b := s.Board(); b.EnPassant() != 0 || b.CountMoves() != pinned.CountMoves() {
		t.Errorf("an en-passant square of which no capture is legal has come back: %+v", b)
	}
}
