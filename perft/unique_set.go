package perft

import "github.com/fianchetto-chess/fianchetto/internal/core"

// stateSet is a set of states: a hash table in one slice, with linear probing. A zero slot is free, since every board has kings.
type stateSet struct {
	slots []core.State
	len   int
}

// clear removes all states and keeps the memory.
func (t *stateSet) clear() {
	clear(t.slots)
	t.len = 0
}

// add adds s, whose hash is given.
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

// appendTo appends all states in unspecified order.
func (t *stateSet) appendTo(states []core.State) []core.State {
	for _, s := range t.slots {
		if s != (core.State{}) {
			states = append(states, s)
		}
	}
	return states
}
