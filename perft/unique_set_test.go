package perft

import (
	"math/rand/v2"
	"testing"

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
