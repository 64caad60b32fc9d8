package perft

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// deepTable has counts of three plies and more.
type deepTable struct {
	buckets []bucket
	seed    uint64 // spreads positions differently over the buckets
}

// bucket is where a position may be: in an entry that keeps what is worth most, or in one that keeps what is newest.
type bucket struct {
	deepest, newest deepEntry
}

// deepEntry is one position and its count.
type deepEntry struct {
	word   word // the count, the age of the table, the depth, and busy
	planes core.State
}

// The word of an entry has, from its lowest bit on, busy, the depth, the low bits of the age, and the count.
const (
	depthShift = 1
	depthBits  = 6
	ageShift   = depthShift + depthBits
	ageBits    = 8
	countShift = ageShift + ageBits

	maxHashed = 1<<depthBits - 1 // the greatest depth that fits
	maxAge    = 1<<ageBits - 1
	maxCount  = 1<<(64-countShift) - 1
)

func newDeepTable(buckets int, seed uint64) deepTable {
	return deepTable{makeLarge[bucket](buckets), seed}
}

// find returns the bucket of a state at a depth.
func (t *deepTable) find(s *core.State, depth int) place {
	index, _ := bits.Mul64(s.Hash(uint64(depth)<<56^t.seed), uint64(len(t.buckets)))
	return place{index: index}
}

// load returns the count of a state at a depth if b has it.
func (b *bucket) load(s *core.State, depth int) (count uint64, ok bool) {
	if count, ok = b.deepest.load(s, depth); ok {
		return count, ok
	}
	return b.newest.load(s, depth)
}

// store keeps the count of a state at a depth: below a greater depth there is more to save. Of equal depth the older one
// stays, so that both entries are in use where all that is stored has one depth; but what earlier runs have left does not stay.
func (b *bucket) store(s *core.State, depth int, count, age uint64) {
	if count > maxCount || depth > maxHashed {
		return
	}
	if depth > b.deepest.depth() || b.deepest.age() != age&maxAge {
		b.deepest.store(s, depth, count, age)
	} else {
		b.newest.store(s, depth, count, age)
	}
}

// depth returns the depth of what e has, 0 if that is nothing.
func (e *deepEntry) depth() int { return int(e.word.Load() >> depthShift & maxHashed) }

// age returns the low bits of the age of the table when e was stored.
func (e *deepEntry) age() uint64 { return e.word.Load() >> ageShift & maxAge }

func (e *deepEntry) load(s *core.State, depth int) (count uint64, ok bool) {
	w := e.word.Load()
	if w>>depthShift&maxHashed != uint64(depth) || !e.word.take(w) {
		return 0, false
	}
	ok = e.planes == *s
	e.word.Store(w)
	return w >> countShift, ok
}

func (e *deepEntry) store(s *core.State, depth int, count, age uint64) {
	if e.word.take(e.word.Load()) {
		e.planes = *s
		e.word.Store(count<<countShift | age&maxAge<<ageShift | uint64(depth)<<depthShift)
	}
}
