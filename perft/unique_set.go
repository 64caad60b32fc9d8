package perft

import "github.com/fianchetto-chess/fianchetto/internal/core"

// stateSet is a set of states in one slice: each is in the first free slot from where its hash says. A slot with
// nothing in it is free: no board is without kings.
type stateSet struct {
	slots []core.State
	len   int
}

// clear takes all states out. The memory is kept for others.
func (t *stateSet) clear() {
	clear(t.slots)
	t.len = 0
}

// add puts s, whose hash is given, into the set if it is not there.
func (t *stateSet) add(s *core.State, hash uint64) {
	if 3*t.len >= 2*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch t.slots[i] {
		case *s:
			return
		case core.State{}:
			t.slots[i] = *s
			t.len++
			return
		}
	}
}

// grow doubles the number of slots.
func (t *stateSet) grow() {
	old := t.slots
	t.slots, t.len = make([]core.State, max(1024, 2*len(old))), 0
	for i := range old {
		if old[i] != (core.State{}) {
			t.add(&old[i], old[i].Hash(0))
		}
	}
}

// appendTo appends all states, in no order to rely on.
func (t *stateSet) appendTo(states []core.State) []core.State {
	for _, s := range t.slots {
		if s != (core.State{}) {
			states = append(states, s)
		}
	}
	return states
}
